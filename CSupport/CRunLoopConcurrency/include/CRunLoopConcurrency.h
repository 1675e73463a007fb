/*
 * The interface to the Swift runtime: executors, jobs, and running the main loop under an `async`
 * main. Every function also works with a runtime whose symbols or layouts differ, and with
 * CRUNLOOP_WITHOUT_SWIFT_RUNTIME in the environment.
 */

#ifndef CRUNLOOPCONCURRENCY_H
#define CRUNLOOPCONCURRENCY_H

#include <CRunLoop/RLBase.h>

#include <stddef.h>

RL_EXTERN_C_BEGIN

/**
 * Returns whether an `async` main of this program runs the main run loop, for which the Swift
 * runtime needs a hook. CF: none.
 */
RL_EXPORT Boolean RLRunLoopRunsAsyncMain(void);

/**
 * Compares the layout of the runtime's references to executors with the one that the functions
 * below use. Call it once, before them.
 *
 * - Parameters:
 *   - mainExecutor: The bytes of `MainActor.sharedUnownedExecutor`.
 *   - size: Their number.
 * - Returns: Whether the layouts are equal. If not, the functions below know no job and no
 * executor.
 * - CF: none.
 */
RL_EXPORT Boolean RLExecutorsCheckLayout(const void *mainExecutor, size_t size);

/**
 * Returns whether the calling code runs in a job of the Swift runtime: a task's or an actor's. True
 * before the first call of RLExecutorsCheckLayout. CF: none.
 */
RL_EXPORT Boolean RLJobsMayBeRunning(void);

/**
 * Returns the serial executor in whose job the calling code runs, an object of the Swift runtime,
 * not retained: the actor itself if it has no executor of its own. Null in other code. CF: none.
 */
RL_EXPORT const void *RLJobsGetExecutor(void);

/** Returns whether the calling code runs in a job of the main actor. CF: none. */
RL_EXPORT Boolean RLJobsAreOfMainActor(void);

/**
 * Returns the object of an `UnownedSerialExecutor` or `UnownedTaskExecutor`, not retained.
 *
 * - Parameter executor: The bytes of the executor.
 * - CF: none.
 */
RL_EXPORT const void *RLExecutorGetObject(const void *executor);

/**
 * Returns whether a job of the Swift runtime, an `UnownedJob`, is the `isolated deinit` of an
 * object; false if that is unknown. CF: none.
 */
RL_EXPORT Boolean RLJobIsDeinit(void *job);

/**
 * Sets the function that gets the jobs which the calling thread enqueues for Swift's own threads;
 * null for the runtime. Without the runtime's hook nothing changes. CF: none.
 */
RL_EXPORT void RLJobsSetTaker(void (*taker)(void *job, void *info), void *info);

/** Runs a job of RLJobsSetTaker, as one of Swift's own threads would. CF: none. */
RL_EXPORT void RLJobRun(void *job);

/**
 * Begins to resume a task: until RLJobsEndResuming, the first job that the calling thread enqueues
 * for Swift's own threads goes to a serial executor instead. Without it the runtime resumes a task
 * of an actor on one of its threads, which then enqueues the task on the actor's executor. Without
 * the runtime's hook, and with a taker, nothing changes. CF: none.
 *
 * - Parameter executor: The bytes of the `UnownedSerialExecutor` of the task's actor.
 */
RL_EXPORT void RLJobsBeginResuming(const void *executor);

/** Ends RLJobsBeginResuming. CF: none. */
RL_EXPORT void RLJobsEndResuming(void);

/**
 * Begins the delivery of an event in a callback of the calling thread's loop, in which nothing else
 * is under way. Deliveries may be nested. CF: none.
 */
RL_EXPORT void RLJobsBeginEvent(void);

/**
 * Sets the function that the end of the calling thread's delivery calls, so that the jobs of the
 * event run in its callback. Returns false if no event is being delivered, or one was set. CF:
 * none.
 */
RL_EXPORT Boolean RLJobsRunAfterEvent(void (*run)(void *info), void *info);

/** Ends RLJobsBeginEvent. CF: none. */
RL_EXPORT void RLJobsEndEvent(void);

/**
 * Returns a function that stands for jobs of the Swift runtime in traces, because the runtime does
 * not report the function of a job. CF: none.
 */
RL_EXPORT const void *RLJobsGetFunction(void);

RL_EXTERN_C_END

#endif
