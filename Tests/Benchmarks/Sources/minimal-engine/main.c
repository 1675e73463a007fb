/*
 * The least program with a loop: one timer, then the end.
 */

#include <CRunLoop/CRunLoop.h>

static void fire(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
    RLRunLoopStop(RLRunLoopGetCurrent());
}

int main(void)
{
    RLRunLoopTimerRef timer =
        RLRunLoopTimerCreate(kRLAllocatorDefault, RLAbsoluteTimeGetCurrent(), 0, 0, 0, fire, NULL);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopDefaultMode);
    RLRelease(timer);
    RLRunLoopRun();
    return 0;
}
