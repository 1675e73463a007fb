/*
 * Immutable and mutable arrays of pointers.
 *
 * An immutable array may be used from any thread. A mutable array may be used by one thread at a
 * time, as in CF. An index or a range out of bounds, and a change of an immutable array, stop the
 * process with a message. If an equal, applier or comparator function changes its own array, the
 * process stops.
 */

#ifndef CRUNLOOP_RLARRAY_H
#define CRUNLOOP_RLARRAY_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** An array of pointers. CF: CFArrayRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_array, rl_swift_release_array) RL_SWIFT_NAME(RLArrayRef)
    RLOpaqueArray {
    uintptr_t _reserved;
};

#define RLArrayRef const struct RLOpaqueArray *
#define RLMutableArrayRef struct RLOpaqueArray *
#else
/** A reference to an array. CF: CFArrayRef. */
typedef const struct __CFArray *RLArrayRef;
/** A reference to a mutable array. CF: CFMutableArrayRef. */
typedef struct __CFArray *RLMutableArrayRef;
#endif

/** Retains an element and returns the pointer to store. CF: CFArrayRetainCallBack. */
typedef const void *(*RLArrayRetainCallBack)(RLAllocatorRef allocator, const void *value);
/** Releases an element. CF: CFArrayReleaseCallBack. */
typedef void (*RLArrayReleaseCallBack)(RLAllocatorRef allocator, const void *value);
/** Describes an element in a string that the caller owns. CF: CFArrayCopyDescriptionCallBack. */
typedef RLStringRef (*RLArrayCopyDescriptionCallBack)(const void *value);
/** Returns whether two elements are equal. CF: CFArrayEqualCallBack. */
typedef Boolean (*RLArrayEqualCallBack)(const void *first, const void *second);
/**
 * The function that RLArrayApplyFunction calls for each element; `context` is its argument.
 * CF: CFArrayApplierFunction.
 */
typedef void (*RLArrayApplierFunction)(const void *value, void *context);

/** The callbacks of an array for its elements; each member may be null. CF: CFArrayCallBacks. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /**
     * Called for each element that is added to the array; if null, the pointer is stored unchanged.
     */
    RLArrayRetainCallBack retain;
    /**
     * Called for each element after it was removed from the array, and for all elements when the
     * array is destroyed.
     */
    RLArrayReleaseCallBack release;
    /** Called to describe each element; if null, the pointer is printed. */
    RLArrayCopyDescriptionCallBack copyDescription;
    /** Called to compare elements; if null, the pointers are compared. */
    RLArrayEqualCallBack equal;
} RLArrayCallBacks;

/** The callbacks for elements that are RL objects. CF: kCFTypeArrayCallBacks. */
RL_EXPORT const RLArrayCallBacks kRLTypeArrayCallBacks;

/** Returns the type ID of arrays, mutable or not. CF: CFArrayGetTypeID. */
RL_EXPORT RLTypeID RLArrayGetTypeID(void);

/**
 * Creates an array.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - values: The elements; may be null if `count` is 0.
 *   - count: The number of elements; a negative number yields null.
 *   - callBacks: The callbacks for the elements; with null, plain pointers are stored.
 * - Returns: An array that the caller owns, or null.
 * - CF: CFArrayCreate.
 */
RL_EXPORT RLArrayRef RLArrayCreate(RLAllocatorRef allocator, const void **values, RLIndex count,
                                   const RLArrayCallBacks *callBacks) RL_RETURNS_RETAINED;

/**
 * Returns an immutable array with the same elements and callbacks, which the caller owns; for an
 * immutable array, the array itself. CF: CFArrayCreateCopy.
 */
RL_EXPORT RLArrayRef RLArrayCreateCopy(RLAllocatorRef allocator,
                                       RLArrayRef array) RL_RETURNS_RETAINED;

/**
 * Creates an empty mutable array.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The expected number of elements, or 0; the array grows beyond it. A negative number
 *     yields null.
 *   - callBacks: The callbacks for the elements; with null, plain pointers are stored.
 * - Returns: An array that the caller owns, or null.
 * - CF: CFArrayCreateMutable.
 */
RL_EXPORT RLMutableArrayRef RLArrayCreateMutable(RLAllocatorRef allocator, RLIndex capacity,
                                                 const RLArrayCallBacks *callBacks)
    RL_RETURNS_RETAINED;

/**
 * Creates a mutable array like RLArrayCreateMutable, with the elements and callbacks of another
 * array. CF: CFArrayCreateMutableCopy.
 */
RL_EXPORT RLMutableArrayRef RLArrayCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity,
                                                     RLArrayRef array) RL_RETURNS_RETAINED;

