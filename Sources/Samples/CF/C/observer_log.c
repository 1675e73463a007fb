/*
 * An observer that logs the activities of the loop. The context's retain and release callbacks
 * count the references to the log, so the log lives as long as the observer uses it.
 */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>

typedef struct {
    int references;
    int lines;
} Log;

static const void *LogRetain(const void *info)
{
    Log *log = (Log *)info;
    log->references++;
    return log;
}

static void LogRelease(const void *info)
{
    Log *log = (Log *)info;
    if (--log->references > 0) return;
    printf("the log ends after %d lines\n", log->lines);
    free(log);
}

static CFStringRef LogCopyDescription(const void *info)
{
    (void)info;
    return CFStringCreateWithCString(kCFAllocatorDefault, "a log", kCFStringEncodingUTF8);
}

static const char *NameOfActivity(CFRunLoopActivity activity)
{
    switch (activity) {
    case kCFRunLoopEntry: return "entry";
    case kCFRunLoopBeforeTimers: return "before timers";
    case kCFRunLoopBeforeSources: return "before sources";
    case kCFRunLoopBeforeWaiting: return "before waiting";
    case kCFRunLoopAfterWaiting: return "after waiting";
    case kCFRunLoopExit: return "exit";
    default: return "something new";
    }
}

static void LogActivity(CFRunLoopObserverRef observer, CFRunLoopActivity activity, void *info)
{
    (void)observer;
    Log *log = info;
    log->lines++;
    printf("%d: %s\n", log->lines, NameOfActivity(activity));
}

static void StopLoop(CFRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
    puts("   the timer stops the loop");
    CFRunLoopStop(CFRunLoopGetCurrent());
}

void sample_observer_log(void)
{
    CFRunLoopRef loop = CFRunLoopGetCurrent();
    Log *log = calloc(1, sizeof *log);
    CFRunLoopObserverContext context = {0, log, LogRetain, LogRelease, LogCopyDescription};
    CFRunLoopObserverRef observer = CFRunLoopObserverCreate(
        kCFAllocatorDefault, kCFRunLoopAllActivities, true, 0, LogActivity, &context);
    CFRunLoopAddObserver(loop, observer, kCFRunLoopDefaultMode);

    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(
        kCFAllocatorDefault, CFAbsoluteTimeGetCurrent() + 0.01, 0, 0, 0, StopLoop, NULL);
    CFRunLoopAddTimer(loop, timer, kCFRunLoopDefaultMode);
    CFRelease(timer);

    SInt32 result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    printf("the run ends with result %d\n", (int)result);

    CFRunLoopObserverInvalidate(observer);
    CFRelease(observer);
}
