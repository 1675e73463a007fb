/*
 * A thread that waits for work as long as it is wanted. A run ends at once if its mode is empty, so
 * a source that never does anything keeps it alive.
 */

#include "flag.h"
#include "samples.h"
#include <CRunLoop/CRunLoop.h>
#include <pthread.h>

typedef struct {
    pthread_t thread;
    RLRunLoopRef loop;
    Flag ready, done;
} Worker;

static void DoNothing(void *info)
{
    (void)info;
}

static void *WorkerMain(void *argument)
{
    Worker *worker = argument;
    worker->loop = (RLRunLoopRef)RLRetain(RLRunLoopGetCurrent());
    SInt32 result = RLRunLoopRunInMode(kRLRunLoopDefaultMode, 60, false);
    printf("an empty mode: %s\n", result == kRLRunLoopRunFinished ? "finished at once" : "?");

    RLRunLoopSourceContext context = {.perform = DoNothing};
    RLRunLoopSourceRef keepAlive = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context);
    RLRunLoopAddSource(worker->loop, keepAlive, kRLRunLoopDefaultMode);
    FlagRaise(&worker->ready);

    RLRunLoopRun();
    puts("the worker was stopped");
    RLRunLoopRemoveSource(worker->loop, keepAlive, kRLRunLoopDefaultMode);
    RLRelease(keepAlive);
    return NULL;
}

/* Hands work to the thread and waits until it is done. */
static void WorkerPerform(Worker *worker, void (^work)(void))
{
    RLRunLoopPerformBlock(worker->loop, kRLRunLoopDefaultMode, ^{
        work();
        FlagRaise(&worker->done);
    });
    RLRunLoopWakeUp(worker->loop);
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

    WorkerPerform(&worker, ^{ RLRunLoopStop(RLRunLoopGetCurrent()); });
    pthread_join(worker.thread, NULL);
    RLRelease(worker.loop);
}