/** Returns the number of elements. CF: CFArrayGetCount. */
RL_EXPORT RLIndex RLArrayGetCount(RLArrayRef array);

/**
 * Returns the element at `index`, not retained; an index out of range stops the process.
 * CF: CFArrayGetValueAtIndex.
 */
RL_EXPORT const void *RLArrayGetValueAtIndex(RLArrayRef array, RLIndex index);

/**
 * Copies the elements of a range to `values`, which must be large enough. Does not retain the
 * elements. CF: CFArrayGetValues.
 */
RL_EXPORT void RLArrayGetValues(RLArrayRef array, RLRange range, const void **values);

/** Returns whether an element of a range is equal to `value`. O(n). CF: CFArrayContainsValue. */
RL_EXPORT Boolean RLArrayContainsValue(RLArrayRef array, RLRange range, const void *value);

/**
 * Returns the number of elements of a range that are equal to `value`. O(n).
 * CF: CFArrayGetCountOfValue.
 */
RL_EXPORT RLIndex RLArrayGetCountOfValue(RLArrayRef array, RLRange range, const void *value);

/**
 * Returns the index of the first element of a range that is equal to `value`, or kRLNotFound. O(n).
 * CF: CFArrayGetFirstIndexOfValue.
 */
RL_EXPORT RLIndex RLArrayGetFirstIndexOfValue(RLArrayRef array, RLRange range, const void *value);

/**
 * Returns the index of the last element of a range that is equal to `value`, or kRLNotFound. O(n).
 * CF: CFArrayGetLastIndexOfValue.
 */
RL_EXPORT RLIndex RLArrayGetLastIndexOfValue(RLArrayRef array, RLRange range, const void *value);

/**
 * Calls a function for each element of a range, in order. The function must not change the array.
 * CF: CFArrayApplyFunction.
 */
RL_EXPORT void RLArrayApplyFunction(RLArrayRef array, RLRange range, RLArrayApplierFunction applier,
                                    void *context);

/** Appends an element. Amortized O(1). CF: CFArrayAppendValue. */
RL_EXPORT void RLArrayAppendValue(RLMutableArrayRef array, const void *value);

/**
 * Appends the elements of a range of another array or of the same array. CF: CFArrayAppendArray.
 */
RL_EXPORT void RLArrayAppendArray(RLMutableArrayRef array, RLArrayRef otherArray,
                                  RLRange otherRange);

/**
 * Inserts an element before the element at `index`, or at the end if `index` is the count. O(n).
 * CF: CFArrayInsertValueAtIndex.
 */
RL_EXPORT void RLArrayInsertValueAtIndex(RLMutableArrayRef array, RLIndex index, const void *value);

/**
 * Replaces the element at `index`, or appends an element if `index` is the count.
 * CF: CFArraySetValueAtIndex.
 */
RL_EXPORT void RLArraySetValueAtIndex(RLMutableArrayRef array, RLIndex index, const void *value);

/**
 * Removes the element at `index`. O(1) at either end, so an array can serve as a queue.
 * CF: CFArrayRemoveValueAtIndex.
 */
RL_EXPORT void RLArrayRemoveValueAtIndex(RLMutableArrayRef array, RLIndex index);

/** Removes all elements. CF: CFArrayRemoveAllValues. */
RL_EXPORT void RLArrayRemoveAllValues(RLMutableArrayRef array);

/** Replaces the elements of a range with `newCount` other elements. CF: CFArrayReplaceValues. */
RL_EXPORT void RLArrayReplaceValues(RLMutableArrayRef array, RLRange range, const void **newValues,
                                    RLIndex newCount);

/** Exchanges two elements. CF: CFArrayExchangeValuesAtIndices. */
RL_EXPORT void RLArrayExchangeValuesAtIndices(RLMutableArrayRef array, RLIndex first,
                                              RLIndex second);

/**
 * Sorts the elements of a range into ascending order. Equal elements keep their order. The
 * comparator receives `context`, and must not change the array. O(n log n). CF: CFArraySortValues.
 */
RL_EXPORT void RLArraySortValues(RLMutableArrayRef array, RLRange range,
                                 RLComparatorFunction comparator, void *context);

/**
 * Returns the index of the first element that is not less than `value` in a range that is sorted in
 * ascending order; the end of the range if all elements are less. The comparator receives an
 * element, `value` and `context`, and must not change the array. O(log n).
 * CF: CFArrayBSearchValues.
 */
RL_EXPORT RLIndex RLArrayBSearchValues(RLArrayRef array, RLRange range, const void *value,
                                       RLComparatorFunction comparator, void *context);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_array(RLArrayRef array);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_array(RLArrayRef array);

RL_EXTERN_C_END

#endif
