/* A thread that uses mach_wait_until to wake a loop at regular intervals. */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <libkern/OSAtomic.h>
#include <mach/mach_time.h>
#include <pthread.h>

enum { BEATS = 4 };

typedef struct {
    CFRunLoopRef loop;
    CFRunLoopSourceRef source;
    volatile int32_t beats, early;
} Metronome;

static void *Keep(void *argument)
{
    Metronome *metronome = (Metronome *)argument;
    mach_timebase_info_data_t base;
    mach_timebase_info(&base);
    uint64_t beat = 2000000ull * base.denom / base.numer, next = mach_absolute_time();
    for (int i = 0; i < BEATS; i++) {
        next += beat;
        if (mach_wait_until(next) != KERN_SUCCESS || mach_absolute_time() < next) {
            OSAtomicIncrement32Barrier(&metronome->early);
        }
        OSAtomicIncrement32Barrier(&metronome->beats);
        CFRunLoopSourceSignal(metronome->source);
        CFRunLoopWakeUp(metronome->loop);
    }
    return NULL;
}

static void Beat(void *info)
{
    Metronome *metronome = (Metronome *)info;
    if (OSAtomicAdd32Barrier(0, &metronome->beats) == BEATS) CFRunLoopStop(metronome->loop);
}

void sample_wait_until(void)
{
    Metronome metronome = {.loop = CFRunLoopGetCurrent()};
    CFRunLoopSourceContext context = {.info = &metronome, .perform = Beat};
    pthread_t thread;
    metronome.source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);
    CFRunLoopAddSource(metronome.loop, metronome.source, kCFRunLoopDefaultMode);
    pthread_create(&thread, NULL, Keep, &metronome);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    pthread_join(thread, NULL);
    printf("%d beats, %d of them early\n", (int)metronome.beats, (int)metronome.early);
    CFRunLoopSourceInvalidate(metronome.source);
    CFRelease(metronome.source);
}
