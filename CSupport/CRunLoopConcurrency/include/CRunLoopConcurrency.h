/*
 * The interface to the Swift runtime: executors, jobs, and the main loop under an `async` main. If
 * the runtime's symbols or layouts differ, or CRUNLOOP_WITHOUT_SWIFT_RUNTIME is in the environment,
 * each function returns false or null, or has no effect, unless documented otherwise.
 */

#ifndef CRUNLOOPCONCURRENCY_H
#define CRUNLOOPCONCURRENCY_H

#include <CRunLoop/RLBase.h>

#include <stddef.h>

RL_EXTERN_C_BEGIN

/**
 * Returns whether the main run loop runs under an `async` main of this program. This requires a
 * hook in the Swift runtime. CF: none.
 */
RL_EXPORT Boolean RLRunLoopRunsAsyncMain(void);

/**
 * Compares the layout of the runtime's references to executors with the layout that the functions
 * below expect. Call this once, before these functions.
 *
 * - Parameters:
 *   - mainExecutor: The bytes of `MainActor.sharedUnownedExecutor`.
 *   - size: The number of bytes.
 * - Returns: False if the layouts differ. The functions below then return false or null.
 * - CF: none.
 */
RL_EXPORT Boolean RLExecutorsCheckLayout(const void *mainExecutor, size_t size);

/**
 * Returns whether the calling code runs in a task or an actor. Returns true before the first call
 * of RLExecutorsCheckLayout. CF: none.
 */
RL_EXPORT Boolean RLJobsMayBeRunning(void);

/**
 * Returns the serial executor of the current job, not retained, or null outside a job. The executor
 * is an object of the Swift runtime: the actor itself if it has no custom executor. CF: none.
 */
RL_EXPORT const void *RLJobsGetExecutor(void);

/** Returns whether the current job belongs to the main actor. CF: none. */
RL_EXPORT Boolean RLJobsAreOfMainActor(void);

/**
 * Returns the object of an `UnownedSerialExecutor` or `UnownedTaskExecutor`, not retained.
 *
 * - Parameter executor: The bytes of the executor.
 * - CF: none.
 */
RL_EXPORT const void *RLExecutorGetObject(const void *executor);

/**
 * Returns whether an `UnownedJob` is the `isolated deinit` of an object; false if the kind of the
 * job is unknown. CF: none.
 */
RL_EXPORT Boolean RLJobIsDeinit(void *job);

/**
 * Sets the calling thread's taker, which receives the jobs that the thread enqueues for Swift's own
 * threads. Null restores the default. Has no effect if the runtime has no hook. CF: none.
 */
RL_EXPORT void RLJobsSetTaker(void (*taker)(void *job, void *info), void *info);

/** Runs a job that a taker has received, as a thread of Swift would. CF: none. */
RL_EXPORT void RLJobRun(void *job);

/**
 * Begins to resume a task. Until RLJobsEndResuming, the first job that the calling thread enqueues
 * for Swift's own threads is enqueued on a serial executor instead. This saves a thread switch: by
 * default the runtime resumes an actor's task on one of its own threads, which then enqueues the
 * task on the actor's executor. Has no effect if the runtime has no hook or the thread has a taker.
 * CF: none.
 *
 * - Parameter executor: The bytes of the `UnownedSerialExecutor` of the task's actor.
 */
RL_EXPORT void RLJobsBeginResuming(const void *executor);

/** Ends the effect of RLJobsBeginResuming. CF: none. */
RL_EXPORT void RLJobsEndResuming(void);

/**
 * Begins the delivery of an event. Call this in a callback that only delivers the event. Deliveries
 * may be nested. CF: none.
 */
RL_EXPORT void RLJobsBeginEvent(void);

/**
 * Sets a function that the outermost RLJobsEndEvent on the calling thread calls. The function runs
 * the event's jobs, so they run in the callback of the event. Returns false if no event is being
 * delivered, or if a function was set already. CF: none.
 */
RL_EXPORT Boolean RLJobsRunAfterEvent(void (*run)(void *info), void *info);

/** Ends the delivery of an event, and calls the function of RLJobsRunAfterEvent. CF: none. */
RL_EXPORT void RLJobsEndEvent(void);

/**
 * Returns a function that represents all jobs of the Swift runtime in traces, because the runtime
 * does not report the function of a job. CF: none.
 */
RL_EXPORT const void *RLJobsGetFunction(void);

RL_EXTERN_C_END

#endif
