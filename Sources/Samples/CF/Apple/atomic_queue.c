/* A source that performs the jobs that other threads enqueue in an atomic queue. */

#include "samples.h"
#include <CoreFoundation/CoreFoundation.h>
#include <libkern/OSAtomic.h>
#include <pthread.h>

enum { THREADS = 3, JOBS = 4 };

typedef struct {
    int amount;
    void *next;
} Job;

typedef struct {
    OSFifoQueueHead jobs;
    CFRunLoopRef loop;
    CFRunLoopSourceRef source;
    int done, total;
} Inbox;

static void Perform(void *info)
{
    Inbox *inbox = (Inbox *)info;
    Job *job;
    while ((job = (Job *)OSAtomicFifoDequeue(&inbox->jobs, offsetof(Job, next))) != NULL) {
        inbox->total += job->amount;
        inbox->done++;
        free(job);
    }
    if (inbox->done == THREADS * JOBS) CFRunLoopStop(inbox->loop);
}

static void *Post(void *argument)
{
    Inbox *inbox = (Inbox *)argument;
    for (int amount = 1; amount <= JOBS; amount++) {
        Job *job = (Job *)malloc(sizeof *job);
        job->amount = amount;
        OSAtomicFifoEnqueue(&inbox->jobs, job, offsetof(Job, next));
        CFRunLoopSourceSignal(inbox->source);
        CFRunLoopWakeUp(inbox->loop);
    }
    return NULL;
}

void sample_atomic_queue(void)
{
    Inbox inbox = {.jobs = OS_ATOMIC_FIFO_QUEUE_INIT, .loop = CFRunLoopGetCurrent()};
    CFRunLoopSourceContext context = {.info = &inbox, .perform = Perform};
    pthread_t threads[THREADS];
    inbox.source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);
    CFRunLoopAddSource(inbox.loop, inbox.source, kCFRunLoopDefaultMode);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, Post, &inbox);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, false);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    printf("%d jobs: %d\n", inbox.done, inbox.total);
    CFRunLoopSourceInvalidate(inbox.source);
    CFRelease(inbox.source);
}
