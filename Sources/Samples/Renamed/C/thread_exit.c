/*
 * What a loop leaves behind when its thread ends: nothing. Sources are canceled, and the infos of
 * all items are released.
 */

#include "samples.h"
#include <CRunLoop/CRunLoop.h>
#include <pthread.h>

/* How often the infos were retained and released, and the source scheduled and canceled. */
typedef struct {
    int retained, released, scheduled, canceled;
} Counts;

static const void *CountRetain(const void *info)
{
    ((Counts *)info)->retained++;
    return info;
}

static void CountRelease(const void *info)
{
    ((Counts *)info)->released++;
}

static void CountSchedule(void *info, RLRunLoopRef loop, RLStringRef mode)
{
    (void)loop;
    (void)mode;
    ((Counts *)info)->scheduled++;
}

static void CountCancel(void *info, RLRunLoopRef loop, RLStringRef mode)
{
    (void)loop;
    (void)mode;
    ((Counts *)info)->canceled++;
}

static void DoNothing(void *info)
{
    (void)info;
}

static void IgnoreTimer(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
}

static void IgnoreActivity(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    (void)activity;
    (void)info;
}

static void AddSource(RLRunLoopRef loop, Counts *counts)
{
    RLRunLoopSourceContext context = {.info = counts,
                                      .retain = CountRetain,
                                      .release = CountRelease,
                                      .schedule = CountSchedule,
                                      .cancel = CountCancel,
                                      .perform = DoNothing};
    RLRunLoopSourceRef source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context);
    RLRunLoopAddSource(loop, source, kRLRunLoopDefaultMode);
    RLRunLoopAddSource(loop, source, RLSTR("another mode"));
    RLRelease(source);
}

static void AddTimerAndObserver(RLRunLoopRef loop, Counts *counts)
{
    RLRunLoopTimerContext context = {0, counts, CountRetain, CountRelease, NULL};
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(
        kRLAllocatorDefault, RLAbsoluteTimeGetCurrent() + 3600, 0, 0, 0, IgnoreTimer, &context);
    RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    RLRelease(timer);

    RLRunLoopObserverContext observerContext = {0, counts, CountRetain, CountRelease, NULL};
    RLRunLoopObserverRef observer = RLRunLoopObserverCreate(
        kRLAllocatorDefault, kRLRunLoopExit, true, 0, IgnoreActivity, &observerContext);
    RLRunLoopAddObserver(loop, observer, kRLRunLoopDefaultMode);
    RLRelease(observer);
}

static void Report(const char *when, const Counts *counts)
{
    printf("%s: %d infos in use, scheduled in %d modes, canceled in %d\n", when,
           counts->retained - counts->released, counts->scheduled, counts->canceled);
}

static void *ThreadMain(void *argument)
{
    Counts *counts = argument;
    AddSource(RLRunLoopGetCurrent(), counts);
    AddTimerAndObserver(RLRunLoopGetCurrent(), counts);
    RLRunLoopRunInMode(kRLRunLoopDefaultMode, 0, false);
    Report("the thread is about to end", counts);
    return NULL;
}

void sample_thread_exit(void)
{
    Counts counts = {0};
    pthread_t thread;
    pthread_create(&thread, NULL, ThreadMain, &counts);
    pthread_join(thread, NULL);
    Report("the thread has ended", &counts);
}
