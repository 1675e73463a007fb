/*
 * For tests. Clocks that tests own, and runs until nothing is left to do, are in every build; the
 * Swift module RunLoopTesting is made of them. The hooks at the end, for tests of the engine
 * itself, do nothing and return 0 in builds without RL_TESTING (release builds).
 */

#ifndef CRUNLOOP_RLTESTING_H
#define CRUNLOOP_RLTESTING_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/**
 * A clock that a test owns. In loops that use it, time stands still until the clock is advanced:
 * for timers of all kinds, limits of runs, and RLAbsoluteTimeGetCurrent and RLClockGetNanoseconds
 * on their threads. All else is as with the kernel's clock. Descriptors, signals, dispatch queues
 * and other threads work as ever, and waits in the kernel (sockets, streams, message ports) have
 * their time-outs in real time.
 *
 * A timer, or a limit, fires at its own date: the clock stands at that date as long as anything is
 * left to do there in any of its loops, and a tolerance is not used. A timer that another thread
 * adds, by another clock, keeps its distance from the present.
 *
 * The functions may be called from any thread, unless stated otherwise.
 */
typedef struct RLOpaqueTestClock *RLTestClockRef;

/**
 * Makes a clock. It stands at the present of the calling thread's loop, in whole microseconds, and
 * no loop uses it yet. The thread owns it: see RLTestClockSetAutomatic.
 *
 * - Returns: A clock that RLTestClockEnd has to end.
 * - CF: none.
 */
RL_EXPORT RLTestClockRef RLTestClockCreate(void);

/**
 * Gives all loops the clocks back that they had before, and ends this clock. A timer that is left
 * is due when the loop's other clock comes to its moment. The process stops if the clock is being
 * advanced.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockEnd(RLTestClockRef clock);

/**
 * Has a loop of any thread use the clock until the clock ends. The process stops if the loop was
 * added to another clock.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockAddLoop(RLTestClockRef clock, RLRunLoopRef loop);

/**
 * Has all loops without a clock of their own, and threads without a loop, use the clock. The
 * process stops if there is another such clock.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockAddAllLoops(RLTestClockRef clock);

/** The time of the clock, in nanoseconds, as RLClockGetNanoseconds. CF: none. */
RL_EXPORT SInt64 RLTestClockGetNanoseconds(RLTestClockRef clock);

/**
 * Sets the clock, forward or back, in one step. Loops that sleep take notice; the calling thread's
 * loop is not run. Repeating timers leave out what they have missed, as after a sleep of the
 * system. The date moves along.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockSetNanoseconds(RLTestClockRef clock, SInt64 nanoseconds);

/** The date, in seconds since 2001, as RLAbsoluteTimeGetCurrent. CF: none. */
RL_EXPORT RLAbsoluteTime RLTestClockGetDate(RLTestClockRef clock);

/**
 * Sets the date, in seconds since 2001, as one sets a wall clock: timers stay due when they were. A
 * date before 1761 or after 2240 stops the process with a line.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockSetDate(RLTestClockRef clock, RLAbsoluteTime date);

/**
 * Sets whether the runs of the thread that made the clock let time pass. Then, in place of a sleep
 * until a timer or the end of the run, the clock moves there as soon as all other loops are at
 * rest. False at first.
 *
 * - CF: none.
 */
RL_EXPORT void RLTestClockSetAutomatic(RLTestClockRef clock, Boolean isAutomatic);

/**
 * Lets time pass: runs the calling thread's loop as if for so much time. The clock moves from each
 * date at which one of its loops has something to do to the next such date. At each date this waits
 * until the loops of other threads sleep, or do not run, and have no wake-up pending.
 *
 * The calling thread's loop uses the clock meanwhile, if it has none. A callback may call
 * this again, which adds its time, or run the loop, which takes what time it takes. Both may carry
 * the clock past the end of the outer advance. A stop is handed on to the outer run.
 *
 * - Parameters:
 *   - clock: The clock. The process stops if another thread is advancing it.
 *   - nanoseconds: How much, not less than 0.
 *   - mode: In which mode to run; null for that of the innermost run or, without one, for the
 *     default mode.
 * - CF: none.
 */
RL_EXPORT void RLTestClockAdvance(RLTestClockRef clock, SInt64 nanoseconds, RLRunLoopMode mode);

/**
 * Runs the calling thread's loop until it would sleep: serves what is due, signalled, queued or
 * ready, and what comes of it, and calls observers of kRLRunLoopBeforeWaiting. If the loop uses
 * a test's clock, also waits until the clock's other loops are at rest; the process stops if
 * another thread is advancing the clock. No time passes.
 *
 * - Parameters:
 *   - mode: As for RLTestClockAdvance.
 * - CF: none.
 */
RL_EXPORT void RLTestingRunUntilIdle(RLRunLoopMode mode);

/**
 * The closures, blocks and functions that are queued in a loop and were not called.
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

/**
 * Sets whether debug builds write lines for uses that are allowed and do nothing. True at first; a
 * test that does odd things on purpose sets false.
 */
RL_EXPORT void RLTestingSetHints(Boolean areWanted);

/**
 * Sets a function that is called with each of these lines, without a newline, as often as there is
 * reason; nothing is written then. Null has each line written once. The function is called on the
 * thread in question, and must not call the library.
 */
RL_EXPORT void RLTestingSetHintHandler(void (*handler)(const char *line));

RL_EXTERN_C_END

#endif
