/*
 * A timer whose creation and use are checked at every call. Each failure jumps to the same cleanup
 * code.
 */

#include "samples.h"
#include <AssertMacros.h>
#include <CoreFoundation/CoreFoundation.h>

typedef struct {
    CFRunLoopTimerRef timer;
    int left;
} Countdown;

static void Tick(CFRunLoopTimerRef timer, void *info)
{
    Countdown *countdown = (Countdown *)info;
    verify(timer == countdown->timer);
    printf("%d\n", countdown->left);
    if (--countdown->left == 0) CFRunLoopStop(CFRunLoopGetCurrent());
}

static OSStatus Run(int from)
{
    OSStatus status = -1;
    Countdown countdown = {NULL, from};
    CFRunLoopTimerContext context = {0, &countdown, NULL, NULL, NULL};

    require_action_quiet(from > 0, bail, printf("not from %d\n", from));
    countdown.timer = CFRunLoopTimerCreate(kCFAllocatorDefault, CFAbsoluteTimeGetCurrent(), 0.01, 0,
                                           0, Tick, &context);
    require(countdown.timer != NULL, bail);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), countdown.timer, kCFRunLoopDefaultMode);
    verify(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false) == kCFRunLoopRunStopped);
    status = noErr;

bail:
    if (countdown.timer != NULL) {
        CFRunLoopTimerInvalidate(countdown.timer);
        CFRelease(countdown.timer);
    }
    return status;
}

void sample_checked_timer(void)
{
    printf("status %d\n", (int)Run(3));
    printf("status %d\n", (int)Run(0));
}
