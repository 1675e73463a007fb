/* Work that threads share: each part is done once, by the thread that first sets the part's bit. */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <libkern/OSAtomic.h>
#include <pthread.h>

enum { THREADS = 3, PARTS = 12 };

static uint8_t claimed[(PARTS + 7) / 8];
static OSSpinLock lock = OS_SPINLOCK_INIT;
static CFMutableArrayRef done;
static CFRunLoopRef loop;
static CFRunLoopSourceRef source;

static void Do(int part)
{
    CFNumberRef number = CFNumberCreate(kCFAllocatorDefault, kCFNumberIntType, &part);
    OSSpinLockLock(&lock);
    CFArrayAppendValue(done, number);
    bool isLast = CFArrayGetCount(done) == PARTS;
    OSSpinLockUnlock(&lock);
    CFRelease(number);
    if (isLast) {
        CFRunLoopSourceSignal(source);
        CFRunLoopWakeUp(loop);
    }
}

static void *ClaimAll(void *argument)
{
    for (uint32_t part = 0; part < PARTS; part++) {
        if (!OSAtomicTestAndSetBarrier(part, claimed)) Do((int)part);
    }
    return argument;
}

static void AllDone(void *info)
{
    (void)info;
    CFRunLoopStop(loop);
}

void sample_claimed_parts(void)
{
    CFRunLoopSourceContext context = {.perform = AllDone};
    source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);
    pthread_t threads[THREADS];
    loop = CFRunLoopGetCurrent();
    done = CFArrayCreateMutable(kCFAllocatorDefault, 0, &kCFTypeArrayCallBacks);
    CFRunLoopAddSource(loop, source, kCFRunLoopDefaultMode);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, ClaimAll, NULL);
    SInt32 result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);

    printf("%s\n", result == kCFRunLoopRunStopped ? "all is done" : "timed out");
    for (int part = 0; part < PARTS; part++) {
        CFNumberRef number = CFNumberCreate(kCFAllocatorDefault, kCFNumberIntType, &part);
        CFIndex times = CFArrayGetCountOfValue(done, CFRangeMake(0, CFArrayGetCount(done)), number);
        if (times != 1) printf("part %d was done %ld times\n", part, (long)times);
        CFRelease(number);
    }
    printf("%ld parts\n", (long)CFArrayGetCount(done));
    CFRunLoopSourceInvalidate(source);
    CFRelease(source);
    CFRelease(done);
}
