/*
 * Two threads share work in parts. The thread that completes the last part signals a source of the
 * main loop. The time of each part is measured.
 */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <libkern/OSAtomic.h>
#include <mach/mach_time.h>
#include <pthread.h>

enum { PARTS = 4, NUMBERS = 10000 };

typedef struct {
    CFRunLoopRef loop;
    CFRunLoopSourceRef source;
    volatile int32_t next, done;
    long sums[PARTS];
    uint64_t times[PARTS];
} Work;

static void *DoParts(void *argument)
{
    Work *work = (Work *)argument;
    for (;;) {
        int part = OSAtomicIncrement32(&work->next) - 1;
        if (part >= PARTS) return NULL;
        uint64_t began = mach_absolute_time();
        for (int i = 1; i <= NUMBERS; i++) work->sums[part] += part * NUMBERS + i;
        work->times[part] = mach_absolute_time() - began;
        if (OSAtomicIncrement32Barrier(&work->done) == PARTS) {
            CFRunLoopSourceSignal(work->source);
            CFRunLoopWakeUp(work->loop);
        }
    }
}

static void AllDone(void *info)
{
    Work *work = (Work *)info;
    mach_timebase_info_data_t base;
    long sum = 0, expected = (long)PARTS * NUMBERS * (PARTS * NUMBERS + 1) / 2;
    uint64_t ticks = 0;
    for (int part = 0; part < PARTS; part++) {
        sum += work->sums[part];
        ticks += work->times[part];
    }
    mach_timebase_info(&base);
    uint64_t nanoseconds = ticks * base.numer / base.denom;
    printf("%d parts: %ld\n", PARTS, sum);
    printf("that is %s\n", sum == expected ? "right" : "wrong");
    printf("it took %s\n", nanoseconds > 0 && nanoseconds < 60000000000u ? "a moment" : "too long");
    CFRunLoopStop(work->loop);
}

void sample_distributed_work(void)
{
    Work work = {.loop = CFRunLoopGetCurrent()};
    CFRunLoopSourceContext context = {.info = &work, .perform = AllDone};
    pthread_t threads[2];
    work.source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);
    CFRunLoopAddSource(work.loop, work.source, kCFRunLoopDefaultMode);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, DoParts, &work);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    CFRunLoopSourceInvalidate(work.source);
    CFRelease(work.source);
}
