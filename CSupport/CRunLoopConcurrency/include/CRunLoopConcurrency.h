/*
 * The main thread of programs with an `async` main: run by the main run loop.
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

RL_EXTERN_C_END

#endif
