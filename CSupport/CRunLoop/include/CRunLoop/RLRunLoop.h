/*
 * Run loops: finding, running, waking and stopping them, their modes and their items.
 *
 * Every thread has one loop, made at the first call for it. Any function here may be called from
 * any thread on any loop, except that a thread runs only its own loop. No lock is held while client
 * code is called, so a callback may call anything here. Exception: a source's `equal`, `hash`,
 * `getPort`, `getDescriptor` and `getEvents` are called with the loop locked, and must not call it.
 * A null argument, or one of another type, stops the process with a message that names the
 * function, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLRUNLOOP_H
#define CRUNLOOP_RLRUNLOOP_H

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLDate.h>
#include <CRunLoop/RLString.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A thread's run loop. CF: CFRunLoopRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_run_loop, rl_swift_release_run_loop)
    RL_SWIFT_NAME(RLRunLoopRef) RLOpaqueRunLoop {
    uintptr_t _reserved;
};

/** A source of events: a signal to a loop, a port, or a descriptor. CF: CFRunLoopSourceRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_source, rl_swift_release_source)
    RL_SWIFT_NAME(RLRunLoopSourceRef) RLOpaqueRunLoopSource {
    uintptr_t _reserved;
};

/** A callback at the activities of a loop. CF: CFRunLoopObserverRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_observer, rl_swift_release_observer)
    RL_SWIFT_NAME(RLRunLoopObserverRef) RLOpaqueRunLoopObserver {
    uintptr_t _reserved;
};

/** A callback at a date, once or repeatedly. CF: CFRunLoopTimerRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_timer, rl_swift_release_timer)
    RL_SWIFT_NAME(RLRunLoopTimerRef) RLOpaqueRunLoopTimer {
    uintptr_t _reserved;
};

#define RLRunLoopRef struct RLOpaqueRunLoop *
#define RLRunLoopSourceRef struct RLOpaqueRunLoopSource *
#define RLRunLoopObserverRef struct RLOpaqueRunLoopObserver *
#define RLRunLoopTimerRef struct RLOpaqueRunLoopTimer *
#else
/** A reference to a run loop. CF: CFRunLoopRef. */
typedef struct __CFRunLoop *RLRunLoopRef;
/** A reference to a source. CF: CFRunLoopSourceRef. */
typedef struct __CFRunLoopSource *RLRunLoopSourceRef;
/** A reference to an observer. CF: CFRunLoopObserverRef. */
typedef struct __CFRunLoopObserver *RLRunLoopObserverRef;
/** A reference to a timer. CF: CFRunLoopTimerRef. */
typedef struct __CFRunLoopTimer *RLRunLoopTimerRef;
#endif

/** The name of a mode; any string. CF: CFRunLoopMode. */
typedef RLStringRef RLRunLoopMode RL_REFINED_FOR_SWIFT;

/** The mode in which a loop usually runs. CF: kCFRunLoopDefaultMode. */
RL_EXPORT const RLRunLoopMode kRLRunLoopDefaultMode;

/**
 * The name that stands for all common modes when items are added or removed and blocks are
 * performed. A loop cannot run in it. Compared by its characters. CF: kCFRunLoopCommonModes.
 */
RL_EXPORT const RLRunLoopMode kRLRunLoopCommonModes;

/** The reason for which a run ended. CF: CFRunLoopRunResult. */
RL_CLOSED_ENUM(SInt32, RLRunLoopRunResult) {
    /** The mode has no source, timer or block. CF: kCFRunLoopRunFinished. */
    kRLRunLoopRunFinished = 1,
    /** RLRunLoopStop was called. CF: kCFRunLoopRunStopped. */
    kRLRunLoopRunStopped = 2,
    /** The time was up. CF: kCFRunLoopRunTimedOut. */
    kRLRunLoopRunTimedOut = 3,
    /**
     * A source was served in a run that returns after a source. CF: kCFRunLoopRunHandledSource.
     */
    kRLRunLoopRunHandledSource = 4
};

