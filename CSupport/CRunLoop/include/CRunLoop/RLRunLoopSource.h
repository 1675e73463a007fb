/*
 * Sources of events. Version 0 is signaled by its client. Version 1 waits for a port (on Linux a
 * descriptor, usually an eventfd or timerfd). Version 2 waits for any descriptor that can be
 * polled.
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
 * Version 0: a source that its client signals and whose loop its client wakes.
 *
 * Each member but `version` may be null. CF: CFRunLoopSourceContext.
 */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called once when the source is made. The result becomes the source's info. */
    const void *(*retain)(const void *info);
    /** Called once when the source is destroyed. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
    /** Whether two infos are equal; null compares the pointers. Must not call the loop. */
    Boolean (*equal)(const void *first, const void *second);
    /** A hash that agrees with `equal`; null uses the pointer. Must not call the loop. */
    RLHashCode (*hash)(const void *info);
    /** Called on the adding thread, with no lock held, for each mode that the source enters. */
    void (*schedule)(void *info, RLRunLoopRef loop, RLRunLoopMode mode);
    /** Called on the removing thread, with no lock held, for each mode that the source leaves. */
    void (*cancel)(void *info, RLRunLoopRef loop, RLRunLoopMode mode);
    /** Called on the loop's thread when the source was signaled. */
    void (*perform)(void *info);
} RLRunLoopSourceContext;

/**
 * Version 1: a source whose port makes it ready.
 *
 * The loop acknowledges an eventfd or timerfd by an 8-byte read before `perform`. It never reads
 * from any other descriptor, and calls `perform` as long as that is readable. CF:
 * CFRunLoopSourceContext1.
 */
typedef struct {
    /** 1. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** As in version 0. */
    const void *(*retain)(const void *info);
    /** As in version 0. */
    void (*release)(const void *info);
    /** As in version 0. */
    RLStringRef (*copyDescription)(const void *info);
    /** As in version 0. */
    Boolean (*equal)(const void *first, const void *second);
    /** As in version 0. */
    RLHashCode (*hash)(const void *info);
    /**
     * Returns the port. Called once for each mode that the source enters and leaves. A negative
     * port never fires. The client owns the port and must keep it open while the source is valid:
     * the loop would read 8 bytes from another file that reuses its number. May be called with the
     * loop locked, and so must not call the loop.
     */
    RLRunLoopPort (*getPort)(void *info);
    /** Called on the loop's thread when the port is ready. */
    void (*perform)(void *info);
} RLRunLoopSourceContext1;

/**
 * The readiness of a descriptor, and its end. Ours, no CF counterpart.
 */
RL_OPTIONS(RLOptionFlags, RLRunLoopDescriptorEvents) {
    /** It can be read, or is at its end. */
    kRLRunLoopDescriptorRead = (1UL << 0),
    /** It can be written to. */
    kRLRunLoopDescriptorWrite = (1UL << 1),
    /** There is urgent data (POLLPRI). */
    kRLRunLoopDescriptorPriority = (1UL << 2),
    /** The other end hung up. Always delivered. */
    kRLRunLoopDescriptorHangUp = (1UL << 3),
    /** The descriptor is in error. Always delivered. */
    kRLRunLoopDescriptorError = (1UL << 4)
};

/**
 * Version 2: any descriptor that can be polled. Ours, no CF counterpart.
 *
 * `perform` is called while the descriptor is ready, once a pass, and the loop never reads from it.
 * Make the descriptor non-blocking before you add the source, and keep it so: that saves a system
 * call for each event. `perform` may then be called although other code has just read everything. A
 * hang-up or an error without remaining data is delivered only once, so that a dead descriptor does
 * not keep the loop busy.
 */
typedef struct {
    /** 2. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** As in version 0. */
    const void *(*retain)(const void *info);
    /** As in version 0. */
    void (*release)(const void *info);
    /** As in version 0. */
    RLStringRef (*copyDescription)(const void *info);
    /** As in version 0. */
    Boolean (*equal)(const void *first, const void *second);
    /** As in version 0. */
    RLHashCode (*hash)(const void *info);
    /** As `getPort` in version 1. */
    int (*getDescriptor)(void *info);
    /**
     * Returns the events to poll for; null means kRLRunLoopDescriptorRead. Called when the source
     * enters a mode and after RLRunLoopSourceUpdateEvents. Must not call the loop.
     */
    RLRunLoopDescriptorEvents (*getEvents)(void *info);
    /** Called on the loop's thread with the events that are ready. */
    void (*perform)(void *info, RLRunLoopDescriptorEvents ready);
} RLRunLoopSourceContext2;

/** The type number of sources. CF: CFRunLoopSourceGetTypeID. */
RL_EXPORT RLTypeID RLRunLoopSourceGetTypeID(void);

/**
 * Makes a source, which is valid, not signaled, and in no loop.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - order: Its order among signaled version-0 sources; lower ones are called first.
 *   - context: A context of version 0, 1 or 2, cast to this type; copied. Null stops the process.
 * - Returns: A source that the caller owns, or null if the context's version is unknown.
 * - CF: CFRunLoopSourceCreate.
 */
RL_EXPORT RLRunLoopSourceRef RLRunLoopSourceCreate(
    RLAllocatorRef allocator, RLIndex order, RLRunLoopSourceContext *context) RL_RETURNS_RETAINED;

/** The order given when the source was made. CF: CFRunLoopSourceGetOrder. */
RL_EXPORT RLIndex RLRunLoopSourceGetOrder(RLRunLoopSourceRef source);

/**
 * Makes the source invalid for good and removes it from all loops, calling a version-0 source's
 * `cancel` for each mode. Does not wait for a callback that runs on another thread.
 *
 * - CF: CFRunLoopSourceInvalidate.
 */
RL_EXPORT void RLRunLoopSourceInvalidate(RLRunLoopSourceRef source);

/** Whether the source may be added to loops. CF: CFRunLoopSourceIsValid. */
RL_EXPORT Boolean RLRunLoopSourceIsValid(RLRunLoopSourceRef source);

/**
 * Copies the source's context. Set `context->version` to the source's version first; another one
 * stops the process.
 *
 * - CF: CFRunLoopSourceGetContext.
 */
RL_EXPORT void RLRunLoopSourceGetContext(RLRunLoopSourceRef source,
                                         RLRunLoopSourceContext *context);

/**
 * Signals a source. A version-0 source is then performed once, by the next pass in one of its
 * modes; other versions are only marked. Does not wake the loop.
 *
 * - CF: CFRunLoopSourceSignal.
 */
RL_EXPORT void RLRunLoopSourceSignal(RLRunLoopSourceRef source);

/**
 * Signals a source and wakes a loop: RLRunLoopSourceSignal and RLRunLoopWakeUp in one call, which
 * is faster if the loop has been woken already. The loop need not be one that the source is in.
 * Ours, no CF counterpart.
 */
RL_EXPORT void RLRunLoopSourceSignalAndWakeUp(RLRunLoopSourceRef source, RLRunLoopRef loop);

/** Whether the source is marked. CF: CFRunLoopSourceIsSignalled (private there). */
RL_EXPORT Boolean RLRunLoopSourceIsSignalled(RLRunLoopSourceRef source);

/**
 * Calls `getEvents` of a version-2 source for all its modes, and delivers hang-ups and errors once
 * more. Does nothing for other sources. Ours, no CF counterpart.
 */
RL_EXPORT void RLRunLoopSourceUpdateEvents(RLRunLoopSourceRef source);

RL_EXTERN_C_END

#endif
