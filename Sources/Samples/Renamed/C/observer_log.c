/*
 * An observer that logs what the loop is about to do. The log is counted by the context's own
 * retain and release, so that it lives as long as somebody uses it.
 */

#include "samples.h"
#include <CRunLoop/CRunLoop.h>

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

static RLStringRef LogCopyDescription(const void *info)
{
    (void)info;
    return RLStringCreateWithCString(kRLAllocatorDefault, "a log", kRLStringEncodingUTF8);
}

static const char *NameOfActivity(RLRunLoopActivity activity)
{
    switch (activity) {
    case kRLRunLoopEntry: return "entry";
    case kRLRunLoopBeforeTimers: return "before timers";
    case kRLRunLoopBeforeSources: return "before sources";
    case kRLRunLoopBeforeWaiting: return "before waiting";
    case kRLRunLoopAfterWaiting: return "after waiting";
    case kRLRunLoopExit: return "exit";
    default: return "something new";
    }
}

static void LogActivity(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    Log *log = info;
    log->lines++;
    printf("%d: %s\n", log->lines, NameOfActivity(activity));
}

static void StopLoop(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
    puts("   the timer stops the loop");
    RLRunLoopStop(RLRunLoopGetCurrent());
}

void sample_observer_log(void)
{
    RLRunLoopRef loop = RLRunLoopGetCurrent();
    Log *log = calloc(1, sizeof *log);
    RLRunLoopObserverContext context = {0, log, LogRetain, LogRelease, LogCopyDescription};
    RLRunLoopObserverRef observer = RLRunLoopObserverCreate(
        kRLAllocatorDefault, kRLRunLoopAllActivities, true, 0, LogActivity, &context);
    RLRunLoopAddObserver(loop, observer, kRLRunLoopDefaultMode);

    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(
        kRLAllocatorDefault, RLAbsoluteTimeGetCurrent() + 0.01, 0, 0, 0, StopLoop, NULL);
    RLRunLoopAddTimer(loop, timer, kRLRunLoopDefaultMode);
    RLRelease(timer);

    SInt32 result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 60, false);
    printf("the run ends with result %d\n", (int)result);

    RLRunLoopObserverInvalidate(observer);
    RLRelease(observer);
}