#if defined(__clang__)
/* All activities include later ones, which have no flag yet. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wflag-enum"
#endif

/** The activities of a loop; observers name the ones they want. CF: CFRunLoopActivity. */
RL_OPTIONS(RLOptionFlags, RLRunLoopActivity) {
    /** A run begins. CF: kCFRunLoopEntry. */
    kRLRunLoopEntry = (1UL << 0),
    /** A pass begins; BeforeSources comes next, then blocks. CF: kCFRunLoopBeforeTimers. */
    kRLRunLoopBeforeTimers = (1UL << 1),
    /** Blocks come next, then version-0 sources. CF: kCFRunLoopBeforeSources. */
    kRLRunLoopBeforeSources = (1UL << 2),
    /** The loop is about to sleep. CF: kCFRunLoopBeforeWaiting. */
    kRLRunLoopBeforeWaiting = (1UL << 5),
    /** The loop has woken up and has not yet served the event. CF: kCFRunLoopAfterWaiting. */
    kRLRunLoopAfterWaiting = (1UL << 6),
    /** A run ends. CF: kCFRunLoopExit. */
    kRLRunLoopExit = (1UL << 7),
    /** All activities, including any that are added later. CF: kCFRunLoopAllActivities. */
    kRLRunLoopAllActivities = 0x0FFFFFFFUL
};

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/** The type number of loops. CF: CFRunLoopGetTypeID. */
RL_EXPORT RLTypeID RLRunLoopGetTypeID(void);

/**
 * The calling thread's loop, made at the first call.
 *
 * - Returns: The loop, not retained. Its lifetime is that of its thread, or longer if it is
 *   retained. When the thread ends, all items and blocks of the loop are released on that thread,
 *   and later additions are ignored. Null only in destructors of thread-specific data that run
 *   after the loop was torn down.
 * - CF: CFRunLoopGetCurrent.
 */
RL_EXPORT RLRunLoopRef RLRunLoopGetCurrent(void) RL_RETURNS_NOT_RETAINED;

/** The main thread's loop, from any thread; not retained. CF: CFRunLoopGetMain. */
RL_EXPORT RLRunLoopRef RLRunLoopGetMain(void) RL_RETURNS_NOT_RETAINED;

/**
 * The name of the loop's current mode, that of its innermost run.
 *
 * - Returns: A name that the caller owns, or null if the loop does not run.
 * - CF: CFRunLoopCopyCurrentMode.
 */
RL_EXPORT RLRunLoopMode RLRunLoopCopyCurrentMode(RLRunLoopRef loop)
    RL_RETURNS_RETAINED RL_REFINED_FOR_SWIFT;

/**
 * The names of all modes of the loop, in no particular order; the caller owns the array. CF:
 * CFRunLoopCopyAllModes.
 */
RL_EXPORT RLArrayRef RLRunLoopCopyAllModes(RLRunLoopRef loop) RL_RETURNS_RETAINED;

/**
 * Makes a mode a common mode for good: it receives all common items, present and future. Does
 * nothing for kRLRunLoopCommonModes itself and for a mode that is common already.
 *
 * - CF: CFRunLoopAddCommonMode.
 */
