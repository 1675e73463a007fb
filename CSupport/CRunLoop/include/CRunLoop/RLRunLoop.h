/*
 * Run loops, their modes and their items.
 *
 * Every thread has one loop, which is created when the loop is first requested. All functions may
 * be called from any thread and on any loop, but a thread runs only its own loop. No lock is held
 * during callbacks, so a callback may call any function. Exception: a source's callbacks `equal`,
 * `hash`, `getPort`, `getDescriptor` and `getEvents` are called with the loop locked, and must not
 * call functions of the loop. An argument that is null or of another type stops the process with a
 * message that names the function, unless stated otherwise.
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

/** A source of events: signals of a client, a port, or a descriptor. CF: CFRunLoopSourceRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_source, rl_swift_release_source)
    RL_SWIFT_NAME(RLRunLoopSourceRef) RLOpaqueRunLoopSource {
    uintptr_t _reserved;
};

/** An observer: a callback that a loop calls at its activities. CF: CFRunLoopObserverRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_observer, rl_swift_release_observer)
    RL_SWIFT_NAME(RLRunLoopObserverRef) RLOpaqueRunLoopObserver {
    uintptr_t _reserved;
};

/** A timer: a callback that a loop calls at a date, once or repeatedly. CF: CFRunLoopTimerRef. */
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
 * Stands for all common modes in calls that add or remove items or queue blocks. A loop cannot run
 * in this mode. Any string with the same characters has the same meaning.
 * CF: kCFRunLoopCommonModes.
 */
RL_EXPORT const RLRunLoopMode kRLRunLoopCommonModes;

/** The reason why a run ended. CF: CFRunLoopRunResult. */
RL_CLOSED_ENUM(SInt32, RLRunLoopRunResult) {
    /** The mode has no source, timer or block. CF: kCFRunLoopRunFinished. */
    kRLRunLoopRunFinished = 1,
    /** RLRunLoopStop was called. CF: kCFRunLoopRunStopped. */
    kRLRunLoopRunStopped = 2,
    /** The time limit was reached. CF: kCFRunLoopRunTimedOut. */
    kRLRunLoopRunTimedOut = 3,
    /**
     * A source was served, and `returnAfterSourceHandled` was true.
     * CF: kCFRunLoopRunHandledSource.
     */
    kRLRunLoopRunHandledSource = 4
};

#if defined(__clang__)
/* kRLRunLoopAllActivities has bits for activities of later versions, which have no flag yet. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wflag-enum"
#endif

/** The activities of a loop, for observers. CF: CFRunLoopActivity. */
RL_OPTIONS(RLOptionFlags, RLRunLoopActivity) {
    /** A run begins. CF: kCFRunLoopEntry. */
    kRLRunLoopEntry = (1UL << 0),
    /** A pass begins. kRLRunLoopBeforeSources comes next. CF: kCFRunLoopBeforeTimers. */
    kRLRunLoopBeforeTimers = (1UL << 1),
    /**
     * The loop is about to call blocks, and then version-0 sources. CF: kCFRunLoopBeforeSources.
     */
    kRLRunLoopBeforeSources = (1UL << 2),
    /** The loop is about to sleep. CF: kCFRunLoopBeforeWaiting. */
    kRLRunLoopBeforeWaiting = (1UL << 5),
    /** The loop has woken up, and has not served the event yet. CF: kCFRunLoopAfterWaiting. */
    kRLRunLoopAfterWaiting = (1UL << 6),
    /** A run ends. CF: kCFRunLoopExit. */
    kRLRunLoopExit = (1UL << 7),
    /**
     * All activities. Bits 0 to 27 are set, so activities of later versions are included.
     * CF: kCFRunLoopAllActivities.
     */
    kRLRunLoopAllActivities = 0x0FFFFFFFUL
};

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/** Returns the type ID of loops. CF: CFRunLoopGetTypeID. */
RL_EXPORT RLTypeID RLRunLoopGetTypeID(void);

/**
 * Returns the calling thread's loop, which the first call creates.
 *
 * - Returns: The loop, not retained. It lives at least as long as its thread. When the thread ends,
 *   all items and blocks of the loop are released on the thread, and later additions are ignored.
 *   The result is null only in destructors of thread-specific data that run after the loop was torn
 *   down.
 * - CF: CFRunLoopGetCurrent.
 */
RL_EXPORT RLRunLoopRef RLRunLoopGetCurrent(void) RL_RETURNS_NOT_RETAINED;

