/*
 * Functions for libraries that wrap run loops in their own objects. Programs do not need these
 * functions.
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
 * Returns the object that a library has set for a loop, not retained; null if there is none.
 *
 * The object lives as long as the loop's thread. So other threads may use only the main loop's
 * object, which is permanent. CF: none in the public API; Foundation stores its wrapper of a loop
 * in the same way.
 */
RL_EXPORT void *RLRunLoopGetCounterpart(RLRunLoopRef loop);

/**
 * Returns the object that a library has set for the calling thread's loop, not retained; null if
 * the loop has no object, or if the thread has no loop yet. CF: none in the public API.
 */
RL_EXPORT void *RLRunLoopGetCurrentCounterpart(void);

/**
 * Sets the object of a loop, unless the loop already has an object.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - counterpart: The object. The loop takes over the caller's reference if it stores the object.
 *   - release: Releases the reference. Called once, on the loop's thread, when the thread ends and
 *     the loop has been torn down; never called for the main loop.
 * - Returns: The object that the loop has now: `counterpart`, or an object that was set before;
 *   null if the loop's thread has ended.
 * - CF: none in the public API.
 */
RL_EXPORT void *RLRunLoopSetCounterpart(RLRunLoopRef loop, void *counterpart,
                                        void (*release)(void *counterpart));

/**
 * Sets a function that debug builds of the engine call on a loop's thread before the loop sleeps,
 * except with a test clock and in the child of a fork.
 *
 * - Parameter check: Called with the seconds until the loop's first timer or the limit of its run,
 *   or infinity. If the thread has work that no loop serves during the sleep, such as a timer of
 *   Foundation's loop, the function returns a message, which the engine logs once. The message
 *   states the work and the remedy. Otherwise, the function returns null.
 * - CF: none.
 */
RL_EXPORT void RLRunLoopSetSleepCheck(const char *(*check)(RLRunLoopRef loop,
                                                           RLTimeInterval seconds));

/** A function's registration for the end of a loop (RLRunLoopWatchEnd). */
typedef struct rl_end_watch *RLRunLoopEndWatch;

/**
 * Calls a function once when the thread of a loop ends: on that thread, after the loop has stopped
 * accepting items and before it is emptied. In the child of a fork, the function is not called for
 * loops of threads that do not exist in the child.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - callback: The function. It takes over the reference in `info`.
 *   - info: The argument of the function.
 * - Returns: The watch, which the caller passes to RLRunLoopForgetEnd, even after the function has
 *   been called. Null if the thread has ended; the function is then not called.
 * - CF: none.
 */
RL_EXPORT RLRunLoopEndWatch RLRunLoopWatchEnd(RLRunLoopRef loop, void (*callback)(void *info),
                                              void *info);

/**
 * Ends a watch of RLRunLoopWatchEnd, and frees it.
 *
 * - Returns: True if the function will not be called; the caller then still owns the reference in
 *   `info`. False if the function has been called or is being called.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopForgetEnd(RLRunLoopRef loop, RLRunLoopEndWatch watch);

/**
 * Returns whether the thread of a loop has ended or is about to end: the loop ignores further items
 * and blocks. CF: none.
 */
RL_EXPORT Boolean RLRunLoopHasEnded(RLRunLoopRef loop);

/**
 * Returns whether a loop is the calling thread's loop. Unlike a comparison with
 * RLRunLoopGetCurrent, does not create a loop for a thread without a loop. CF: none.
 */
RL_EXPORT Boolean RLRunLoopIsCurrent(RLRunLoopRef loop);

/**
 * Returns the hash of a mode's name. Any object but an RLString stops the process with a message
 * that names RLRunLoopMode of the Swift module. CF: none.
 */
RL_EXPORT RLHashCode RLRunLoopModeGetHash(RLRunLoopMode mode);

/**
 * Returns whether a mode is empty, so a run in the mode would end at once with
 * kRLRunLoopRunFinished. For the main loop, the result depends on the calling thread (clause
 * MODE-20). CF: none in the public API; Foundation checks the same before it runs a loop.
 */
RL_EXPORT Boolean RLRunLoopModeIsEmpty(RLRunLoopRef loop, RLRunLoopMode mode);

