/*
 * File descriptors in run loops: a callback is called when the descriptor is readable or writable.
 * Any descriptor that can be polled is supported, such as a pipe, a socket, a terminal, an inotify
 * descriptor or a signalfd. The object never reads from the descriptor or writes to it. All
 * functions may be called from any thread. Callbacks are called on the threads that run a loop with
 * the object's source, with no lock held: a callback may call any function.
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
     * Reading would not block: data, EOF or an error is pending. CF: kCFFileDescriptorReadCallBack.
     */
    kRLFileDescriptorReadCallBack = 1UL << 0,
    /** Writing would not block, or fails at once. CF: kCFFileDescriptorWriteCallBack. */
    kRLFileDescriptorWriteCallBack = 1UL << 1
};

/**
 * The callback of a descriptor. `callBackTypes` are the enabled types that are ready, at least one
 * type. These types are disabled before the call. CF: CFFileDescriptorCallBack.
 */
typedef void (*RLFileDescriptorCallBack)(RLFileDescriptorRef descriptor,
                                         RLOptionFlags callBackTypes, void *info);

/** The client data of a descriptor; each function may be null. CF: CFFileDescriptorContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Retains the info. Called when the object is created, and before each callback. The first
     * result becomes the info.
     */
    void *(*retain)(void *info);
    /** Releases the info. Called when the object is invalidated, and after each callback. */
    void (*release)(void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(void *info);
} RLFileDescriptorContext;

/** Returns the type ID of descriptors. CF: CFFileDescriptorGetTypeID. */
RL_EXPORT RLTypeID RLFileDescriptorGetTypeID(void);

/**
 * Creates an object for a descriptor, with no callback enabled. Several objects may watch the same
 * descriptor.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - descriptor: The descriptor; a negative number yields null.
 *   - closeOnInvalidate: Whether the object closes the descriptor when it is invalidated or
 *     destroyed. Otherwise, the client closes the descriptor afterwards.
 *   - callout: The callback; may be null.
 *   - context: The client's data, copied; may be null.
 * - Returns: An object that the caller owns, or null.
 * - CF: CFFileDescriptorCreate.
 */
RL_EXPORT RLFileDescriptorRef
RLFileDescriptorCreate(RLAllocatorRef allocator, RLFileDescriptorNativeDescriptor descriptor,
                       Boolean closeOnInvalidate, RLFileDescriptorCallBack callout,
                       const RLFileDescriptorContext *context) RL_RETURNS_RETAINED;

/** Returns the descriptor; -1 if the object is invalid. CF: CFFileDescriptorGetNativeDescriptor. */
RL_EXPORT RLFileDescriptorNativeDescriptor
RLFileDescriptorGetNativeDescriptor(RLFileDescriptorRef descriptor);

/**
 * Copies the client data and the version to `context`, which must not be null. The info is null if
 * the object is invalid. CF: CFFileDescriptorGetContext.
 */
RL_EXPORT void RLFileDescriptorGetContext(RLFileDescriptorRef descriptor,
                                          RLFileDescriptorContext *context);

/**
 * Enables types of callbacks, each for one call. To receive the next call, enable the type again,
 * in the callback or later. If the descriptor has become ready in the meantime, the callback is
 * called at once, so no event is lost. The call takes effect at once, even while a loop sleeps. Has
 * no effect on an invalid object. CF: CFFileDescriptorEnableCallBacks.
 */
RL_EXPORT void RLFileDescriptorEnableCallBacks(RLFileDescriptorRef descriptor,
                                               RLOptionFlags callBackTypes);

/** Disables callbacks that were enabled. CF: CFFileDescriptorDisableCallBacks. */
RL_EXPORT void RLFileDescriptorDisableCallBacks(RLFileDescriptorRef descriptor,
                                                RLOptionFlags callBackTypes);

/**
 * Invalidates the object permanently: invalidates its source, closes the descriptor if
 * `closeOnInvalidate` was set, releases the info, and wakes the loops that its source was in.
 * Idempotent. Does not wait for a callback that is running on another thread. The last release of
 * the object also invalidates the object. CF: CFFileDescriptorInvalidate.
 */
RL_EXPORT void RLFileDescriptorInvalidate(RLFileDescriptorRef descriptor);

/**
 * Returns whether the object is valid: false after an invalidation. CF: CFFileDescriptorIsValid.
 */
RL_EXPORT Boolean RLFileDescriptorIsValid(RLFileDescriptorRef descriptor);

/**
 * Returns the run loop source of the object: a version-2 source that the caller owns, or null if
 * the object is invalid. The source can be added to any loops and modes, and retains the object.
 * Returns the same source each time, until the source is invalidated. `allocator` is ignored;
 * `order` is stored, but has no effect. CF: CFFileDescriptorCreateRunLoopSource.
 */
RL_EXPORT RLRunLoopSourceRef RLFileDescriptorCreateRunLoopSource(RLAllocatorRef allocator,
                                                                 RLFileDescriptorRef descriptor,
                                                                 RLIndex order) RL_RETURNS_RETAINED;

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_file_descriptor(RLFileDescriptorRef descriptor);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_file_descriptor(RLFileDescriptorRef descriptor);

RL_EXTERN_C_END

#endif
