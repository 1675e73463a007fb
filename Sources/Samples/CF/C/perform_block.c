/*
 * Blocks that other threads enqueue on a loop. The loop performs the blocks in order, and each
 * block only in its modes.
 */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>

static CFRunLoopRef mainLoop;

static void *SendWork(void *argument)
{
    int number = *(int *)argument;
    CFRunLoopPerformBlock(mainLoop, kCFRunLoopCommonModes, ^{
        printf("work of thread %d, on the %s thread\n", number,
               CFRunLoopGetCurrent() == mainLoop ? "right" : "wrong");
    });
    CFRunLoopWakeUp(mainLoop);
    return NULL;
}

static void *SendStop(void *argument)
{
    (void)argument;
    CFRunLoopPerformBlock(mainLoop, kCFRunLoopDefaultMode, ^{
        puts("the last work");
        CFRunLoopStop(mainLoop);
    });
    CFRunLoopWakeUp(mainLoop);
    return NULL;
}

static void RunOnThread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, argument);
    pthread_join(thread, NULL);
}

static void KeepRunning(CFRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
}

/* A block for several modes is performed once, in the first of the modes that runs. */
static void PerformInEitherMode(void)
{
    const void *names[] = {CFSTR("first"), CFSTR("second")};
    CFArrayRef modes = CFArrayCreate(kCFAllocatorDefault, names, 2, &kCFTypeArrayCallBacks);
    CFRunLoopPerformBlock(mainLoop, modes, ^{
        CFStringRef mode = CFRunLoopCopyCurrentMode(mainLoop);
        char name[16] = "?";
        CFStringGetCString(mode, name, sizeof name, kCFStringEncodingUTF8);
        printf("performed in the %s mode\n", name);
        CFRelease(mode);
    });
    CFRelease(modes);

    CFRunLoopRunInMode(CFSTR("third"), 0, false);
    CFRunLoopRunInMode(CFSTR("second"), 0, false);
    CFRunLoopRunInMode(CFSTR("first"), 0, false);
}

void sample_perform_block(void)
{
    mainLoop = CFRunLoopGetCurrent();
    CFRunLoopTimerRef timer = CFRunLoopTimerCreate(
        kCFAllocatorDefault, CFAbsoluteTimeGetCurrent() + 3600, 0, 0, 0, KeepRunning, NULL);
    CFRunLoopAddTimer(mainLoop, timer, kCFRunLoopDefaultMode);

    for (int number = 1; number <= 3; number++) RunOnThread(SendWork, &number);
    RunOnThread(SendStop, NULL);
    puts("four threads came and went");
    CFRunLoopRun();

    CFRunLoopTimerInvalidate(timer);
    CFRelease(timer);
    PerformInEitherMode();
}