RL_EXPORT void RLRunLoopAddCommonMode(RLRunLoopRef loop, RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * The date at which the first timer of the mode is due, or 0 if it has none.
 *
 * - CF: CFRunLoopGetNextTimerFireDate.
 */
RL_EXPORT RLAbsoluteTime RLRunLoopGetNextTimerFireDate(RLRunLoopRef loop,
                                                       RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Runs the calling thread's loop in the default mode until it is stopped or the mode is empty:
 * without sources, timers and blocks. The main loop's mode is never empty, as it serves the main
 * dispatch queue (RLRunLoopRunInMode). On the main thread the mode is never empty, as it serves the
 * main queue.
 *
 * - CF: CFRunLoopRun.
 */
RL_EXPORT void RLRunLoopRun(void) RL_SWIFT_BLOCKING;

/**
 * Runs the calling thread's loop in a mode. Runs may be nested, in callbacks of any kind.
 *
 * Leaving the loop by longjmp or a foreign exception is undefined. pthread_exit in a callback ends
 * the thread and its loop in good order, and so does the cancellation of a thread in a callback.
 *
 * - Parameters:
 *   - mode: The mode. With null, kRLRunLoopCommonModes, or a mode with no source, timer or block,
 *     the result is kRLRunLoopRunFinished at once. Exception: a common mode of the main loop, once
 *     it exists, serves the main dispatch queue and is never empty, unless the engine was built
 *     without libdispatch.
 *   - seconds: The time limit. 0 or less makes one pass without sleeping. More than 504911232 (16
 *     years), infinity or NaN means no limit.
 *   - returnAfterSourceHandled: Whether to return after serving a source.
 * - Returns: The reason for which the run ended.
 * - CF: CFRunLoopRunInMode.
 */
RL_EXPORT RLRunLoopRunResult RLRunLoopRunInMode(RLRunLoopMode mode, RLTimeInterval seconds,
                                                Boolean returnAfterSourceHandled)
    RL_SWIFT_BLOCKING RL_SWIFT_SECOND_CHOICE;

/** Whether the loop is asleep or polling for events. CF: CFRunLoopIsWaiting. */
RL_EXPORT Boolean RLRunLoopIsWaiting(RLRunLoopRef loop);

/**
 * Ends the loop's current sleep at once. If the loop runs and has not yet slept in this pass, ends
 * its next sleep. Calls before a sleep are merged into one: only the first of them makes a system
 * call. Async-signal-safe.
 *
 * - CF: CFRunLoopWakeUp.
 */
RL_EXPORT void RLRunLoopWakeUp(RLRunLoopRef loop);

/**
 * Wakes the loop, and makes its innermost run return kRLRunLoopRunStopped at the end of the pass.
 * Does nothing if the loop does not run. Async-signal-safe.
 *
 * - CF: CFRunLoopStop.
 */
RL_EXPORT void RLRunLoopStop(RLRunLoopRef loop);

#if defined(__BLOCKS__)
/**
 * Queues a block for the loop's next pass in the mode. Does not wake the loop: call RLRunLoopWakeUp
 * for that.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - mode: An RLStringRef, kRLRunLoopCommonModes for all common modes, or an RLArrayRef or
 *     RLSetRef of names. With null, or another object, the call does nothing.
 *   - block: The block; copied. With null the call does nothing.
 * - CF: CFRunLoopPerformBlock.
 */
RL_EXPORT void RLRunLoopPerformBlock(RLRunLoopRef loop, RLTypeRef mode,
                                     void(RL_SWIFT_SENDABLE ^ block)(void)) RL_REFINED_FOR_SWIFT;
#endif

/**
 * Queues a function, as RLRunLoopPerformBlock queues a block. It needs no compiler with blocks, and
 * no allocation for captures. Ours, no CF counterpart.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - mode: As for RLRunLoopPerformBlock.
 *   - function: The function. With null the call does nothing.
 *   - info: The argument of the function; not retained. Must stay valid until the call. If the loop
 *     ends first or never runs in the mode, there is no call.
 */
RL_EXPORT void RLRunLoopPerformFunction(RLRunLoopRef loop, RLTypeRef mode,
                                        void (*function)(void *info),
                                        void *info) RL_REFINED_FOR_SWIFT;

/**
 * Whether the source, or one equal to it, is in the mode or, for kRLRunLoopCommonModes, among the
 * common items. CF: CFRunLoopContainsSource.
 */
RL_EXPORT Boolean RLRunLoopContainsSource(RLRunLoopRef loop, RLRunLoopSourceRef source,
                                          RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Adds a source to a mode, or to all common modes, and retains it. Does nothing if the source is
 * invalid, if the mode has an equal one, or if the loop's thread has ended. Calls a version-0
 * source's `schedule`.
 *
 * - CF: CFRunLoopAddSource.
 */
RL_EXPORT void RLRunLoopAddSource(RLRunLoopRef loop, RLRunLoopSourceRef source,
                                  RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Removes a source from a mode or from all common modes, and calls a version-0 source's `cancel`.
 * CF: CFRunLoopRemoveSource.
 */
RL_EXPORT void RLRunLoopRemoveSource(RLRunLoopRef loop, RLRunLoopSourceRef source,
                                     RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Whether the observer is in the mode or, for kRLRunLoopCommonModes, among the common items. CF:
 * CFRunLoopContainsObserver.
 */
RL_EXPORT Boolean RLRunLoopContainsObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer,
                                            RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Adds an observer to a mode, or to all common modes, and retains it. Does nothing if the observer
 * is invalid, there already, or in another loop.
 *
 * - CF: CFRunLoopAddObserver.
 */
RL_EXPORT void RLRunLoopAddObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer,
                                    RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/** Removes an observer from a mode or from all common modes. CF: CFRunLoopRemoveObserver. */
RL_EXPORT void RLRunLoopRemoveObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer,
                                       RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Whether the timer is in the mode or, for kRLRunLoopCommonModes, among the common items. CF:
 * CFRunLoopContainsTimer.
 */
RL_EXPORT Boolean RLRunLoopContainsTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer,
                                         RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Adds a timer to a mode, or to all common modes, and retains it. Does nothing if the timer is
 * invalid, there already, or in another loop. A loop that sleeps in the mode serves the timer
 * without an earlier wake-up.
 *
 * - Complexity: O(log n) in the number of timers of the mode.
 * - CF: CFRunLoopAddTimer.
 */
RL_EXPORT void RLRunLoopAddTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer,
                                 RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/** Removes a timer from a mode or from all common modes. CF: CFRunLoopRemoveTimer. */
RL_EXPORT void RLRunLoopRemoveTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer,
                                    RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Sets the time for which a loop polls for events before it sleeps. Ours, no CF counterpart.
 *
 * An event in that time is served without the cost of waking a thread, tens of microseconds. In
 * exchange, a processor is busy for the interval, and all the time if events are frequent. It helps
 * only if the sender of the events has another processor. Polling ends for the same reasons as a
 * sleep, such as a run's limit and RLRunLoopStop. Observers are called as for a sleep, and
 * RLRunLoopIsWaiting returns true.
 *
 * - Parameters:
 *   - loop: The loop, of any thread. A current sleep is not affected.
 *   - seconds: The interval. 0, the default, less, or NaN means to sleep at once.
 */
RL_EXPORT void RLRunLoopSetBusyPollInterval(RLRunLoopRef loop, RLTimeInterval seconds);

/**
 * The interval that RLRunLoopSetBusyPollInterval has set, in seconds; 0 if none.
 * Ours, no CF counterpart.
 */
RL_EXPORT RLTimeInterval RLRunLoopGetBusyPollInterval(RLRunLoopRef loop);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_run_loop(RLRunLoopRef loop);
/** @see rl_swift_retain_run_loop */
RL_EXPORT void rl_swift_release_run_loop(RLRunLoopRef loop);
/** @see rl_swift_retain_run_loop */
RL_EXPORT void rl_swift_retain_source(RLRunLoopSourceRef source);
/** @see rl_swift_retain_run_loop */
RL_EXPORT void rl_swift_release_source(RLRunLoopSourceRef source);
/** @see rl_swift_retain_run_loop */
RL_EXPORT void rl_swift_retain_observer(RLRunLoopObserverRef observer);
/** @see rl_swift_retain_run_loop */
RL_EXPORT void rl_swift_release_observer(RLRunLoopObserverRef observer);
/** @see rl_swift_retain_run_loop */
RL_EXPORT void rl_swift_retain_timer(RLRunLoopTimerRef timer);
/** @see rl_swift_retain_run_loop */
RL_EXPORT void rl_swift_release_timer(RLRunLoopTimerRef timer);

RL_EXTERN_C_END

#endif
