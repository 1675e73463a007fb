/*
 * Sources of events. A version-0 source is signaled by its client. A version-1 source waits for a
 * port: on Linux a descriptor, usually an eventfd or a timerfd. A version-2 source waits for any
 * descriptor that can be polled.
 *
 * All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLRUNLOOPSOURCE_H
#define CRUNLOOP_RLRUNLOOPSOURCE_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

/** A port: on Linux, a descriptor. CF: __CFPort (a Mach port on Apple's systems). */
typedef int RLRunLoopPort;

/**
 * The context of a version-0 source: its client signals the source and wakes the loop.
 *
 * Each member except `version` may be null. CF: CFRunLoopSourceContext.
 */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Retains the info. Called once, when the source is created. The result becomes the source's
     * info.
     */
    const void *(*retain)(const void *info);
    /**
     * Releases the info. Called once, when the source is destroyed, on the thread that releases the
     * last reference.
     */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
    /**
     * Returns whether two infos are equal; if null, the pointers are compared. Must not call
     * functions of the loop.
     */
    Boolean (*equal)(const void *first, const void *second);
    /**
     * Returns the hash of the info; equal infos must have equal hashes. If null, the pointer is
     * hashed. Must not call functions of the loop.
     */
    RLHashCode (*hash)(const void *info);
    /**
     * Called on the thread that adds the source or a common mode, with no lock held, for each mode
     * that the source enters.
     */
    void (*schedule)(void *info, RLRunLoopRef loop, RLRunLoopMode mode);
    /**
     * Called on the thread that removes the source, with no lock held, for each mode that the
     * source leaves.
     */
    void (*cancel)(void *info, RLRunLoopRef loop, RLRunLoopMode mode);
    /** Called on the loop's thread after the source was signaled. */
    void (*perform)(void *info);
} RLRunLoopSourceContext;

/**
 * The context of a version-1 source, which waits for a port.
 *
 * Before `perform`, the loop resets an eventfd or a timerfd by reading 8 bytes. The loop never
 * reads from other descriptors, and calls `perform` as long as the descriptor is readable.
 * CF: CFRunLoopSourceContext1.
 */
typedef struct {
    /** The version of this structure: 1. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Same as in RLRunLoopSourceContext. */
    const void *(*retain)(const void *info);
    /** Same as in RLRunLoopSourceContext. */
    void (*release)(const void *info);
    /** Same as in RLRunLoopSourceContext. */
    RLStringRef (*copyDescription)(const void *info);
    /** Same as in RLRunLoopSourceContext. */
    Boolean (*equal)(const void *first, const void *second);
    /** Same as in RLRunLoopSourceContext. */
    RLHashCode (*hash)(const void *info);
    /**
     * Returns the port. Called once for each mode that the source enters and leaves. A negative
     * port never fires. The client owns the port and must keep the port open while the source is
     * valid. Otherwise, the loop may read 8 bytes from another file that has reused the number. May
     * be called with the loop locked: must not call functions of the loop.
     */
    RLRunLoopPort (*getPort)(void *info);
    /** Called on the loop's thread when the port is ready. */
    void (*perform)(void *info);
} RLRunLoopSourceContext1;

/** The events of a descriptor. Ours, no CF counterpart. */
RL_OPTIONS(RLOptionFlags, RLRunLoopDescriptorEvents) {
    /** The descriptor is readable or at EOF. */
    kRLRunLoopDescriptorRead = (1UL << 0),
    /** The descriptor is writable. */
    kRLRunLoopDescriptorWrite = (1UL << 1),
    /** There is urgent data (POLLPRI). */
    kRLRunLoopDescriptorPriority = (1UL << 2),
    /** The other end hung up. Always delivered. */
    kRLRunLoopDescriptorHangUp = (1UL << 3),
    /** The descriptor has an error. Always delivered. */
    kRLRunLoopDescriptorError = (1UL << 4)
};

/**
 * The context of a version-2 source, which waits for any descriptor that can be polled.
 * Ours, no CF counterpart.
 *
 * The loop calls `perform` once per pass while the descriptor is ready (level-triggered), and never
 * reads from the descriptor. If the descriptor is non-blocking when the source is added, and stays
 * non-blocking, the loop saves a system call for each event. In this case, `perform` may be called
 * although other code has just read all data. A hang-up or an error without remaining data is
 * delivered once, so a dead descriptor does not keep the loop busy.
 */
