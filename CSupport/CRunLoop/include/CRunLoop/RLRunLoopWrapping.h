/*
 * For libraries that wrap run loops in their own objects. Programs do not need it.
 *
 * All functions may be called from any thread, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLRUNLOOPWRAPPING_H
#define CRUNLOOP_RLRUNLOOPWRAPPING_H

#include <CRunLoop/RLEventSources.h>
#include <CRunLoop/RLRunLoopObserver.h>
#include <CRunLoop/RLRunLoopSource.h>
#include <CRunLoop/RLRunLoopTimer.h>
#include <CRunLoop/RLStreamWrapping.h>
#include <CRunLoop/RLSymbolWrapping.h>
#include <CRunLoop/RLThreadWrapping.h>

RL_EXTERN_C_BEGIN

/**
 * The object that a library has set for a loop, not retained; null if there is none.
 *
 * It lives as long as the loop's thread. So another thread may use only the main loop's object,
 * which is permanent.
 *
 * - CF: none in public; Foundation keeps its wrapper with the loop in the same way.
 */
RL_EXPORT void *RLRunLoopGetCounterpart(RLRunLoopRef loop);

/**
 * The object that a library has set for the calling thread's loop, not retained; null if there is
 * no object, or no loop yet.
 *
 * - CF: none in public.
 */
RL_EXPORT void *RLRunLoopGetCurrentCounterpart(void);

/**
 * Sets the object of a loop, if it has none yet.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - counterpart: The object. The loop takes over the caller's reference if it takes the object.
 *   - release: Releases the reference: called once, on the loop's thread, when that ends and the
 *     loop has been torn down; never for the main loop.
 * - Returns: The object that the loop has now: `counterpart`, or the one that was set before; null
 *   if the loop's thread has ended.
 * - CF: none in public.
 */
RL_EXPORT void *RLRunLoopSetCounterpart(RLRunLoopRef loop, void *counterpart,
                                        void (*release)(void *counterpart));

/**
 * Sets a function that debug builds of the engine call on a loop's thread before the loop sleeps,
 * except with a test's clock and in the child of a fork.
 *
 * - Parameter check: Called with the seconds until the loop's first timer or the limit of its run,
 *   or infinity. It returns a description of the work that no loop serves meanwhile, such as a
 *   timer of another loop of that thread, and the remedy, which the engine logs once; or null
 *   without such work.
 * - CF: none.
 */
RL_EXPORT void RLRunLoopSetSleepCheck(const char *(*check)(RLRunLoopRef loop,
                                                           RLTimeInterval seconds));

/** The registration of a function for the end of a loop: RLRunLoopWatchEnd. */
typedef struct rl_end_watch *RLRunLoopEndWatch;

/**
 * Calls a function once when the thread of a loop ends: on that thread, after the loop has stopped
 * accepting items and before it is emptied. In the child of a fork it is not called for the loops
 * of threads that the child does not have.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - callback: The function. It takes over the reference in `info`.
 *   - info: The argument of the function.
 * - Returns: The watch, which the caller passes to RLRunLoopForgetEnd, even after the function has
 * been called. Null if the thread has ended: then the function is not called.
 * - CF: none.
 */
RL_EXPORT RLRunLoopEndWatch RLRunLoopWatchEnd(RLRunLoopRef loop, void (*callback)(void *info),
                                              void *info);

/**
 * Ends a watch of RLRunLoopWatchEnd, and frees it.
 *
 * - Returns: Whether the function will not be called, so that the caller still owns the reference
 *   in `info`; false if it has been called, or is being called.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopForgetEnd(RLRunLoopRef loop, RLRunLoopEndWatch watch);

/**
 * Whether the thread of a loop has ended, or is about to: the loop ignores further items and
 * blocks.
 *
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopHasEnded(RLRunLoopRef loop);

/**
 * Whether a loop is that of the calling thread. Unlike a comparison with RLRunLoopGetCurrent it
 * makes no loop for threads without one.
 *
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopIsCurrent(RLRunLoopRef loop);

/**
 * Returns the hash of a mode's name. Any object but an RLString stops the process with a message
 * that names RLRunLoopMode of the Swift module.
 *
 * - CF: none.
 */
