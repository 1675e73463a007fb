/*
 * The least program with a loop: one timer, then the end. Prints its resident size in pages, as the
 * kernel's own figure of a child's size is never less than its parent's, and when the timer fired.
 */

#include <CRunLoop/CRunLoop.h>

#include <stdio.h>
#include <time.h>

static void fire(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    clock_gettime(CLOCK_MONOTONIC, info);
    RLRunLoopStop(RLRunLoopGetCurrent());
}

int main(void)
{
    struct timespec fired;
    RLRunLoopTimerContext context = {.info = &fired};
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(kRLAllocatorDefault, RLAbsoluteTimeGetCurrent(),
                                                   0, 0, 0, fire, &context);
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, kRLRunLoopDefaultMode);
    RLRelease(timer);
    RLRunLoopRun();

    long size = 0, resident = 0;
    FILE *status = fopen("/proc/self/statm", "r");
    if (!status || fscanf(status, "%ld %ld", &size, &resident) != 2) return 1;
    printf("%ld %lld\n", resident, (long long)fired.tv_sec * 1000000000 + fired.tv_nsec);
    return 0;
}