/** Returns the main thread's loop, not retained. CF: CFRunLoopGetMain. */
RL_EXPORT RLRunLoopRef RLRunLoopGetMain(void) RL_RETURNS_NOT_RETAINED;

/**
 * Returns the name of the mode of the loop's innermost run, which the caller owns, or null if the
 * loop does not run. CF: CFRunLoopCopyCurrentMode.
 */
RL_EXPORT RLRunLoopMode RLRunLoopCopyCurrentMode(RLRunLoopRef loop)
    RL_RETURNS_RETAINED RL_REFINED_FOR_SWIFT;

/**
 * Returns the names of all modes of the loop, in no particular order; the caller owns the array.
 * CF: CFRunLoopCopyAllModes.
 */
RL_EXPORT RLArrayRef RLRunLoopCopyAllModes(RLRunLoopRef loop) RL_RETURNS_RETAINED;

/**
 * Adds a mode to the common modes permanently. The mode receives all present and future common
 * items. Does nothing for kRLRunLoopCommonModes and for a mode that is already common.
 * CF: CFRunLoopAddCommonMode.
 */
RL_EXPORT void RLRunLoopAddCommonMode(RLRunLoopRef loop, RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Returns the date at which the first timer of the mode is due, or 0 if the mode has no timer.
 * CF: CFRunLoopGetNextTimerFireDate.
 */
RL_EXPORT RLAbsoluteTime RLRunLoopGetNextTimerFireDate(RLRunLoopRef loop,
                                                       RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Runs the calling thread's loop in the default mode until the loop is stopped or the mode has no
 * source, timer or block. The main loop's default mode is never empty, because it serves the main
 * dispatch queue (see RLRunLoopRunInMode). CF: CFRunLoopRun.
 */
RL_EXPORT void RLRunLoopRun(void) RL_SWIFT_BLOCKING;

/**
 * Runs the calling thread's loop in a mode. Runs may be nested, in callbacks of any kind.
 *
 * Leaving a callback by longjmp or an exception of another language is undefined behavior. A
 * callback may end its thread by pthread_exit, and the thread may be canceled in a callback: the
 * loop is then torn down as usual.
 *
 * - Parameters:
 *   - mode: The mode. With null, kRLRunLoopCommonModes, or a mode without sources, timers and
 *     blocks, the call returns kRLRunLoopRunFinished at once. Exception: an existing common mode of
 *     the main loop is never empty, because it serves the main dispatch queue, unless the engine
 *     was built without libdispatch.
 *   - seconds: The time limit in seconds. 0 or less makes one pass without sleeping. More than
 *     504911232 (16 years), infinity or NaN means no limit.
 *   - returnAfterSourceHandled: Whether to return after serving a source.
 * - Returns: The reason why the run ended.
 * - CF: CFRunLoopRunInMode.
 */
RL_EXPORT RLRunLoopRunResult RLRunLoopRunInMode(RLRunLoopMode mode, RLTimeInterval seconds,
                                                Boolean returnAfterSourceHandled)
    RL_SWIFT_BLOCKING RL_SWIFT_SECOND_CHOICE;

/** Returns whether the loop is asleep or busy-polling. CF: CFRunLoopIsWaiting. */
RL_EXPORT Boolean RLRunLoopIsWaiting(RLRunLoopRef loop);

/**
 * Wakes a sleeping loop. If the loop is running and has not slept yet in the current pass, its next
 * sleep ends at once. Several calls before a sleep are coalesced: only the first call makes a
 * system call. Async-signal-safe. CF: CFRunLoopWakeUp.
 */
RL_EXPORT void RLRunLoopWakeUp(RLRunLoopRef loop);

/**
 * Wakes the loop, and makes its innermost run return kRLRunLoopRunStopped at the end of the pass.
 * Does nothing if the loop does not run. Async-signal-safe. CF: CFRunLoopStop.
 */
RL_EXPORT void RLRunLoopStop(RLRunLoopRef loop);

#if defined(__BLOCKS__)
/**
 * Queues a block for the loop's next pass in the mode. Does not wake the loop: call RLRunLoopWakeUp
 * afterwards.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - mode: An RLStringRef, kRLRunLoopCommonModes for all common modes, or an RLArrayRef or
 *     RLSetRef of names. With null, or an object of another type, the call does nothing.
 *   - block: The block; copied. With null, the call does nothing.
 * - CF: CFRunLoopPerformBlock.
 */
RL_EXPORT void RLRunLoopPerformBlock(RLRunLoopRef loop, RLTypeRef mode,
                                     void(RL_SWIFT_SENDABLE ^ block)(void)) RL_REFINED_FOR_SWIFT;
#endif

/**
 * Queues a function like RLRunLoopPerformBlock, without compiler support for blocks and without an
 * allocation for captured variables. Ours, no CF counterpart.
 *
 * - Parameters:
 *   - loop: The loop.
 *   - mode: See RLRunLoopPerformBlock.
 *   - function: The function. With null, the call does nothing.
 *   - info: The argument of the function; not retained. It must stay valid until the function is
 *     called. If the loop ends first or never runs in the mode, the function is not called.
 */
RL_EXPORT void RLRunLoopPerformFunction(RLRunLoopRef loop, RLTypeRef mode,
                                        void (*function)(void *info),
                                        void *info) RL_REFINED_FOR_SWIFT;

/**
 * Returns whether the source, or an equal source, is in the mode or, for kRLRunLoopCommonModes,
 * among the common items. CF: CFRunLoopContainsSource.
 */
RL_EXPORT Boolean RLRunLoopContainsSource(RLRunLoopRef loop, RLRunLoopSourceRef source,
                                          RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Adds a source to a mode, or to all common modes, and retains it. Does nothing if the source is
 * invalid, if the mode has an equal source, or if the loop's thread has ended. Calls `schedule` of
 * a version-0 source. CF: CFRunLoopAddSource.
 */
RL_EXPORT void RLRunLoopAddSource(RLRunLoopRef loop, RLRunLoopSourceRef source,
                                  RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Removes a source from a mode or from all common modes, and calls `cancel` of a version-0 source.
 * CF: CFRunLoopRemoveSource.
 */
RL_EXPORT void RLRunLoopRemoveSource(RLRunLoopRef loop, RLRunLoopSourceRef source,
                                     RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Returns whether the observer is in the mode or, for kRLRunLoopCommonModes, among the common
 * items. CF: CFRunLoopContainsObserver.
 */
RL_EXPORT Boolean RLRunLoopContainsObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer,
                                            RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Adds an observer to a mode, or to all common modes, and retains it. Does nothing if the observer
 * is invalid, already in the mode, or in another loop. CF: CFRunLoopAddObserver.
 */
RL_EXPORT void RLRunLoopAddObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer,
                                    RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/** Removes an observer from a mode or from all common modes. CF: CFRunLoopRemoveObserver. */
RL_EXPORT void RLRunLoopRemoveObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer,
                                       RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Returns whether the timer is in the mode or, for kRLRunLoopCommonModes, among the common items.
 * CF: CFRunLoopContainsTimer.
 */
RL_EXPORT Boolean RLRunLoopContainsTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer,
                                         RLRunLoopMode mode) RL_SWIFT_SECOND_CHOICE;

/**
 * Adds a timer to a mode, or to all common modes, and retains it. Does nothing if the timer is
 * invalid, already in the mode, or in another loop. If the loop is asleep in the mode, the timer
 * fires on time without a call of RLRunLoopWakeUp.
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
 * An event that arrives during this time is served without the cost of waking a thread, which is
 * tens of microseconds. In exchange, the loop keeps a processor busy for the interval, or
 * permanently if events are frequent. Busy polling helps only if the sender of the events runs on
 * another processor. Polling ends for the same reasons as a sleep, such as a run's limit and
 * RLRunLoopStop. Observers are called as for a sleep, and RLRunLoopIsWaiting returns true.
 *
 * - Parameters:
 *  - loop: The loop, of any thread. A current sleep is not affected.
 *  - seconds: The interval in seconds. With 0 (the default), a negative number or NaN, the loop
 *    sleeps without polling.
 */
RL_EXPORT void RLRunLoopSetBusyPollInterval(RLRunLoopRef loop, RLTimeInterval seconds);

/**
 * Returns the interval that RLRunLoopSetBusyPollInterval has set, in seconds; 0 by default.
 * Ours, no CF counterpart.
 */
RL_EXPORT RLTimeInterval RLRunLoopGetBusyPollInterval(RLRunLoopRef loop);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_run_loop(RLRunLoopRef loop);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_run_loop(RLRunLoopRef loop);
/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_source(RLRunLoopSourceRef source);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_source(RLRunLoopSourceRef source);
/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_observer(RLRunLoopObserverRef observer);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_observer(RLRunLoopObserverRef observer);
/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_timer(RLRunLoopTimerRef timer);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_timer(RLRunLoopTimerRef timer);

RL_EXTERN_C_END

#endif
