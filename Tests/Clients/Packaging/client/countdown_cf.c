/* Like countdown.c, by the names of CoreFoundation. */

#include <CoreFoundation/CoreFoundation.h>

#include <stdio.h>

static void tick(CFRunLoopTimerRef timer, void *info)
{
    int *left = (int *)info;
    printf("%d to go\n", --*left);
    if (*left > 0) return;
    CFRunLoopTimerInvalidate(timer);
    CFRunLoopStop(CFRunLoopGetCurrent());
}

int main(void)
{
    int left = 3;
    CFRunLoopTimerContext context = {0, &left, NULL, NULL, NULL};
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(kCFAllocatorDefault, CFAbsoluteTimeGetCurrent(),
                                                   0.001, 0, 0, tick, &context);
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kCFRunLoopDefaultMode);
    CFRelease(timer);

    CFRunLoopRunResult result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 10, false);
    puts(result == kCFRunLoopRunStopped ? "stopped" : "not stopped");
    return 0;
}