RL_EXPORT RLHashCode RLRunLoopModeGetHash(RLRunLoopMode mode);

/**
 * Whether a mode is empty, so that a run in it would end at once with kRLRunLoopRunFinished. For
 * the main loop that depends on the calling thread (MODE-20).
 *
 * - CF: none in public; Foundation checks the same before it runs a loop.
 */
RL_EXPORT Boolean RLRunLoopModeIsEmpty(RLRunLoopRef loop, RLRunLoopMode mode);

/**
 * Runs the calling thread's loop like RLRunLoopRunInMode, unless the mode is empty.
 *
 * - Returns: The reason for which the run ended, an RLRunLoopRunResult; or 0, at once, if the mode
 *   is empty, in the sense of RLRunLoopModeIsEmpty, or if the loop is another thread's.
 * - CF: none in public; Foundation checks first and then runs.
 */
RL_EXPORT SInt32 RLRunLoopRunUnlessEmpty(RLRunLoopRef loop, RLRunLoopMode mode,
                                         RLTimeInterval seconds,
                                         Boolean returnAfterSourceHandled) RL_SWIFT_BLOCKING;

/**
 * Runs the calling thread's loop in the default mode until it is stopped, even if the mode is
 * empty.
 *
 * RLRunLoopStop ends it if it is the innermost run, RLRunLoopStopWithCode also if other runs are
 * nested in it, when those have ended.
 *
 * - Returns: The code of the stop; 0 for that of RLRunLoopStop.
 * - CF: none in public; NSApplication's run is similar.
 */
RL_EXPORT SInt32 RLRunLoopRunUntilStopped(void) RL_SWIFT_BLOCKING;

/**
 * Stops the innermost run of a loop, as RLRunLoopStop does, and the innermost one of
 * RLRunLoopRunUntilStopped. If there is no such run, the stop is kept for the next one, which then
 * makes no pass. If a run is stopped several times, the first code counts. May be called in a
 * signal handler.
 *
 * - CF: none in public.
 */
RL_EXPORT void RLRunLoopStopWithCode(RLRunLoopRef loop, SInt32 code);

/**
 * Queues a closure of another language, as RLRunLoopPerformBlock queues a block. A closure is two
 * words, which the queue may move in memory.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - mode: As for RLRunLoopPerformBlock.
 *   - call: Calls the closure, on the thread that runs the loop. It gets the address of the words.
 *   - release: Releases the references in the words: called once, with their address, when a block
 *     would be released.
 *   - words: The closure's function and its context, which the queue takes over.
 * - Returns: Whether it was queued: false if RLRunLoopPerformBlock would do nothing.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopPerformClosure(RLRunLoopRef loop, RLTypeRef mode,
                                          void (*call)(void *words),
                                          void (*release)(const void *words), const void *words);

/**
 * Wakes a loop up for a block that the calling thread has just queued, unless it runs on this
 * thread or a wake-up is pending. For other work call RLRunLoopWakeUp: this function publishes no
 * memory to the loop's thread, as queuing has done that.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopWakeUpForQueued(RLRunLoopRef loop);

/**
 * Releases an object on the thread of a loop, in the loop's next pass in a common mode, or when the
 * thread ends; at once if it has ended. Wakes the loop.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopReleaseLater(RLRunLoopRef loop, const void *info,
                                     void (*release)(const void *info));

/**
 * The id of the thread whose loop has a timer; 0 if no loop has it. Another thread may change it at
 * once.
 *
 * - CF: none.
 */
RL_EXPORT SInt32 RLRunLoopTimerGetThreadNumber(RLRunLoopTimerRef timer);

/**
 * Whether a timer is in the loop of another, live thread. Makes no system call if the timer is in
 * no loop or in the calling thread's.
 *
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopTimerIsForeign(RLRunLoopTimerRef timer);

/**
 * Calls the callback of a timer on the calling thread, as if it fired, and keeps its schedule.
 * Ignores an invalid timer.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopTimerCallOut(RLRunLoopTimerRef timer);

/**
 * The info of a timer, retained by its context; null if the timer is invalid or its context does
 * not have the given `release`, which the caller calls with the result. Any thread may invalidate
 * the timer meanwhile.
 *
 * - CF: none.
 */
