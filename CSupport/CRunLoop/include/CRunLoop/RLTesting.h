/*
 * Functions for tests. Test clocks and runs that drain a loop are in every build; the Swift module
 * RunLoopTesting wraps them. The hooks at the end, for tests of the engine itself, do nothing and
 * return 0 in builds without RL_TESTING (release builds).
 */

#ifndef CRUNLOOP_RLTESTING_H
#define CRUNLOOP_RLTESTING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/**
 * A virtual clock, which only a test advances. Loops that use the clock use its time for all timers
 * and limits of runs. On their threads, RLAbsoluteTimeGetCurrent and RLClockGetNanoseconds return
 * its time. Descriptors, signals, dispatch queues and other threads use real time, and so do the
 * kernel's time-outs of sockets and of sending to message ports.
 *
 * A timer or a limit fires at its own date, without tolerance: the clock stays at this date while
 * any of its loops has work. A timer that is added by a thread with another clock keeps its
 * distance from the current time.
 *
 * The functions may be called from any thread, unless stated otherwise.
 */
typedef struct RLOpaqueTestClock *RLTestClockRef;

/**
 * Creates a clock that no loop uses yet. It starts at the time of the calling thread's loop, in
 * whole microseconds. The calling thread owns the clock: see RLTestClockSetAutomatic.
 *
 * - Returns: A clock, which the caller ends with RLTestClockEnd.
 * - CF: none.
 */
RL_EXPORT RLTestClockRef RLTestClockCreate(void);

/**
 * Restores the former clocks of all loops, and destroys this clock. Pending timers are then due at
 * the same times on the former clocks. The process stops if the clock is being advanced. CF: none.
 */
RL_EXPORT void RLTestClockEnd(RLTestClockRef clock);

/**
 * Adds a loop of any thread to the clock, until the clock ends. The process stops if the loop was
 * added to another clock. CF: none.
 */
RL_EXPORT void RLTestClockAddLoop(RLTestClockRef clock, RLRunLoopRef loop);

/**
 * Adds all loops without a test clock, and all threads without a loop, to the clock. The process
 * stops if all loops were added to another clock. CF: none.
 */
RL_EXPORT void RLTestClockAddAllLoops(RLTestClockRef clock);

/** Returns the time of the clock in nanoseconds, as RLClockGetNanoseconds returns it. CF: none. */
RL_EXPORT SInt64 RLTestClockGetNanoseconds(RLTestClockRef clock);

/**
 * Sets the clock, forward or back, in one step. Wakes sleeping loops, but does not run the calling
 * thread's loop. Repeating timers skip missed firings, as after the system was suspended. The date
 * changes by the same amount as the clock. The process stops if the date is not in the years 1970
 * to 2128, or if the clock is more than 146 years from zero. CF: none.
 */
RL_EXPORT void RLTestClockSetNanoseconds(RLTestClockRef clock, SInt64 nanoseconds);

/**
 * Returns the next time, in nanoseconds, at which a timer of the clock's loops is due, in any mode.
 * Returns the largest SInt64 if there is no timer, or if the time is more than ten years ahead.
 * CF: none.
 */
RL_EXPORT SInt64 RLTestClockGetNextMoment(RLTestClockRef clock);

/** Returns the date in seconds since 2001, as RLAbsoluteTimeGetCurrent returns it. CF: none. */
RL_EXPORT RLAbsoluteTime RLTestClockGetDate(RLTestClockRef clock);

/**
 * Sets the date, in seconds since 2001, like setting a wall clock. Does not move timers. A date
 * before 1970 or after 2128 stops the process with a message, as does NaN. CF: none.
 */
RL_EXPORT void RLTestClockSetDate(RLTestClockRef clock, RLAbsoluteTime date);

/**
 * Sets whether runs of the thread that created the clock advance the clock. If so, the loop does
 * not wait for its next timer or the end of the run: the clock moves to this time as soon as all
 * other loops are idle. False by default. CF: none.
 */
RL_EXPORT void RLTestClockSetAutomatic(RLTestClockRef clock, Boolean isAutomatic);

/**
 * Advances the clock by `nanoseconds`, and runs the calling thread's loop for this virtual time.
 * The clock moves to each date at which one of its loops has work. At each date, the call waits
 * until the loops of other threads sleep or do not run, and have no pending wake-up.
 *
 * If the calling thread's loop has no test clock, the loop uses the clock during the call. A
 * callback may advance the clock again or run the loop. This adds to the time, and may go beyond
 * the end of the outer advance. RLRunLoopStop also stops the outer run.
 *
 * - Parameters:
 *  - clock: The clock. The process stops if another thread is advancing it.
 *  - nanoseconds: The time, at least 0. The process stops if the end is not in the years 1970 to
 *    2128.
 *  - mode: The mode in which to run; null for the mode of the innermost run or, if the loop does
 *    not run, for the default mode.
 * - CF: none.
 */
RL_EXPORT void RLTestClockAdvance(RLTestClockRef clock, SInt64 nanoseconds, RLRunLoopMode mode);

/**
 * Runs the calling thread's loop until it would sleep, and calls observers of
 * kRLRunLoopBeforeWaiting. RLTestClockAdvance documents `mode`. If the loop uses a test clock, also
 * waits until the clock's other loops are idle; the process stops if another thread is advancing
 * the clock. The clock does not move. CF: none.
 */
RL_EXPORT void RLTestingRunUntilIdle(RLRunLoopMode mode);

/**
 * Returns a description of the pending closures, blocks and functions of a loop, in order: an
 * array, which the caller owns, of strings with the mode and the name of the function that the loop
 * will call. CF: none.
 */
RL_EXPORT RLArrayRef RLTestingCopyBlocks(RLRunLoopRef loop) RL_RETURNS_RETAINED;

/* --- Hooks for tests of the engine ------------------------------------------------------------ */

/** Returns whether the hooks are compiled in. CF: none. */
RL_EXPORT Boolean RLTestingIsAvailable(void);

/** Moves the wall clock forward or back, for the calling thread only. Deadlines do not move. */
RL_EXPORT void RLTestingStepWallClock(SInt64 nanoseconds);

/**
 * Checks the invariants of all structures of a loop; a violation stops the process with a message.
 */
RL_EXPORT void RLTestingVerifyLoop(RLRunLoopRef loop);

/**
 * Sets a function that is called before a host's name is looked up, on the thread of the lookup;
 * null for none.
 */
RL_EXPORT void RLTestingSetBeforeLookup(void (*function)(void));

/**
 * Sets a numeric address that a lookup of a host's name returns first; null for none. The string is
 * not copied.
 */
RL_EXPORT void RLTestingSetFirstAddress(const char *address);

/**
 * Sets whether debug builds print hints: lines for legal calls that are probably mistakes. True by
 * default.
 */
RL_EXPORT void RLTestingSetHints(Boolean areWanted);

/**
 * Sets a function that receives each hint, without a newline; null for none. Without a function,
 * each hint is printed once. The function is called on the thread that causes the hint, and must
 * not call the library.
 */
RL_EXPORT void RLTestingSetHintHandler(void (*handler)(const char *line));

RL_EXTERN_C_END

#endif
