/*
 * The least program with a loop: one timer, then the end. Prints its resident size in pages: the
 * kernel's own figure of a child's size is never less than its parent's.
 */

#include <CRunLoop/CRunLoop.h>

#include <stdio.h>

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

    long size = 0, resident = 0;
    FILE *status = fopen("/proc/self/statm", "r");
    if (!status || fscanf(status, "%ld %ld", &size, &resident) != 2) return 1;
    printf("%ld\n", resident);
    return 0;
}