typedef struct {
    /** The version of this structure: 2. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Same as in RLRunLoopSourceContext. */
    const void *(*retain)(const void *info);
    /** Same as in RLRunLoopSourceContext. */
    void (*release)(const void *info);
    /** Same as in RLRunLoopSourceContext. */
    RLStringRef (*copyDescription)(const void *info);
    /** Same as in RLRunLoopSourceContext. */
    Boolean (*equal)(const void *first, const void *second);
    /** Same as in RLRunLoopSourceContext. */
    RLHashCode (*hash)(const void *info);
    /** Returns the descriptor, by the rules of `getPort` in RLRunLoopSourceContext1. */
    int (*getDescriptor)(void *info);
    /**
     * Returns the events to poll for; if null, the loop polls for kRLRunLoopDescriptorRead. Called
     * when the source enters a mode, and by RLRunLoopSourceUpdateEvents. Must not call functions of
     * the loop.
     */
    RLRunLoopDescriptorEvents (*getEvents)(void *info);
    /** Called on the loop's thread with the events that are ready. */
    void (*perform)(void *info, RLRunLoopDescriptorEvents ready);
} RLRunLoopSourceContext2;

/** Returns the type ID of sources. CF: CFRunLoopSourceGetTypeID. */
RL_EXPORT RLTypeID RLRunLoopSourceGetTypeID(void);

/**
 * Creates a source that is valid, not signaled, and in no loop.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: The order among signaled version-0 sources; a source of lower order is called first.
 *   - context: A context of version 0, 1 or 2, cast to this type; copied. Null stops the process.
 * - Returns: A source that the caller owns, or null if the context's version is unknown.
 * - CF: CFRunLoopSourceCreate.
 */
RL_EXPORT RLRunLoopSourceRef RLRunLoopSourceCreate(
    RLAllocatorRef allocator, RLIndex order, RLRunLoopSourceContext *context) RL_RETURNS_RETAINED;

/** Returns the order that the source was created with. CF: CFRunLoopSourceGetOrder. */
RL_EXPORT RLIndex RLRunLoopSourceGetOrder(RLRunLoopSourceRef source);

/**
 * Invalidates the source permanently and removes it from all loops. Calls `cancel` of a version-0
 * source for each mode. Does not wait for a callback that is running on another thread.
 * CF: CFRunLoopSourceInvalidate.
 */
RL_EXPORT void RLRunLoopSourceInvalidate(RLRunLoopSourceRef source);

/**
 * Returns whether the source is valid. Only a valid source can be added to a loop.
 * CF: CFRunLoopSourceIsValid.
 */
RL_EXPORT Boolean RLRunLoopSourceIsValid(RLRunLoopSourceRef source);

/**
 * Copies the source's context. Set `context->version` to the source's version first; another
 * version stops the process. CF: CFRunLoopSourceGetContext.
 */
RL_EXPORT void RLRunLoopSourceGetContext(RLRunLoopSourceRef source,
                                         RLRunLoopSourceContext *context);

/**
 * Signals a source. The next pass in one of its modes calls `perform` of a version-0 source once.
 * For other versions, only RLRunLoopSourceIsSignalled changes. Does not wake the loop.
 * CF: CFRunLoopSourceSignal.
 */
RL_EXPORT void RLRunLoopSourceSignal(RLRunLoopSourceRef source);

/**
 * Signals a source and wakes a loop, like RLRunLoopSourceSignal and RLRunLoopWakeUp, but faster if
 * the loop was already woken. The source need not be in this loop. Ours, no CF counterpart.
 */
RL_EXPORT void RLRunLoopSourceSignalAndWakeUp(RLRunLoopSourceRef source, RLRunLoopRef loop);

/** Returns whether the source is signaled. CF: CFRunLoopSourceIsSignalled (private in CF). */
RL_EXPORT Boolean RLRunLoopSourceIsSignalled(RLRunLoopSourceRef source);

/**
 * Calls `getEvents` of a version-2 source for all its modes. A hang-up or an error that was
 * delivered is delivered once more. Does nothing for other sources. Ours, no CF counterpart.
 */
RL_EXPORT void RLRunLoopSourceUpdateEvents(RLRunLoopSourceRef source);

RL_EXTERN_C_END

#endif
