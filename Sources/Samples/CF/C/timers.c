/*
 * One-shot and repeating timers, a timer with a tolerance, and a timer whose fire date is changed.
 */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>

/*
 * A run in this mode finishes when the mode is empty. The main loop's default mode is never empty.
 */
#define kTimerMode CFSTR("com.example.timers")

static void FireOnce(CFRunLoopTimerRef timer, void *info)
{
    printf("%s fires\n", (const char *)info);
    printf("it repeats: %s\n", CFRunLoopTimerDoesRepeat(timer) ? "yes" : "no");
}

static void Tick(CFRunLoopTimerRef timer, void *info)
{
    int *left = info;
    printf("tick, %d to go\n", --*left);
    if (*left == 0) CFRunLoopTimerInvalidate(timer);
}

static void Report(const char *when, CFRunLoopTimerRef timer)
{
    printf("%s the timer is %s\n", when, CFRunLoopTimerIsValid(timer) ? "valid" : "invalid");
}

/* The timer becomes invalid after firing, so the run finishes. */
static void RunOneShotTimer(void)
{
    CFRunLoopTimerContext context = {0, "the one-shot timer", NULL, NULL, NULL};
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(
        kCFAllocatorDefault, CFAbsoluteTimeGetCurrent() + 0.01, 0, 0, 0, FireOnce, &context);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kTimerMode);
    Report("before its date", timer);
    CFRunLoopRunInMode(kTimerMode, 60, false);
    Report("afterwards", timer);
    CFRelease(timer);
}

static void RunRepeatingTimer(void)
{
    int left = 3;
    CFRunLoopTimerContext context = {0, &left, NULL, NULL, NULL};
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(kCFAllocatorDefault, CFAbsoluteTimeGetCurrent(),
                                                   0.01, 0, 0, Tick, &context);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kTimerMode);
    CFRunLoopRunInMode(kTimerMode, 60, false);
    Report("after the last tick", timer);
    CFRelease(timer);
}

/* Reschedules a timer that is due in an hour, so that it fires now. */
static void RunRescheduledTimer(void)
{
    CFAbsoluteTime inAnHour = CFAbsoluteTimeGetCurrent() + 3600;
    CFRunLoopTimerContext context = {0, "the rescheduled timer", NULL, NULL, NULL};
    CFRunLoopTimerRef timer =
        CFRunLoopTimerCreate(kCFAllocatorDefault, inAnHour, 60, 0, 0, FireOnce, &context);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kTimerMode);

    CFRunLoopTimerSetTolerance(timer, 5);
    printf("every %.0f s, at most %.0f s late\n", CFRunLoopTimerGetInterval(timer),
           CFRunLoopTimerGetTolerance(timer));

    CFAbsoluteTime now = CFAbsoluteTimeGetCurrent();
    CFRunLoopTimerSetNextFireDate(timer, now);
    CFRunLoopRunInMode(kTimerMode, 0, false);
    CFAbsoluteTime next = CFRunLoopTimerGetNextFireDate(timer);
    printf("its next date is %s\n", next > now && next < inAnHour ? "a minute away" : "wrong");
    printf("no timer of the mode is earlier: %s\n",
           CFRunLoopGetNextTimerFireDate(CFRunLoopGetCurrent(), kTimerMode) == next ? "yes" : "no");

    CFRunLoopRemoveTimer(CFRunLoopGetCurrent(), timer, kTimerMode);
    CFRelease(timer);
}

void sample_timers(void)
{
    RunOneShotTimer();
    RunRepeatingTimer();
    RunRescheduledTimer();
}