RL_EXPORT void *RLRunLoopTimerRetainInfo(RLRunLoopTimerRef timer,
                                         void (*release)(const void *info));

/**
 * Sets the time of a timer's next firing, by the clock of its loop (RLRunLoopGetClockNanoseconds)
 * or, if it is in none, by that of RLClockGetNanoseconds. Setting the wall clock has no effect on
 * this. Otherwise as RLRunLoopTimerSetNextFireDate.
 *
 * - Parameters:
 *   - timer: The timer.
 *   - nanoseconds: The moment; a past one counts as now.
 * - CF: none.
 */
RL_EXPORT void RLRunLoopTimerSetNextFireTime(RLRunLoopTimerRef timer, SInt64 nanoseconds);

/**
 * The monotonic clock by which timers of the calling thread's loop are due, in nanoseconds:
 * CLOCK_MONOTONIC, unless the loop uses the clock of a test.
 *
 * - CF: none; mach_absolute_time on Apple's systems.
 */
RL_EXPORT SInt64 RLClockGetNanoseconds(void);

/**
 * The monotonic clock by which timers of a loop are due, in nanoseconds: as RLClockGetNanoseconds
 * on the loop's thread.
 *
 * - CF: none.
 */
RL_EXPORT SInt64 RLRunLoopGetClockNanoseconds(RLRunLoopRef loop);

/**
 * Makes an observer reentrant: it is also called in runs that its own callout makes, unlike CF's
 * (OBS-6). Call it before the observer is in a loop.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopObserverAllowNesting(RLRunLoopObserverRef observer);

/**
 * The calling thread's loop if it runs: the caller is in one of its callbacks, or in an actor that
 * the loop executes. On other threads, such as Swift's own, the main loop. CF: none.
 */
RL_EXPORT RLRunLoopRef RLRunLoopGetRunningOrMain(void) RL_RETURNS_NOT_RETAINED;

/** Whether a loop uses the clock of a test (RLTesting.h). CF: none. */
RL_EXPORT Boolean RLRunLoopHasTestClock(RLRunLoopRef loop);

/**
 * Performs the queued work of the main dispatch queue, without running the loop. Call it on the
 * main thread; elsewhere, and in work of the queue itself, it does nothing. Without libdispatch the
 * process stops.
 *
 * - Returns: Whether there was queued work.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopDrainMainQueue(void);

/**
 * Makes a port for a version-1 source: an event counter, closed on exec, that does not block.
 *
 * - Returns: A descriptor that the caller closes, after the source; a negative errno if there is
 *   none.
 * - CF: none; mach_port_allocate on Apple's systems.
 */
RL_EXPORT int RLRunLoopPortCreate(void);

/**
 * Makes a port of RLRunLoopPortCreate ready. Async-signal-safe. CF: none; mach_msg with an empty
 * message.
 */
RL_EXPORT void RLRunLoopPortSignal(int port);

/**
 * Returns whether RLRunLoopDrainMainQueue would perform work of the main queue on the calling
 * thread. CF: none.
 */
RL_EXPORT Boolean RLRunLoopCanDrainMainQueue(void);

/* libdispatch's: a dispatch_queue_t points to one. */
struct dispatch_queue_s;

/**
 * Watches a file as RLFileSourceAddWatch does, but a file that is watched already reports `events`
 * in addition, so that users of one source can share its watches.
 *
 * - CF: none.
 */
RL_EXPORT SInt32 RLFileSourceAddEvents(RLRunLoopSourceRef source, const char *path,
                                       RLFileEvents events);

/**
 * Calls the callback of a source of RLFileSourceCreate on the calling thread for the events that
 * are queued at the call. An invalid source has none.
 *
 * - CF: none.
 */
RL_EXPORT void RLFileSourceDeliver(RLRunLoopSourceRef source);

RL_EXTERN_C_END

#endif
