/*
 * Observers: callbacks that a loop calls at its activities.
 *
 * All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLRUNLOOPOBSERVER_H
#define CRUNLOOP_RLRUNLOOPOBSERVER_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** The client data of an observer; each function may be null. CF: CFRunLoopObserverContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Retains the info. Called when the observer is created, and before each callback. The first
     * result becomes the info.
     */
    const void *(*retain)(const void *info);
    /**
     * Releases the info. Called on any thread when the observer is invalidated or destroyed, and on
     * the loop's thread after each callback.
     */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLRunLoopObserverContext;

/** The callback of an observer. CF: CFRunLoopObserverCallBack. */
typedef void (*RLRunLoopObserverCallBack)(RLRunLoopObserverRef observer, RLRunLoopActivity activity,
                                          void *info);

/** Returns the type ID of observers. CF: CFRunLoopObserverGetTypeID. */
RL_EXPORT RLTypeID RLRunLoopObserverGetTypeID(void);

/**
 * Creates an observer.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - activities: The activities to observe.
 *   - repeats: Whether the observer is called more than once. Otherwise, it is invalid after its
 *     first callback.
 *   - order: The order among the observers of a mode. Observers of lower order are called first;
 *     observers of equal order are called in the order in which they were added.
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
 * Creates an observer like RLRunLoopObserverCreate, but with a block, which is copied, and released
 * at invalidation. CF: CFRunLoopObserverCreateWithHandler.
 */
RL_EXPORT RLRunLoopObserverRef RLRunLoopObserverCreateWithHandler(
    RLAllocatorRef allocator, RLOptionFlags activities, Boolean repeats, RLIndex order,
    void(RL_SWIFT_SENDABLE ^ block)(RLRunLoopObserverRef observer,
                                    RLRunLoopActivity activity)) RL_RETURNS_RETAINED;
#endif

/**
 * Returns the activities that the observer was created with. CF: CFRunLoopObserverGetActivities.
 */
RL_EXPORT RLOptionFlags RLRunLoopObserverGetActivities(RLRunLoopObserverRef observer);

/** Returns whether the observer is called more than once. CF: CFRunLoopObserverDoesRepeat. */
RL_EXPORT Boolean RLRunLoopObserverDoesRepeat(RLRunLoopObserverRef observer);

/** Returns the order that the observer was created with. CF: CFRunLoopObserverGetOrder. */
RL_EXPORT RLIndex RLRunLoopObserverGetOrder(RLRunLoopObserverRef observer);

/**
 * Invalidates the observer permanently, removes it from all modes and releases its info. Does not
 * wait for a callback that is running on another thread. CF: CFRunLoopObserverInvalidate.
 */
RL_EXPORT void RLRunLoopObserverInvalidate(RLRunLoopObserverRef observer);

/**
 * Returns whether the observer is valid. Only a valid observer can be added to a loop.
 * CF: CFRunLoopObserverIsValid.
 */
RL_EXPORT Boolean RLRunLoopObserverIsValid(RLRunLoopObserverRef observer);

/**
 * Copies the observer's context. The info is null if the observer is invalid.
 * CF: CFRunLoopObserverGetContext.
 */
RL_EXPORT void RLRunLoopObserverGetContext(RLRunLoopObserverRef observer,
                                           RLRunLoopObserverContext *context);

RL_EXTERN_C_END

#endif
