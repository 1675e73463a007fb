/*
 * Allocators: memory from the client's own functions.
 *
 * The engine's own objects come from malloc whatever allocator they are made with; an allocator
 * serves memory that a client transfers to an object (such as by RLDataCreateWithBytesNoCopy) or
 * requests (RLAllocatorAllocate). Allocators are objects. All functions may be called from any
 * thread, and so may the functions of a context.
 */

#ifndef CRUNLOOP_RLALLOCATOR_H
#define CRUNLOOP_RLALLOCATOR_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

/**
 * Adds a reference to an allocator's info and returns the info to keep. CF:
 * CFAllocatorRetainCallBack.
 */
typedef const void *(*RLAllocatorRetainCallBack)(const void *info);
/** Releases an allocator's info. CF: CFAllocatorReleaseCallBack. */
typedef void (*RLAllocatorReleaseCallBack)(const void *info);
/**
 * Describes an allocator's info in a string that the caller owns.
 * CF: CFAllocatorCopyDescriptionCallBack.
 */
typedef RLStringRef (*RLAllocatorCopyDescriptionCallBack)(const void *info);
/** Returns `allocSize` bytes, more than 0, or null. CF: CFAllocatorAllocateCallBack. */
typedef void *(*RLAllocatorAllocateCallBack)(RLIndex allocSize, RLOptionFlags hint, void *info);
/**
 * Returns memory of `newsize` bytes, more than 0, with the contents of `ptr`, which is not null; or
 * returns null and leaves `ptr` as it is. CF: CFAllocatorReallocateCallBack.
 */
typedef void *(*RLAllocatorReallocateCallBack)(void *ptr, RLIndex newsize, RLOptionFlags hint,
                                               void *info);
/** Frees memory; never called with null. CF: CFAllocatorDeallocateCallBack. */
typedef void (*RLAllocatorDeallocateCallBack)(void *ptr, void *info);
/**
 * Returns how many bytes the allocator would provide for `size`: at least that many. CF:
 * CFAllocatorPreferredSizeCallBack.
 */
typedef RLIndex (*RLAllocatorPreferredSizeCallBack)(RLIndex size, RLOptionFlags hint, void *info);

/** The functions of an allocator; each may be null. CF: CFAllocatorContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the allocator is made. The result becomes the info. */
    RLAllocatorRetainCallBack retain;
    /** Called when the allocator is destroyed. */
    RLAllocatorReleaseCallBack release;
    /** Called for a description. */
    RLAllocatorCopyDescriptionCallBack copyDescription;
    /** Null: the allocator provides no memory. */
    RLAllocatorAllocateCallBack allocate;
    /** Null: memory cannot be resized. */
    RLAllocatorReallocateCallBack reallocate;
    /** Null: memory is not freed. */
    RLAllocatorDeallocateCallBack deallocate;
    /** Null: the allocator provides exactly the requested size. */
    RLAllocatorPreferredSizeCallBack preferredSize;
} RLAllocatorContext;

/**
 * As the first argument of RLAllocatorCreate: the new allocator allocates itself. Ignored like any
 * other allocator, as objects come from malloc; it provides no memory. CF: kCFAllocatorUseContext.
 */
RL_EXPORT RLAllocatorRef const kRLAllocatorUseContext;

/** The type number of allocators. CF: CFAllocatorGetTypeID. */
RL_EXPORT RLTypeID RLAllocatorGetTypeID(void);

/**
 * Makes an allocator from a client's functions.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - context: The functions, copied; must not be null.
 * - Returns: An allocator that the caller owns.
 * - CF: CFAllocatorCreate, which CF for Linux does not have.
 */
RL_EXPORT RLAllocatorRef RLAllocatorCreate(RLAllocatorRef allocator,
                                           RLAllocatorContext *context) RL_RETURNS_RETAINED;

/**
 * Allocates memory. Returns null if the allocator has none, or if `size` is not greater than 0; the
 * allocator is not called then.
 *
 * - Parameters:
 *   - allocator: The allocator; null for the thread's default one.
 *   - size: The number of bytes.
 *   - hint: Passed to the allocator; 0.
 * - CF: CFAllocatorAllocate.
 */
RL_EXPORT void *RLAllocatorAllocate(RLAllocatorRef allocator, RLIndex size, RLOptionFlags hint);

/**
 * Resizes memory, keeping its contents. Returns the new memory, or null, and then the old memory
 * stays valid.
 *
 * - Parameters:
 *   - allocator: The allocator; null for the thread's default one.
 *   - ptr: The memory; null makes this RLAllocatorAllocate.
 *   - newsize: The number of bytes; if not greater than 0, this is RLAllocatorDeallocate and
 * returns null.
 *   - hint: Given to the allocator; 0.
 * - CF: CFAllocatorReallocate.
 */
RL_EXPORT void *RLAllocatorReallocate(RLAllocatorRef allocator, void *ptr, RLIndex newsize,
                                      RLOptionFlags hint);

/**
 * Frees memory that came from the allocator; null is ignored. CF: CFAllocatorDeallocate.
 */
RL_EXPORT void RLAllocatorDeallocate(RLAllocatorRef allocator, void *ptr);

/**
 * Returns how many bytes the allocator, or the thread's default one, would provide for `size`: at
 * least that many, and 0 if `size` is not greater than 0. CF: CFAllocatorGetPreferredSizeForSize.
 */
RL_EXPORT RLIndex RLAllocatorGetPreferredSizeForSize(RLAllocatorRef allocator, RLIndex size,
                                                     RLOptionFlags hint);

/**
 * Copies the context that the allocator was made with; null stands for the thread's default one.
 * CF: CFAllocatorGetContext.
 */
RL_EXPORT void RLAllocatorGetContext(RLAllocatorRef allocator, RLAllocatorContext *context);

/**
 * Sets the calling thread's default allocator, which the thread keeps until it has another one or
 * ends. Null is ignored. CF: CFAllocatorSetDefault.
 */
RL_EXPORT void RLAllocatorSetDefault(RLAllocatorRef allocator);

/**
 * The allocator of an object: kRLAllocatorSystemDefault, as objects come from malloc.
 * CF: CFGetAllocator.
 */
RL_EXPORT RLAllocatorRef RLGetAllocator(RLTypeRef object) RL_RETURNS_NOT_RETAINED;

RL_EXTERN_C_END

#endif
