/*
 * Timers that fire once and again and again, that may be late, and whose next date is changed.
 */

#include "samples.h"
#include <CRunLoop/CRunLoop.h>

/* The main thread's default mode is never empty; a run in a mode of our own finishes. */
#define kTimerMode RLSTR("com.example.timers")

static void FireOnce(RLRunLoopTimerRef timer, void *info)
{
    printf("%s fires\n", (const char *)info);
    printf("it repeats: %s\n", RLRunLoopTimerDoesRepeat(timer) ? "yes" : "no");
}

static void Tick(RLRunLoopTimerRef timer, void *info)
{
    int *left = info;
    printf("tick, %d to go\n", --*left);
    if (*left == 0) RLRunLoopTimerInvalidate(timer);
}

static void Report(const char *when, RLRunLoopTimerRef timer)
{
    printf("%s the timer is %s\n", when, RLRunLoopTimerIsValid(timer) ? "valid" : "invalid");
}

/* Fires once and is then of no use any more, so that the run finishes. */
static void RunOneShotTimer(void)
{
    RLRunLoopTimerContext context = {0, "the one-shot timer", NULL, NULL, NULL};
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(
        kRLAllocatorDefault, RLAbsoluteTimeGetCurrent() + 0.01, 0, 0, 0, FireOnce, &context);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kTimerMode);
    Report("before its date", timer);
    RLRunLoopRunInMode(kTimerMode, 60, false);
    Report("afterwards", timer);
    RLRelease(timer);
}

/* Fires until it is invalidated. */
static void RunRepeatingTimer(void)
{
    int left = 3;
    RLRunLoopTimerContext context = {0, &left, NULL, NULL, NULL};
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(kRLAllocatorDefault, RLAbsoluteTimeGetCurrent(),
                                                   0.01, 0, 0, Tick, &context);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kTimerMode);
    RLRunLoopRunInMode(kTimerMode, 60, false);
    Report("after the last tick", timer);
    RLRelease(timer);
}

/* Would fire in an hour, but its date is brought forward. */
static void RunRescheduledTimer(void)
{
    RLAbsoluteTime inAnHour = RLAbsoluteTimeGetCurrent() + 3600;
    RLRunLoopTimerContext context = {0, "the rescheduled timer", NULL, NULL, NULL};
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(kRLAllocatorDefault, inAnHour, 60, 0, 0, FireOnce, &context);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kTimerMode);

    RLRunLoopTimerSetTolerance(timer, 5);
    printf("every %.0f s, at most %.0f s late\n", RLRunLoopTimerGetInterval(timer),
           RLRunLoopTimerGetTolerance(timer));

    RLAbsoluteTime now = RLAbsoluteTimeGetCurrent();
    RLRunLoopTimerSetNextFireDate(timer, now);
    RLRunLoopRunInMode(kTimerMode, 0, false);
    RLAbsoluteTime next = RLRunLoopTimerGetNextFireDate(timer);
    printf("its next date is %s\n", next > now && next < inAnHour ? "a minute away" : "wrong");
    printf("no timer of the mode is earlier: %s\n",
           RLRunLoopGetNextTimerFireDate(RLRunLoopGetCurrent(), kTimerMode) == next ? "yes" : "no");

    RLRunLoopRemoveTimer(RLRunLoopGetCurrent(), timer, kTimerMode);
    RLRelease(timer);
}

void sample_timers(void)
{
    RunOneShotTimer();
    RunRepeatingTimer();
    RunRescheduledTimer();
}
