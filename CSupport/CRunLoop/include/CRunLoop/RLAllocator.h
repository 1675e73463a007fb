/*
 * Allocators: memory from a client's functions.
 *
 * The engine's objects are always allocated by malloc, whichever allocator they are created with.
 * An allocator frees memory that a client transfers to an object (such as by
 * RLDataCreateWithBytesNoCopy), and provides memory for RLAllocatorAllocate. Allocators are
 * objects. All functions, including the functions of a context, may be called from any thread.
 */

#ifndef CRUNLOOP_RLALLOCATOR_H
#define CRUNLOOP_RLALLOCATOR_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

/** Retains an allocator's info and returns the info to store. CF: CFAllocatorRetainCallBack. */
typedef const void *(*RLAllocatorRetainCallBack)(const void *info);
/** Releases an allocator's info. CF: CFAllocatorReleaseCallBack. */
typedef void (*RLAllocatorReleaseCallBack)(const void *info);
/**
 * Describes an allocator's info in a string that the caller owns.
 * CF: CFAllocatorCopyDescriptionCallBack.
 */
typedef RLStringRef (*RLAllocatorCopyDescriptionCallBack)(const void *info);
/**
 * Allocates `allocSize` bytes, at least 1. Returns null on failure.
 * CF: CFAllocatorAllocateCallBack.
 */
typedef void *(*RLAllocatorAllocateCallBack)(RLIndex allocSize, RLOptionFlags hint, void *info);
/**
 * Resizes memory to `newsize` bytes, at least 1, and keeps the contents of `ptr`, which is not
 * null. On failure, returns null and leaves `ptr` unchanged. CF: CFAllocatorReallocateCallBack.
 */
typedef void *(*RLAllocatorReallocateCallBack)(void *ptr, RLIndex newsize, RLOptionFlags hint,
                                               void *info);
/** Frees memory; never called with null. CF: CFAllocatorDeallocateCallBack. */
typedef void (*RLAllocatorDeallocateCallBack)(void *ptr, void *info);
/**
 * Returns the number of bytes, at least `size`, that the allocator would provide for `size` bytes.
 * CF: CFAllocatorPreferredSizeCallBack.
 */
typedef RLIndex (*RLAllocatorPreferredSizeCallBack)(RLIndex size, RLOptionFlags hint, void *info);

/** The functions of an allocator; each may be null. CF: CFAllocatorContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Retains the info. Called when the allocator is created. The result becomes the info. */
    RLAllocatorRetainCallBack retain;
    /** Releases the info. Called when the allocator is destroyed. */
    RLAllocatorReleaseCallBack release;
    /** Describes the info. Called for a description of the allocator. */
    RLAllocatorCopyDescriptionCallBack copyDescription;
    /** Allocates memory; if null, the allocator provides no memory. */
    RLAllocatorAllocateCallBack allocate;
    /** Resizes memory; if null, memory cannot be resized. */
    RLAllocatorReallocateCallBack reallocate;
    /** Frees memory; if null, memory is not freed. */
    RLAllocatorDeallocateCallBack deallocate;
    /** Returns the size that the allocator provides; if null, this is the requested size. */
    RLAllocatorPreferredSizeCallBack preferredSize;
} RLAllocatorContext;

/**
 * An allocator that provides no memory. In CF, passing it to CFAllocatorCreate makes the new
 * allocator allocate its own object. RLAllocatorCreate ignores it, because objects are allocated by
 * malloc. CF: kCFAllocatorUseContext.
 */
RL_EXPORT RLAllocatorRef const kRLAllocatorUseContext;

/** Returns the type ID of allocators. CF: CFAllocatorGetTypeID. */
RL_EXPORT RLTypeID RLAllocatorGetTypeID(void);

/**
 * Creates an allocator from a client's functions.
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
 * Allocates `size` bytes. Returns null if the allocator has no memory. If `size` is not greater
 * than 0, returns null without calling the allocator. A null allocator stands for the thread's
 * default allocator. The allocator receives `hint`. CF: CFAllocatorAllocate.
 */
RL_EXPORT void *RLAllocatorAllocate(RLAllocatorRef allocator, RLIndex size, RLOptionFlags hint);

/**
 * Resizes memory to `newsize` bytes and keeps its contents. Returns the new memory. On failure,
 * returns null, and the old memory stays valid. If `ptr` is null, allocates memory
 * (RLAllocatorAllocate). If `newsize` is not greater than 0, frees the memory
 * (RLAllocatorDeallocate) and returns null. A null allocator stands for the thread's default
 * allocator. The allocator receives `hint`. CF: CFAllocatorReallocate.
 */
RL_EXPORT void *RLAllocatorReallocate(RLAllocatorRef allocator, void *ptr, RLIndex newsize,
                                      RLOptionFlags hint);

/** Frees memory that the allocator provided; a null `ptr` is ignored. CF: CFAllocatorDeallocate. */
RL_EXPORT void RLAllocatorDeallocate(RLAllocatorRef allocator, void *ptr);

/**
 * Returns the number of bytes, at least `size`, that an allocator would provide for `size` bytes; 0
 * if `size` is not greater than 0. A null allocator stands for the thread's default allocator.
 * CF: CFAllocatorGetPreferredSizeForSize.
 */
RL_EXPORT RLIndex RLAllocatorGetPreferredSizeForSize(RLAllocatorRef allocator, RLIndex size,
                                                     RLOptionFlags hint);

/**
 * Copies the context that the allocator was created with. A null allocator stands for the thread's
 * default allocator. CF: CFAllocatorGetContext.
 */
RL_EXPORT void RLAllocatorGetContext(RLAllocatorRef allocator, RLAllocatorContext *context);

/**
 * Sets the default allocator of the calling thread. The thread retains the allocator until it ends
 * or sets another default. Null is ignored. CF: CFAllocatorSetDefault.
 */
RL_EXPORT void RLAllocatorSetDefault(RLAllocatorRef allocator);

/**
 * Returns the allocator of an object: kRLAllocatorSystemDefault, because objects are allocated by
 * malloc. CF: CFGetAllocator.
 */
RL_EXPORT RLAllocatorRef RLGetAllocator(RLTypeRef object) RL_RETURNS_NOT_RETAINED;

RL_EXTERN_C_END

#endif
