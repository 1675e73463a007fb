/*
 * Blocks that other threads hand to a loop: performed there, in the order in which they came, and
 * in the modes for which they are meant.
 */

#include "samples.h"
#include <CRunLoop/CRunLoop.h>
#include <pthread.h>

static RLRunLoopRef mainLoop;

static void *SendWork(void *argument)
{
    int number = *(int *)argument;
    RLRunLoopPerformBlock(mainLoop, kRLRunLoopCommonModes, ^{
        printf("work of thread %d, on the %s thread\n", number,
               RLRunLoopGetCurrent() == mainLoop ? "right" : "wrong");
    });
    RLRunLoopWakeUp(mainLoop);
    return NULL;
}

static void *SendStop(void *argument)
{
    (void)argument;
    RLRunLoopPerformBlock(mainLoop, kRLRunLoopDefaultMode, ^{
        puts("the last work");
        RLRunLoopStop(mainLoop);
    });
    RLRunLoopWakeUp(mainLoop);
    return NULL;
}

static void RunOnThread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, argument);
    pthread_join(thread, NULL);
}

static void KeepRunning(RLRunLoopTimerRef timer, void *info)
{
    (void)timer;
    (void)info;
}

/* A block for several modes is performed once, in the first of them that runs. */
static void PerformInEitherMode(void)
{
    const void *names[] = {RLSTR("first"), RLSTR("second")};
    RLArrayRef modes = RLArrayCreate(kRLAllocatorDefault, names, 2, &kRLTypeArrayCallBacks);
    RLRunLoopPerformBlock(mainLoop, modes, ^{
        RLStringRef mode = RLRunLoopCopyCurrentMode(mainLoop);
        char name[16] = "?";
        RLStringGetCString(mode, name, sizeof name, kRLStringEncodingUTF8);
        printf("performed in the %s mode\n", name);
        RLRelease(mode);
    });
    RLRelease(modes);

    RLRunLoopRunInMode(RLSTR("third"), 0, false);
    RLRunLoopRunInMode(RLSTR("second"), 0, false);
    RLRunLoopRunInMode(RLSTR("first"), 0, false);
}

void sample_perform_block(void)
{
    mainLoop = RLRunLoopGetCurrent();
    RLRunLoopTimerRef timer = RLRunLoopTimerCreate(
        kRLAllocatorDefault, RLAbsoluteTimeGetCurrent() + 3600, 0, 0, 0, KeepRunning, NULL);
    RLRunLoopAddTimer(mainLoop, timer, kRLRunLoopDefaultMode);

    for (int number = 1; number <= 3; number++) RunOnThread(SendWork, &number);
    RunOnThread(SendStop, NULL);
    puts("four threads came and went");
    RLRunLoopRun();

    RLRunLoopTimerInvalidate(timer);
    RLRelease(timer);
    PerformInEitherMode();
}
