/*
 * A loop is destroyed with its thread: its sources are canceled, and the infos of all items are
 * released.
 */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>

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

static void CountSchedule(void *info, CFRunLoopRef loop, CFStringRef mode)
{
    (void)loop;
    (void)mode;
    ((Counts *)info)->scheduled++;
}

static void CountCancel(void *info, CFRunLoopRef loop, CFStringRef mode)
{
    (void)loop;
    (void)mode;
    ((Counts *)info)->canceled++;
}

static void DoNothing(void *info)
{
    (void)info;
}

static void IgnoreTimer(CFRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
}

static void IgnoreActivity(CFRunLoopObserverRef observer, CFRunLoopActivity activity, void *info)
{
    (void)observer;
    (void)activity;
    (void)info;
}

static void AddSource(CFRunLoopRef loop, Counts *counts)
{
    CFRunLoopSourceContext context = {.info = counts,
                                      .retain = CountRetain,
                                      .release = CountRelease,
                                      .schedule = CountSchedule,
                                      .cancel = CountCancel,
                                      .perform = DoNothing};
    CFRunLoopSourceRef source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);
    CFRunLoopAddSource(loop, source, kCFRunLoopDefaultMode);
    CFRunLoopAddSource(loop, source, CFSTR("another mode"));
    CFRelease(source);
}

static void AddTimerAndObserver(CFRunLoopRef loop, Counts *counts)
{
    CFRunLoopTimerContext context = {0, counts, CountRetain, CountRelease, NULL};
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(
        kCFAllocatorDefault, CFAbsoluteTimeGetCurrent() + 3600, 0, 0, 0, IgnoreTimer, &context);
    CFRunLoopAddTimer(loop, timer, kCFRunLoopDefaultMode);
    CFRelease(timer);

    CFRunLoopObserverContext observerContext = {0, counts, CountRetain, CountRelease, NULL};
    CFRunLoopObserverRef observer = CFRunLoopObserverCreate(
        kCFAllocatorDefault, kCFRunLoopExit, true, 0, IgnoreActivity, &observerContext);
    CFRunLoopAddObserver(loop, observer, kCFRunLoopDefaultMode);
    CFRelease(observer);
}

static void Report(const char *when, const Counts *counts)
{
    printf("%s: %d infos in use, scheduled in %d modes, canceled in %d\n", when,
           counts->retained - counts->released, counts->scheduled, counts->canceled);
}

static void *ThreadMain(void *argument)
{
    Counts *counts = argument;
    AddSource(CFRunLoopGetCurrent(), counts);
    AddTimerAndObserver(CFRunLoopGetCurrent(), counts);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false);
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
