/*
 * Timers. When a timer's date is set, the date is converted to a time of the monotonic clock.
 * Setting the wall clock later does not move the timer. All functions may be called from any
 * thread.
 */

#ifndef CRUNLOOP_RLRUNLOOPTIMER_H
#define CRUNLOOP_RLRUNLOOPTIMER_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** The client data of a timer; each function may be null. CF: CFRunLoopTimerContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Retains the info. Called when the timer is created, and before each callback. The first
     * result becomes the info.
     */
    const void *(*retain)(const void *info);
    /**
     * Releases the info. Called on any thread when the timer is invalidated or destroyed, and on
     * the loop's thread after each callback.
     */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLRunLoopTimerContext;

/** The callback of a timer. CF: CFRunLoopTimerCallBack. */
typedef void (*RLRunLoopTimerCallBack)(RLRunLoopTimerRef timer, void *info);

/** Returns the type ID of timers. CF: CFRunLoopTimerGetTypeID. */
RL_EXPORT RLTypeID RLRunLoopTimerGetTypeID(void);

/**
 * Creates a timer that is in no loop.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - fireDate: The date of the first firing. A date in the past is due at once. Dates after
 *     4039289856 (128 years after 2001), infinity and NaN are replaced by this limit.
 *   - interval: The seconds between firings. With 0 or less, the timer fires once and is then
 *     invalid. NaN stops the process.
 *   - flags: Ignored.
 *   - order: Stored, but has no effect.
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
 * Creates a timer like RLRunLoopTimerCreate, but with a block, which is copied, and released at
 * invalidation. CF: CFRunLoopTimerCreateWithHandler.
 */
RL_EXPORT RLRunLoopTimerRef RLRunLoopTimerCreateWithHandler(
    RLAllocatorRef allocator, RLAbsoluteTime fireDate, RLTimeInterval interval, RLOptionFlags flags,
    RLIndex order, void(RL_SWIFT_SENDABLE ^ block)(RLRunLoopTimerRef timer)) RL_RETURNS_RETAINED;
#endif

/**
 * Returns the date of the next firing, or 0 if the timer is invalid.
 * CF: CFRunLoopTimerGetNextFireDate.
 */
RL_EXPORT RLAbsoluteTime RLRunLoopTimerGetNextFireDate(RLRunLoopTimerRef timer);

/**
 * Sets the date of the next firing. Later firings follow at the timer's interval from this date.
 * Wakes the loop if another thread calls the function.
 *
 * - Complexity: O(log n) in the number of timers of each mode that the timer is in.
 * - CF: CFRunLoopTimerSetNextFireDate.
 */
RL_EXPORT void RLRunLoopTimerSetNextFireDate(RLRunLoopTimerRef timer, RLAbsoluteTime fireDate);

/**
 * Returns the seconds between firings; 0 for a timer that fires once.
 * CF: CFRunLoopTimerGetInterval.
 */
RL_EXPORT RLTimeInterval RLRunLoopTimerGetInterval(RLRunLoopTimerRef timer);

/**
 * Returns whether the timer repeats: its interval is greater than 0. CF: CFRunLoopTimerDoesRepeat.
 */
RL_EXPORT Boolean RLRunLoopTimerDoesRepeat(RLRunLoopTimerRef timer);

/** Returns the order that the timer was created with. CF: CFRunLoopTimerGetOrder. */
RL_EXPORT RLIndex RLRunLoopTimerGetOrder(RLRunLoopTimerRef timer);

/**
 * Invalidates the timer permanently, removes it from all modes and releases its info. Does not wait
 * for a callback that is running on another thread. CF: CFRunLoopTimerInvalidate.
 */
RL_EXPORT void RLRunLoopTimerInvalidate(RLRunLoopTimerRef timer);

/**
 * Returns whether the timer is valid. Only a valid timer can be added to a loop.
 * CF: CFRunLoopTimerIsValid.
 */
RL_EXPORT Boolean RLRunLoopTimerIsValid(RLRunLoopTimerRef timer);

/**
 * Copies the timer's context. The info is null if the timer is invalid.
 * CF: CFRunLoopTimerGetContext.
 */
RL_EXPORT void RLRunLoopTimerGetContext(RLRunLoopTimerRef timer, RLRunLoopTimerContext *context);

/**
 * Returns the tolerance: the greatest delay of a firing, in seconds.
 * CF: CFRunLoopTimerGetTolerance.
 */
RL_EXPORT RLTimeInterval RLRunLoopTimerGetTolerance(RLRunLoopTimerRef timer);

/**
 * Sets the tolerance: the greatest delay of a firing, in seconds. With a tolerance, a sleeping loop
 * can wake once for several timers. A timer never fires early. Negative numbers count as 0. A
 * repeating timer's tolerance is at most half its interval. CF: CFRunLoopTimerSetTolerance (without
 * effect in CF's Linux build).
 */
RL_EXPORT void RLRunLoopTimerSetTolerance(RLRunLoopTimerRef timer, RLTimeInterval tolerance);

RL_EXTERN_C_END

#endif