/**
 * Runs the calling thread's loop like RLRunLoopRunInMode, unless the mode is empty.
 *
 * - Returns: The reason why the run ended, an RLRunLoopRunResult; or 0 at once if the mode is empty
 *   (RLRunLoopModeIsEmpty) or if the loop belongs to another thread.
 * - CF: none in the public API; Foundation checks first and then runs.
 */
RL_EXPORT SInt32 RLRunLoopRunUnlessEmpty(RLRunLoopRef loop, RLRunLoopMode mode,
                                         RLTimeInterval seconds,
                                         Boolean returnAfterSourceHandled) RL_SWIFT_BLOCKING;

/**
 * Runs the calling thread's loop in the default mode until it is stopped, even if the mode is
 * empty.
 *
 * RLRunLoopStop ends this run only if it is the innermost run. RLRunLoopStopWithCode ends this run
 * even if other runs are nested in it, after the nested runs have ended.
 *
 * - Returns: The code of RLRunLoopStopWithCode; 0 after RLRunLoopStop.
 * - CF: none in the public API; NSApplication's run is similar.
 */
RL_EXPORT SInt32 RLRunLoopRunUntilStopped(void) RL_SWIFT_BLOCKING;

/**
 * Ends the outermost run of the calling thread's loop after its current pass, as if its time limit
 * were reached. Runs that are nested in this run end first; this call does not end them. Does
 * nothing if the loop does not run.
 *
 * - CF: none.
 */
RL_EXPORT void RLRunLoopEndOutermostRun(void);

/**
 * Stops the innermost run of a loop, like RLRunLoopStop, and the innermost run of
 * RLRunLoopRunUntilStopped. If there is no such run, the next call of RLRunLoopRunUntilStopped
 * returns without a pass. A run that is stopped several times returns the first code.
 * Async-signal-safe. CF: none in the public API.
 */
RL_EXPORT void RLRunLoopStopWithCode(RLRunLoopRef loop, SInt32 code);

/**
 * Queues a closure of another language, like a block of RLRunLoopPerformBlock. A closure is two
 * words, which the queue may move in memory.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - mode: See RLRunLoopPerformBlock.
 *   - call: Calls the closure. Called on the thread that runs the loop, with the address of the
 *     words.
 *   - release: Releases the references in the words. Called once, with the address of the words,
 *     when a block would be released.
 *   - words: The closure's function and its context, which the queue takes over.
 * - Returns: Whether the closure was queued; false if RLRunLoopPerformBlock would do nothing.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopPerformClosure(RLRunLoopRef loop, RLTypeRef mode,
                                          void (*call)(void *words),
                                          void (*release)(const void *words), const void *words);

/**
 * Wakes a loop for a block that the calling thread has just queued, unless the loop runs on this
 * thread or a wake-up is pending. Queuing the block has already published the caller's stores to
 * the loop's thread, so this function does not publish them. For other work, call RLRunLoopWakeUp.
 * CF: none.
 */
RL_EXPORT void RLRunLoopWakeUpForQueued(RLRunLoopRef loop);

/**
 * Releases an object on the thread of a loop, in the loop's next pass in a common mode or when the
 * thread ends. If the thread has ended, releases the object at once. Wakes the loop. Unlike a block
 * of RLRunLoopPerformBlock, the release does not make a run sleep in an empty mode. CF: none.
 */
RL_EXPORT void RLRunLoopReleaseLater(RLRunLoopRef loop, const void *info,
                                     void (*release)(const void *info));

/**
 * Returns the kernel's ID of the thread whose loop has a timer; 0 if the timer is in no loop.
 * Another thread may add or remove the timer at any time. CF: none.
 */
RL_EXPORT SInt32 RLRunLoopTimerGetThreadNumber(RLRunLoopTimerRef timer);

/**
 * Returns whether a timer is in the loop of another, live thread. Makes no system call if the timer
 * is in no loop or in the calling thread's loop. CF: none.
 */
RL_EXPORT Boolean RLRunLoopTimerIsForeign(RLRunLoopTimerRef timer);

/**
 * Calls the callback of a timer on the calling thread, as if the timer fired, without a change of
 * its schedule. Does nothing for an invalid timer. CF: none.
 */
RL_EXPORT void RLRunLoopTimerCallOut(RLRunLoopTimerRef timer);

