/*
 * Observers: callbacks at the steps of a loop's pass.
 *
 * All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLRUNLOOPOBSERVER_H
#define CRUNLOOP_RLRUNLOOPOBSERVER_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** The client data of an observer; each function may be null. CF: CFRunLoopObserverContext. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Called when the observer is made, and before each call. The first result becomes the info.
     */
    const void *(*retain)(const void *info);
    /** Called when the observer is invalidated, and after each call. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLRunLoopObserverContext;

/** The callback of an observer. CF: CFRunLoopObserverCallBack. */
typedef void (*RLRunLoopObserverCallBack)(RLRunLoopObserverRef observer, RLRunLoopActivity activity,
                                          void *info);

/** The type number of observers. CF: CFRunLoopObserverGetTypeID. */
RL_EXPORT RLTypeID RLRunLoopObserverGetTypeID(void);

/**
 * Makes an observer.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - activities: The activities to observe.
 *   - repeats: Whether it is called more than once. If not, it is invalid after its first call.
 *   - order: Its order among the observers of a mode; lower ones are called first, equal ones in
 *     the order in which they were added.
 *   - callout: The callback; may be null.
 *   - context: The client's data, copied; may be null.
 * - Returns: An observer that the caller owns.
 * - CF: CFRunLoopObserverCreate.
 */
RL_EXPORT RLRunLoopObserverRef RLRunLoopObserverCreate(
    RLAllocatorRef allocator, RLOptionFlags activities, Boolean repeats, RLIndex order,
    RLRunLoopObserverCallBack callout, RLRunLoopObserverContext *context) RL_RETURNS_RETAINED;

#if defined(__BLOCKS__)
/**
 * As RLRunLoopObserverCreate, with a block, which is copied and released at invalidation.
 * CF: CFRunLoopObserverCreateWithHandler.
 */
RL_EXPORT RLRunLoopObserverRef RLRunLoopObserverCreateWithHandler(
    RLAllocatorRef allocator, RLOptionFlags activities, Boolean repeats, RLIndex order,
    void(RL_SWIFT_SENDABLE ^ block)(RLRunLoopObserverRef observer,
                                    RLRunLoopActivity activity)) RL_RETURNS_RETAINED;
#endif

/** The activities given when the observer was made. CF: CFRunLoopObserverGetActivities. */
RL_EXPORT RLOptionFlags RLRunLoopObserverGetActivities(RLRunLoopObserverRef observer);

/** Whether the observer is called more than once. CF: CFRunLoopObserverDoesRepeat. */
RL_EXPORT Boolean RLRunLoopObserverDoesRepeat(RLRunLoopObserverRef observer);

/** The order given when the observer was made. CF: CFRunLoopObserverGetOrder. */
RL_EXPORT RLIndex RLRunLoopObserverGetOrder(RLRunLoopObserverRef observer);

/**
 * Makes the observer invalid for good, removes it from all modes and releases its info. Does not
 * wait for a call that runs on another thread.
 *
 * - CF: CFRunLoopObserverInvalidate.
 */
RL_EXPORT void RLRunLoopObserverInvalidate(RLRunLoopObserverRef observer);

/** Whether the observer may be added to a loop. CF: CFRunLoopObserverIsValid. */
RL_EXPORT Boolean RLRunLoopObserverIsValid(RLRunLoopObserverRef observer);

/**
 * Copies the observer's context, with a null info if it is invalid.
 * CF: CFRunLoopObserverGetContext.
 */
RL_EXPORT void RLRunLoopObserverGetContext(RLRunLoopObserverRef observer,
                                           RLRunLoopObserverContext *context);

RL_EXTERN_C_END

#endif
