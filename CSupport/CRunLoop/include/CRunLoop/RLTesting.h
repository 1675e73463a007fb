/*
 * Hooks for tests: a clock that tests own, a check of a loop's whole structure, and slow look-ups.
 *
 * In builds without RL_TESTING (release builds) the functions do nothing and return 0.
 */

#ifndef CRUNLOOP_RLTESTING_H
#define CRUNLOOP_RLTESTING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** Whether the hooks are compiled in. */
RL_EXPORT Boolean RLTestingIsAvailable(void);

/**
 * Stops the calling thread's monotonic clock at a reading. A loop that would sleep until a timer
 * or a limit instead moves the clock there at once and goes on; with nothing to wait for it sleeps
 * for real.
 */
RL_EXPORT void RLTestingSetClock(SInt64 nanoseconds);

/** Moves the calling thread's stopped clock forward. */
RL_EXPORT void RLTestingAdvanceClock(SInt64 nanoseconds);

/** Returns the calling thread to the real clock. */
RL_EXPORT void RLTestingUseRealClock(void);

/** Sets the wall clock, as the calling thread sees it, forward or back. Deadlines do not move. */
RL_EXPORT void RLTestingStepWallClock(SInt64 nanoseconds);

/** The monotonic clock as the calling thread sees it, in nanoseconds. */
RL_EXPORT SInt64 RLTestingGetClock(void);

/**
 * Walks all structures of a loop and stops the process with a line if they contradict each other.
 */
RL_EXPORT void RLTestingVerifyLoop(RLRunLoopRef loop);

/** Sets what is called, on its thread, before a host's name is looked up; null for nothing. */
RL_EXPORT void RLTestingSetBeforeLookup(void (*function)(void));

/**
 * Sets a numeric address, which is not copied, that counts as a host's first when its name is
 * looked up; null for none.
 */
RL_EXPORT void RLTestingSetFirstAddress(const char *address);

RL_EXTERN_C_END

#endif
