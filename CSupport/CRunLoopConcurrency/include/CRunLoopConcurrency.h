/*
 * The interface to the Swift runtime: running the main loop under an `async` main, the kinds of
 * jobs, and their names in traces.
 */

#ifndef CRUNLOOPCONCURRENCY_H
#define CRUNLOOPCONCURRENCY_H

#include <CRunLoop/RLBase.h>

RL_EXTERN_C_BEGIN

/**
 * Returns whether an `async` main of this program runs the main run loop, for which the Swift
 * runtime needs a hook. CF: none.
 */
RL_EXPORT Boolean RLRunLoopRunsAsyncMain(void);

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
 * Returns a function that stands for jobs of the Swift runtime in traces, because the runtime does
 * not report the function of a job. CF: none.
 */
RL_EXPORT const void *RLJobsGetFunction(void);

RL_EXTERN_C_END

#endif
