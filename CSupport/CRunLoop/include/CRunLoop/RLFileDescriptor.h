/*
 * File descriptors in run loops: callbacks when one is ready to be read or written. They wait for
 * any descriptor that can be polled: pipes, sockets, terminals, inotify, signalfd. The object never
 * reads or writes. All functions may be called from any thread; callbacks come on the threads that
 * run a loop with the object's source, with no lock held, so that they may call anything.
 */

#ifndef CRUNLOOP_RLFILEDESCRIPTOR_H
#define CRUNLOOP_RLFILEDESCRIPTOR_H

#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A descriptor with callbacks. CF: CFFileDescriptorRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_file_descriptor, rl_swift_release_file_descriptor)
    RL_SWIFT_NAME(RLFileDescriptorRef) RLOpaqueFileDescriptor {
    uintptr_t _reserved;
};

#define RLFileDescriptorRef struct RLOpaqueFileDescriptor *
#else
/** A reference to a descriptor with callbacks. CF: CFFileDescriptorRef. */
typedef struct __CFFileDescriptor *RLFileDescriptorRef;
#endif

/** The system's type of a descriptor. CF: CFFileDescriptorNativeDescriptor. */
typedef int RLFileDescriptorNativeDescriptor;

/** The types of callbacks. */
RL_ENUM_CONSTANTS(RLOptionFlags) {
    /**
     * Reading would not block: there is data, the end, or an error.
     * CF: kCFFileDescriptorReadCallBack.
     */
    kRLFileDescriptorReadCallBack = 1UL << 0,
    /** Writing would not block, or fails at once. CF: kCFFileDescriptorWriteCallBack. */
    kRLFileDescriptorWriteCallBack = 1UL << 1
};

/**
 * The callback of a descriptor. `callBackTypes` are the enabled types that are ready, at least one.
 * The call disables them. CF: CFFileDescriptorCallBack.
 */
typedef void (*RLFileDescriptorCallBack)(RLFileDescriptorRef descriptor,
                                         RLOptionFlags callBackTypes, void *info);

/** The client data of a descriptor; each function may be null. CF: CFFileDescriptorContext. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the object is made, and before each call. The first result becomes the info. */
    void *(*retain)(void *info);
    /** Called when the object is invalidated, and after each call. */
    void (*release)(void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(void *info);
} RLFileDescriptorContext;

/** The type number of descriptors. CF: CFFileDescriptorGetTypeID. */
RL_EXPORT RLTypeID RLFileDescriptorGetTypeID(void);

/**
 * Makes an object for a descriptor. No callback is enabled at first. Several objects may watch one
 * descriptor.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - descriptor: The descriptor; a negative one yields null.
 *   - closeOnInvalidate: Whether the object closes the descriptor when it is invalidated or
 *     destroyed. If not, the client closes it afterwards.
 *   - callout: The callback; may be null.
 *   - context: The client's data, copied; may be null.
 * - Returns: An object that the caller owns, or null.
 * - CF: CFFileDescriptorCreate.
 */
RL_EXPORT RLFileDescriptorRef
RLFileDescriptorCreate(RLAllocatorRef allocator, RLFileDescriptorNativeDescriptor descriptor,
                       Boolean closeOnInvalidate, RLFileDescriptorCallBack callout,
                       const RLFileDescriptorContext *context) RL_RETURNS_RETAINED;

/** The descriptor; -1 when the object is invalid. CF: CFFileDescriptorGetNativeDescriptor. */
RL_EXPORT RLFileDescriptorNativeDescriptor
RLFileDescriptorGetNativeDescriptor(RLFileDescriptorRef descriptor);

/**
 * Copies the client data. The info is null when the object is invalid. `context` must not be null;
 * its version is set.
 *
 * - CF: CFFileDescriptorGetContext.
 */
RL_EXPORT void RLFileDescriptorGetContext(RLFileDescriptorRef descriptor,
                                          RLFileDescriptorContext *context);

/**
 * Enables callbacks, each for one call. Enable it again, in the callback or later, for another
 * call. A descriptor that became ready in between is reported at once, so that no event is lost.
 * Takes effect at once, also for a sleeping loop. Has no effect on an invalid object.
 *
 * - CF: CFFileDescriptorEnableCallBacks.
 */
RL_EXPORT void RLFileDescriptorEnableCallBacks(RLFileDescriptorRef descriptor,
                                               RLOptionFlags callBackTypes);

/** Disables callbacks that were enabled. CF: CFFileDescriptorDisableCallBacks. */
RL_EXPORT void RLFileDescriptorDisableCallBacks(RLFileDescriptorRef descriptor,
                                                RLOptionFlags callBackTypes);

/**
 * Makes the object invalid for good: invalidates its source, closes the descriptor if
 * `closeOnInvalidate` was set, releases the info, and wakes the loops that its source was in.
 * Idempotent. Does not wait for a callback that runs on another thread. The last release of the
 * object does the same.
 *
 * - CF: CFFileDescriptorInvalidate.
 */
RL_EXPORT void RLFileDescriptorInvalidate(RLFileDescriptorRef descriptor);

/** Whether the object is valid, that is, has not been invalidated. CF: CFFileDescriptorIsValid. */
RL_EXPORT Boolean RLFileDescriptorIsValid(RLFileDescriptorRef descriptor);

/**
 * Returns the source of the object, for any loops and modes: always the same one, unless that was
 * invalidated. The source retains the object.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - descriptor: The object.
 *   - order: The order of a new source; stored, without effect.
 * - Returns: A source of version 2 that the caller owns, or null if the object is invalid.
 * - CF: CFFileDescriptorCreateRunLoopSource.
 */
RL_EXPORT RLRunLoopSourceRef RLFileDescriptorCreateRunLoopSource(RLAllocatorRef allocator,
                                                                 RLFileDescriptorRef descriptor,
                                                                 RLIndex order) RL_RETURNS_RETAINED;

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_file_descriptor(RLFileDescriptorRef descriptor);
/** @see rl_swift_retain_file_descriptor */
RL_EXPORT void rl_swift_release_file_descriptor(RLFileDescriptorRef descriptor);

RL_EXTERN_C_END

#endif
