/*
 * Immutable arrays, as far as lists of modes and of loops need them.
 *
 * All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLARRAY_H
#define CRUNLOOP_RLARRAY_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

/** An immutable array of pointers. CF: CFArrayRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_array, rl_swift_release_array) RL_SWIFT_NAME(RLArrayRef)
    RLOpaqueArray {
    uintptr_t _reserved;
};

#if defined(__swift__)
#define RLArrayRef const struct RLOpaqueArray *
#else
/** A reference to an immutable array. CF: CFArrayRef. */
typedef const struct RLOpaqueArray *RLArrayRef;
#endif

/** Adds a reference to an element and returns what is to be stored. CF: CFArrayRetainCallBack. */
typedef const void *(*RLArrayRetainCallBack)(RLAllocatorRef allocator, const void *value);
/** Gives an element up. CF: CFArrayReleaseCallBack. */
typedef void (*RLArrayReleaseCallBack)(RLAllocatorRef allocator, const void *value);
/** Describes an element in a string that the caller owns. CF: CFArrayCopyDescriptionCallBack. */
typedef RLStringRef (*RLArrayCopyDescriptionCallBack)(const void *value);
/** Whether two elements are equal. CF: CFArrayEqualCallBack. */
typedef Boolean (*RLArrayEqualCallBack)(const void *first, const void *second);

/** What an array does with its elements; each member may be null. CF: CFArrayCallBacks. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** Called for each element when the array is made; null keeps the pointer as it is. */
    RLArrayRetainCallBack retain;
    /** Called for each element when the array is destroyed. */
    RLArrayReleaseCallBack release;
    /** Called for each element of a description; null prints the pointer. */
    RLArrayCopyDescriptionCallBack copyDescription;
    /** Called to compare elements; null compares the pointers. */
    RLArrayEqualCallBack equal;
} RLArrayCallBacks;

/** The callbacks for elements that are RL objects. CF: kCFTypeArrayCallBacks. */
RL_EXPORT const RLArrayCallBacks kRLTypeArrayCallBacks;

/** The type number of arrays. CF: CFArrayGetTypeID. */
RL_EXPORT RLTypeID RLArrayGetTypeID(void);

/**
 * Makes an array.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - values: The elements; may be null if `count` is 0.
 *   - count: How many; a negative number yields null.
 *   - callBacks: What to do with the elements; null leaves them alone.
 * - Returns: An array that the caller owns, or null.
 * - CF: CFArrayCreate.
 */
RL_EXPORT RLArrayRef RLArrayCreate(RLAllocatorRef allocator, const void **values, RLIndex count,
                                   const RLArrayCallBacks *callBacks) RL_RETURNS_RETAINED;

/** The number of elements. CF: CFArrayGetCount. */
RL_EXPORT RLIndex RLArrayGetCount(RLArrayRef array);

/** The element at `index`, not retained; an index out of range stops the process. CF: CFArrayGetValueAtIndex. */
RL_EXPORT const void *RLArrayGetValueAtIndex(RLArrayRef array, RLIndex index);

/** The reference functions that Swift calls for an array, also with null, which they ignore; C uses RLRetain and RLRelease. */
RL_EXPORT void rl_swift_retain_array(RLArrayRef array);
/** @see rl_swift_retain_array */
RL_EXPORT void rl_swift_release_array(RLArrayRef array);

RL_EXTERN_C_END

#endif
