/* An observer that measures how long the loop works and how long it sleeps. */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <mach/mach_time.h>

typedef struct {
    uint64_t since, asleep, awake;
    int sleeps;
} Times;

static void Observe(CFRunLoopObserverRef observer, CFRunLoopActivity activity, void *info)
{
    (void)observer;
    Times *times = (Times *)info;
    uint64_t now = mach_absolute_time();
    switch (activity) {
    case kCFRunLoopEntry: puts("the run begins"); break;
    case kCFRunLoopBeforeWaiting: times->awake += now - times->since; break;
    case kCFRunLoopAfterWaiting:
        times->asleep += now - times->since;
        times->sleeps++;
        break;
    case kCFRunLoopExit: puts("the run ends"); break;
    default: break;
    }
    times->since = now;
}

static void Stop(CFRunLoopTimerRef timer, void *info)
{
    (void)timer, (void)info;
    CFRunLoopStop(CFRunLoopGetCurrent());
}

void sample_pass_times(void)
{
    Times times = {mach_absolute_time(), 0, 0, 0};
    CFRunLoopObserverContext context = {0, &times, NULL, NULL, NULL};
    CFRunLoopObserverRef observer = CFRunLoopObserverCreate(
        kCFAllocatorDefault,
        kCFRunLoopEntry | kCFRunLoopBeforeWaiting | kCFRunLoopAfterWaiting | kCFRunLoopExit, true,
        0, Observe, &context);
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(
        kCFAllocatorDefault, CFAbsoluteTimeGetCurrent() + 0.02, 0, 0, 0, Stop, NULL);
    CFRunLoopAddObserver(CFRunLoopGetCurrent(), observer, kCFRunLoopDefaultMode);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kCFRunLoopDefaultMode);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    CFRunLoopRemoveObserver(CFRunLoopGetCurrent(), observer, kCFRunLoopDefaultMode);

    mach_timebase_info_data_t base;
    mach_timebase_info(&base);
    printf("it slept: %s\n", times.sleeps > 0 ? "yes" : "no");
    printf("for 10 ms at least: %s\n",
           times.asleep * base.numer / base.denom >= 10000000 ? "yes" : "no");
    CFRelease(timer);
    CFRelease(observer);
}
