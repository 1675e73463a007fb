/*
 * For tests. Test clocks, and runs that drain a loop, are in every build; the Swift module
 * RunLoopTesting wraps them. The hooks at the end, for tests of the engine itself, do nothing and
 * return 0 in builds without RL_TESTING (release builds).
 */

#ifndef CRUNLOOP_RLTESTING_H
#define CRUNLOOP_RLTESTING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/**
 * A virtual clock, which a test advances. In loops that use it, time stands still until then, for
 * timers of all kinds, limits of runs, and RLAbsoluteTimeGetCurrent and RLClockGetNanoseconds on
 * their threads. Descriptors, signals, dispatch queues and other threads work in real time, and so
 * do time-outs in the kernel (sockets, streams, message ports).
 *
 * A timer or a limit fires at its own date, without tolerance: the clock stands at that date while
 * any of its loops has work. A timer that another thread adds, by another clock, keeps its distance
 * from the current time.
 *
 * The functions may be called from any thread, unless stated otherwise.
 */
typedef struct RLOpaqueTestClock *RLTestClockRef;

/**
 * Makes a clock. It starts at the time of the calling thread's loop, in whole microseconds, and no
 * loop uses it yet. The thread owns it: see RLTestClockSetAutomatic.
 *
 * - Returns: A clock, which the caller ends by RLTestClockEnd.
 * - CF: none.
 */
RL_EXPORT RLTestClockRef RLTestClockCreate(void);

/**
 * Restores the former clocks of all loops, and ends this clock. Pending timers are then due at the
 * same times of those clocks. The process stops if the clock is being advanced.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockEnd(RLTestClockRef clock);

/**
 * Adds a loop of any thread to the clock, until the clock ends. The process stops if the loop was
 * added to another clock.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockAddLoop(RLTestClockRef clock, RLRunLoopRef loop);

/**
 * Adds all loops without a clock of their own, and threads without a loop, to the clock. The
 * process stops if there is another such clock.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockAddAllLoops(RLTestClockRef clock);

/** The time of the clock, in nanoseconds, as RLClockGetNanoseconds. CF: none. */
RL_EXPORT SInt64 RLTestClockGetNanoseconds(RLTestClockRef clock);

/**
 * Sets the clock, forward or back, in one step. Sleeping loops are woken; the calling thread's loop
 * is not run. Repeating timers skip missed firings, as after a suspension of the system. The date
 * moves along. The process stops if that is not in the years 1970 to 2128, or the clock is more
 * than 146 years from zero.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockSetNanoseconds(RLTestClockRef clock, SInt64 nanoseconds);

/**
 * The next moment, in nanoseconds, at which a timer of the clock's loops is due, in any mode; the
 * largest number without a timer, or if that is more than ten years ahead. CF: none.
 */
RL_EXPORT SInt64 RLTestClockGetNextMoment(RLTestClockRef clock);

/** The date, in seconds since 2001, as RLAbsoluteTimeGetCurrent. CF: none. */
RL_EXPORT RLAbsoluteTime RLTestClockGetDate(RLTestClockRef clock);

/**
 * Sets the date, in seconds since 2001, like setting a wall clock. It moves no timer. A date before
 * 1970 or after 2128 stops the process with a message, as does NaN.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockSetDate(RLTestClockRef clock, RLAbsoluteTime date);

/**
 * Sets whether the runs of the thread that made the clock advance it. Then, instead of a sleep
 * until a timer or the end of the run, the clock moves to that moment as soon as all other loops
 * are idle. False at first.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockSetAutomatic(RLTestClockRef clock, Boolean isAutomatic);

/**
 * Advances the clock: runs the calling thread's loop as if for that time. The clock moves to each
 * date at which one of its loops has work. At each date this waits until the loops of other threads
 * sleep, or do not run, and have no wake-up pending.
 *
 * The calling thread's loop uses the clock meanwhile, if it has no clock. A callback may call this
 * again or run the loop, which adds to the time, possibly past the end of the outer advance. A stop
 * also stops the outer run.
 *
 * - Parameters:
 *   - clock: The clock. The process stops if another thread is advancing it.
 *   - nanoseconds: The time, at least 0. The process stops if the end is not in the years 1970 to
 *     2128.
 *   - mode: The mode in which to run; null for that of the innermost run or, without one, for the
 *     default mode.
 * - CF: none.
 */
RL_EXPORT void RLTestClockAdvance(RLTestClockRef clock, SInt64 nanoseconds, RLRunLoopMode mode);

/**
 * Runs the calling thread's loop until it would sleep, and calls observers of
 * kRLRunLoopBeforeWaiting. If the loop uses a test's clock, also waits until the clock's other
 * loops are idle; the process stops if another thread is advancing the clock. No time passes.
 *
 * - Parameters:
 *   - mode: As for RLTestClockAdvance.
 * - CF: none.
 */
RL_EXPORT void RLTestingRunUntilIdle(RLRunLoopMode mode);

/**
 * The pending closures, blocks and functions of a loop.
 *
 * - Returns: A line for each, in their order: its mode, and the function that would be called, by
 *   name. The caller releases it.
 * - CF: none.
 */
RL_EXPORT RLArrayRef RLTestingCopyBlocks(RLRunLoopRef loop) RL_RETURNS_RETAINED;

/* --- Hooks for tests of the engine ------------------------------------------------------------ */

/** Whether the hooks are compiled in. CF: none. */
RL_EXPORT Boolean RLTestingIsAvailable(void);

/** Sets the wall clock, as the calling thread sees it, forward or back. Deadlines do not move. */
RL_EXPORT void RLTestingStepWallClock(SInt64 nanoseconds);

/**
 * Checks the invariants of all structures of a loop, and stops the process with a message if one is
 * violated.
 */
RL_EXPORT void RLTestingVerifyLoop(RLRunLoopRef loop);

/**
 * Sets a function that is called before a host's name is looked up, on the thread of the lookup;
 * null for none.
 */
RL_EXPORT void RLTestingSetBeforeLookup(void (*function)(void));

/**
 * Sets a numeric address, not copied, that becomes a host's first when its name is looked up; null
 * for none.
 */
RL_EXPORT void RLTestingSetFirstAddress(const char *address);

/**
 * Sets whether debug builds print hints: lines for legal calls that are probably mistakes. True at
 * first.
 */
RL_EXPORT void RLTestingSetHints(Boolean areWanted);

/**
 * Sets a function that receives each hint, without a newline, instead of printing each once; null
 * for none. It is called on the thread of the hint, and must not call the library.
 */
RL_EXPORT void RLTestingSetHintHandler(void (*handler)(const char *line));

RL_EXTERN_C_END

#endif
