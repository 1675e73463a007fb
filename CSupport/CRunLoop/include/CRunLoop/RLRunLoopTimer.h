/*
 * Timers. A timer is due at a time of the monotonic clock, which is computed when its date is set.
 * Setting the wall clock moves no timer. All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLRUNLOOPTIMER_H
#define CRUNLOOP_RLRUNLOOPTIMER_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** The client data of a timer; each function may be null. CF: CFRunLoopTimerContext. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the timer is made, and before each call. The first result becomes the info. */
    const void *(*retain)(const void *info);
    /** Called when the timer is invalidated, and after each call. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLRunLoopTimerContext;

/** The callback of a timer. CF: CFRunLoopTimerCallBack. */
typedef void (*RLRunLoopTimerCallBack)(RLRunLoopTimerRef timer, void *info);

/** The type number of timers. CF: CFRunLoopTimerGetTypeID. */
RL_EXPORT RLTypeID RLRunLoopTimerGetTypeID(void);

/**
 * Makes a timer that is in no loop.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - fireDate: The date of its first firing. A date in the past is due at once. Dates beyond
 *     4039289856 (128 years after 2001), infinity and NaN count as that limit.
 *   - interval: The seconds between firings. With 0 or less it fires once and is then invalid. NaN
 *     stops the process.
 *   - flags: Ignored.
 *   - order: Stored, without effect.
 *   - callout: The callback; may be null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A timer that the caller owns.
 * - CF: CFRunLoopTimerCreate.
 */
RL_EXPORT RLRunLoopTimerRef
RLRunLoopTimerCreate(RLAllocatorRef allocator, RLAbsoluteTime fireDate, RLTimeInterval interval,
                     RLOptionFlags flags, RLIndex order, RLRunLoopTimerCallBack callout,
                     RLRunLoopTimerContext *context) RL_RETURNS_RETAINED;

#if defined(__BLOCKS__)
/**
 * As RLRunLoopTimerCreate, with a block, which is copied and released at invalidation.
 * CF: CFRunLoopTimerCreateWithHandler.
 */
RL_EXPORT RLRunLoopTimerRef RLRunLoopTimerCreateWithHandler(
    RLAllocatorRef allocator, RLAbsoluteTime fireDate, RLTimeInterval interval, RLOptionFlags flags,
    RLIndex order, void(RL_SWIFT_SENDABLE ^ block)(RLRunLoopTimerRef timer)) RL_RETURNS_RETAINED;
#endif

/**
 * The date of the next firing, or 0 if the timer is invalid. CF: CFRunLoopTimerGetNextFireDate.
 */
RL_EXPORT RLAbsoluteTime RLRunLoopTimerGetNextFireDate(RLRunLoopTimerRef timer);

/**
 * Sets the date of the next firing. Later firings follow at the timer's interval from then on. On
 * another thread than the loop's it also wakes the loop.
 *
 * - Complexity: O(log n) in the number of timers of each mode that it is in.
 * - CF: CFRunLoopTimerSetNextFireDate.
 */
RL_EXPORT void RLRunLoopTimerSetNextFireDate(RLRunLoopTimerRef timer, RLAbsoluteTime fireDate);

/** The seconds between firings, 0 for a timer that fires once. CF: CFRunLoopTimerGetInterval. */
RL_EXPORT RLTimeInterval RLRunLoopTimerGetInterval(RLRunLoopTimerRef timer);

/** Whether the interval is above 0. CF: CFRunLoopTimerDoesRepeat. */
RL_EXPORT Boolean RLRunLoopTimerDoesRepeat(RLRunLoopTimerRef timer);

/** The order given when the timer was made. CF: CFRunLoopTimerGetOrder. */
RL_EXPORT RLIndex RLRunLoopTimerGetOrder(RLRunLoopTimerRef timer);

/**
 * Makes the timer invalid for good, removes it from all modes and releases its info. Does not wait
 * for a call that runs on another thread.
 *
 * - CF: CFRunLoopTimerInvalidate.
 */
RL_EXPORT void RLRunLoopTimerInvalidate(RLRunLoopTimerRef timer);

/** Whether the timer may be added to a loop. CF: CFRunLoopTimerIsValid. */
RL_EXPORT Boolean RLRunLoopTimerIsValid(RLRunLoopTimerRef timer);

/** Copies the timer's context, with a null info if it is invalid. CF: CFRunLoopTimerGetContext. */
RL_EXPORT void RLRunLoopTimerGetContext(RLRunLoopTimerRef timer, RLRunLoopTimerContext *context);

/** The tolerance: the greatest delay of a firing, in seconds. CF: CFRunLoopTimerGetTolerance. */
RL_EXPORT RLTimeInterval RLRunLoopTimerGetTolerance(RLRunLoopTimerRef timer);

/**
 * Allows a firing to be late, never early, by some seconds, so that a sleeping loop wakes once for
 * several timers. Negative numbers count as 0. A repeating timer's tolerance is at most half its
 * interval.
 *
 * - CF: CFRunLoopTimerSetTolerance (without effect in CF's Linux build).
 */
RL_EXPORT void RLRunLoopTimerSetTolerance(RLRunLoopTimerRef timer, RLTimeInterval tolerance);

RL_EXTERN_C_END

#endif