/**
 * Returns the info of a timer, retained by the timer's context; the caller calls `release` with the
 * result. Returns null if the timer is invalid, or if its context has another `release`. Any thread
 * may invalidate the timer during the call. CF: none.
 */
RL_EXPORT void *RLRunLoopTimerRetainInfo(RLRunLoopTimerRef timer,
                                         void (*release)(const void *info));

/**
 * Sets the time of a timer's next firing on the clock of its loop (RLRunLoopGetClockNanoseconds)
 * or, if the timer is in no loop, on the clock of RLClockGetNanoseconds. A time in the past counts
 * as now. Setting the wall clock does not change this time. Otherwise the same as
 * RLRunLoopTimerSetNextFireDate. CF: none.
 */
RL_EXPORT void RLRunLoopTimerSetNextFireTime(RLRunLoopTimerRef timer, SInt64 nanoseconds);

/**
 * Returns the time of the monotonic clock of the calling thread's loop, in nanoseconds. Timers use
 * this clock, which is CLOCK_MONOTONIC unless the loop uses a test clock. CF: none;
 * mach_absolute_time on Apple's systems.
 */
RL_EXPORT SInt64 RLClockGetNanoseconds(void);

/**
 * Returns the time of the monotonic clock of a loop, in nanoseconds, as RLClockGetNanoseconds
 * returns it on the loop's thread. CF: none.
 */
RL_EXPORT SInt64 RLRunLoopGetClockNanoseconds(RLRunLoopRef loop);

/**
 * Makes an observer reentrant: the observer is also called in runs that its own callback begins,
 * unlike in CF (clause OBS-6). Call this function before the observer is in a loop. CF: none.
 */
RL_EXPORT void RLRunLoopObserverAllowNesting(RLRunLoopObserverRef observer);

/**
 * Returns the calling thread's loop if the loop is running: the caller is in a callback of the
 * loop, or in an actor that the loop executes. On other threads, such as threads of Swift's pool,
 * returns the main loop. Not retained. CF: none.
 */
RL_EXPORT RLRunLoopRef RLRunLoopGetRunningOrMain(void) RL_RETURNS_NOT_RETAINED;

/** Returns whether a loop uses a test clock (RLTesting.h). CF: none. */
RL_EXPORT Boolean RLRunLoopHasTestClock(RLRunLoopRef loop);

/**
 * Performs the queued work of the main dispatch queue, without running the loop. Call this function
 * on the main thread; on other threads, and in work of the queue itself, it does nothing. Without
 * libdispatch, the call stops the process.
 *
 * - Returns: Whether there was queued work.
 * - CF: none.
 */
RL_EXPORT Boolean RLRunLoopDrainMainQueue(void);

/**
 * Creates a port for a version-1 source: a non-blocking eventfd that is closed on exec.
 *
 * - Returns: A descriptor, which the caller closes after the source is invalidated; or a negative
 *   errno value.
 * - CF: none; mach_port_allocate on Apple's systems.
 */
RL_EXPORT int RLRunLoopPortCreate(void);

/**
 * Makes a port of RLRunLoopPortCreate ready. Async-signal-safe. CF: none; mach_msg with an empty
 * message.
 */
RL_EXPORT void RLRunLoopPortSignal(int port);

/**
 * Returns whether RLRunLoopDrainMainQueue performs queued work if it is called now on the calling
 * thread. CF: none.
 */
RL_EXPORT Boolean RLRunLoopCanDrainMainQueue(void);

/* A type of libdispatch: a dispatch_queue_t is a pointer to it. */
struct dispatch_queue_s;

/**
 * Watches a file like RLFileSourceAddWatch. If the source watches the file already, adds `events`
 * to those of the watch instead of replacing them, so several users can share the source. CF: none.
 */
RL_EXPORT SInt32 RLFileSourceAddEvents(RLRunLoopSourceRef source, const char *path,
                                       RLFileEvents events);

/**
 * Calls the callback of a source of RLFileSourceCreate on the calling thread for the events that
 * are queued at the time of the call. Does nothing for an invalid source. CF: none.
 */
RL_EXPORT void RLFileSourceDeliver(RLRunLoopSourceRef source);

RL_EXTERN_C_END

#endif
