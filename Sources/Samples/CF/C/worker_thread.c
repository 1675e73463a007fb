/*
 * A thread that waits for work until it is stopped. A run returns at once if its mode is empty, so
 * a source that is never signalled keeps the run alive.
 */

#include "flag.h"
#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>

typedef struct {
    pthread_t thread;
    CFRunLoopRef loop;
    Flag ready, done;
} Worker;

static void DoNothing(void *info)
{
    (void)info;
}

static void *WorkerMain(void *argument)
{
    Worker *worker = argument;
    worker->loop = (CFRunLoopRef)CFRetain(CFRunLoopGetCurrent());
    SInt32 result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    printf("an empty mode: %s\n", result == kCFRunLoopRunFinished ? "finished at once" : "?");

    CFRunLoopSourceContext context = {.perform = DoNothing};
    CFRunLoopSourceRef keepAlive = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);
    CFRunLoopAddSource(worker->loop, keepAlive, kCFRunLoopDefaultMode);
    FlagRaise(&worker->ready);

    CFRunLoopRun();
    puts("the worker was stopped");
    CFRunLoopRemoveSource(worker->loop, keepAlive, kCFRunLoopDefaultMode);
    CFRelease(keepAlive);
    return NULL;
}

/* Performs work on the worker's thread, and waits for its end. */
static void WorkerPerform(Worker *worker, void (^work)(void))
{
    CFRunLoopPerformBlock(worker->loop, kCFRunLoopDefaultMode, ^{
        work();
        FlagRaise(&worker->done);
    });
    CFRunLoopWakeUp(worker->loop);
    FlagAwait(&worker->done);
}

void sample_worker_thread(void)
{
    Worker worker = {.ready = FLAG_INITIALIZER, .done = FLAG_INITIALIZER};
    pthread_create(&worker.thread, NULL, WorkerMain, &worker);
    FlagAwait(&worker.ready);

    __block int sum = 0;
    for (int i = 1; i <= 4; i++) {
        WorkerPerform(&worker, ^{
            sum += i;
            printf("the worker adds %d\n", i);
        });
    }
    printf("the sum is %d\n", sum);

    WorkerPerform(&worker, ^{ CFRunLoopStop(CFRunLoopGetCurrent()); });
    pthread_join(worker.thread, NULL);
    CFRelease(worker.loop);
}
