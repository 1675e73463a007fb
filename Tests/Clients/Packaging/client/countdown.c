/*
 * What README shows, in C and in C++ alike: three ticks of a timer, the last of which stops the
 * loop.
 */

#include <CRunLoop/CRunLoop.h>

#include <stdio.h>

static void tick(RLRunLoopTimerRef timer, void *info)
{
    int *left = (int *)info;
    printf("%d to go\n", --*left);
    if (*left > 0) return;
    RLRunLoopTimerInvalidate(timer);
    RLRunLoopStop(RLRunLoopGetCurrent());
}

int main(void)
{
    int left = 3;
    RLRunLoopTimerContext context = {0, &left, NULL, NULL, NULL};
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(kRLAllocatorDefault, RLAbsoluteTimeGetCurrent(),
                                                   0.001, 0, 0, tick, &context);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopDefaultMode);
    RLRelease(timer);

    RLRunLoopRunResult result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 10, false);
    puts(result == kRLRunLoopRunStopped ? "stopped" : "not stopped");
    return 0;
}
