/*
 * The main thread of programs with an `async` main, which the main run loop runs, and the jobs of
 * Swift's runtime.
 */

#ifndef CRUNLOOPCONCURRENCY_H
#define CRUNLOOPCONCURRENCY_H

#include <CRunLoop/RLBase.h>

RL_EXTERN_C_BEGIN

/**
 * Whether the `async` main of this program, if it has one, runs the main run loop: the Swift
 * runtime has the hook for that. CF: none.
 */
RL_EXPORT Boolean RLRunLoopRunsAsyncMain(void);

/**
 * Whether a job of the Swift runtime, an `UnownedJob`, is the `isolated deinit` of an object. False
 * if the runtime cannot tell. CF: none.
 */
RL_EXPORT Boolean RLJobIsDeinit(void *job);

RL_EXTERN_C_END

#endif
