/*
 * Allocators: memory by functions of the client's.
 *
 * The engine's own objects come from malloc whatever allocator they are made with; what an
 * allocator is for here is the memory that a client gives away (RLDataCreateWithBytesNoCopy and its
 * like) and that which a client asks for (RLAllocatorAllocate). Allocators are objects. All
 * functions may be called from any thread, and so may the functions of a context.
 */

#ifndef CRUNLOOP_RLALLOCATOR_H
#define CRUNLOOP_RLALLOCATOR_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

/** Adds a reference to an allocator's info; gives what is kept. CF: CFAllocatorRetainCallBack. */
typedef const void *(*RLAllocatorRetainCallBack)(const void *info);
/** Gives an allocator's info up. CF: CFAllocatorReleaseCallBack. */
typedef void (*RLAllocatorReleaseCallBack)(const void *info);
/**
 * Describes an allocator's info in a string that the caller owns.
 * CF: CFAllocatorCopyDescriptionCallBack.
 */
typedef RLStringRef (*RLAllocatorCopyDescriptionCallBack)(const void *info);
/** Gives `allocSize` bytes, more than 0, or null. CF: CFAllocatorAllocateCallBack. */
typedef void *(*RLAllocatorAllocateCallBack)(RLIndex allocSize, RLOptionFlags hint, void *info);
/**
 * Gives memory of `newsize` bytes, more than 0, with the contents of `ptr`, which is not null; or
 * null, and then `ptr` stays. CF: CFAllocatorReallocateCallBack.
 */
typedef void *(*RLAllocatorReallocateCallBack)(void *ptr, RLIndex newsize, RLOptionFlags hint,
                                               void *info);
/** Takes memory back, never null. CF: CFAllocatorDeallocateCallBack. */
typedef void (*RLAllocatorDeallocateCallBack)(void *ptr, void *info);
/**
 * How many bytes the allocator would give for `size`, at least those.
 * CF: CFAllocatorPreferredSizeCallBack.
 */
typedef RLIndex (*RLAllocatorPreferredSizeCallBack)(RLIndex size, RLOptionFlags hint, void *info);

/** What an allocator is made of; each function may be null. CF: CFAllocatorContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the allocator is made; what it returns becomes the info. */
    RLAllocatorRetainCallBack retain;
    /** Called when the allocator is destroyed. */
    RLAllocatorReleaseCallBack release;
    /** Called for a description. */
    RLAllocatorCopyDescriptionCallBack copyDescription;
    /** Null: the allocator gives no memory. */
    RLAllocatorAllocateCallBack allocate;
    /** Null: memory does not change its size. */
    RLAllocatorReallocateCallBack reallocate;
    /** Null: memory is not taken back. */
    RLAllocatorDeallocateCallBack deallocate;
    /** Null: an allocator gives what it is asked for. */
    RLAllocatorPreferredSizeCallBack preferredSize;
} RLAllocatorContext;

/**
 * As the first argument of RLAllocatorCreate: the new allocator is to hold itself. As objects come
 * from malloc, it is ignored as any other; it gives no memory. CF: kCFAllocatorUseContext.
 */
RL_EXPORT const RLAllocatorRef kRLAllocatorUseContext;

/** The type number of allocators. CF: CFAllocatorGetTypeID. */
RL_EXPORT RLTypeID RLAllocatorGetTypeID(void);

/**
 * Makes an allocator of a client's functions.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - context: The functions, copied; must not be null.
 * - Returns: An allocator that the caller owns.
 * - CF: CFAllocatorCreate, which is not to be had in CF for Linux.
 */
RL_EXPORT RLAllocatorRef RLAllocatorCreate(RLAllocatorRef allocator, RLAllocatorContext *context);

/**
 * Memory of an allocator, or null: if there is none, or if `size` is not greater than 0, for which
 * nobody is asked.
 *
 * - Parameters:
 *   - allocator: The allocator; null for the thread's default one.
 *   - size: How many bytes.
 *   - hint: Given to the allocator; 0.
 * - CF: CFAllocatorAllocate.
 */
RL_EXPORT void *RLAllocatorAllocate(RLAllocatorRef allocator, RLIndex size, RLOptionFlags hint);

/**
 * Memory of another size with the same contents, or null, and then the old memory stays.
 *
 * - Parameters:
 *   - allocator: The allocator; null for the thread's default one.
 *   - ptr: The memory; null makes this RLAllocatorAllocate.
 *   - newsize: How many bytes; if not greater than 0, this is RLAllocatorDeallocate, and gives
 *     null.
 *   - hint: Given to the allocator; 0.
 * - CF: CFAllocatorReallocate.
 */
RL_EXPORT void *RLAllocatorReallocate(RLAllocatorRef allocator, void *ptr, RLIndex newsize,
                                      RLOptionFlags hint);

/**
 * Gives memory back to the allocator that it came from; null is ignored.
 * CF: CFAllocatorDeallocate.
 */
RL_EXPORT void RLAllocatorDeallocate(RLAllocatorRef allocator, void *ptr);

/**
 * How many bytes the allocator, or the thread's default one, would give for `size`: at least those,
 * and 0 if `size` is not greater than 0. CF: CFAllocatorGetPreferredSizeForSize.
 */
RL_EXPORT RLIndex RLAllocatorGetPreferredSizeForSize(RLAllocatorRef allocator, RLIndex size,
                                                     RLOptionFlags hint);

/**
 * Copies what the allocator was made of; of null, the thread's default one.
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
RL_EXPORT RLAllocatorRef RLGetAllocator(RLTypeRef object);

RL_EXTERN_C_END

#endif
