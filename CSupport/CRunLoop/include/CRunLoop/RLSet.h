/*
 * Immutable and mutable sets of pointers. Lookup, insertion and removal take constant time on
 * average. The order of elements is unspecified, and may change.
 *
 * An immutable set may be used from any thread. A mutable set may be used by one thread at a time,
 * as in CF. A change of an immutable set stops the process with a message. If an equal, hash or
 * applier function changes its own set, the process stops.
 */

#ifndef CRUNLOOP_RLSET_H
#define CRUNLOOP_RLSET_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A set of pointers. CF: CFSetRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_set, rl_swift_release_set) RL_SWIFT_NAME(RLSetRef)
    RLOpaqueSet {
    uintptr_t _reserved;
};

#define RLSetRef const struct RLOpaqueSet *
#define RLMutableSetRef struct RLOpaqueSet *
#else
/** A reference to a set. CF: CFSetRef. */
typedef const struct __CFSet *RLSetRef;
/** A reference to a mutable set. CF: CFMutableSetRef. */
typedef struct __CFSet *RLMutableSetRef;
#endif

/** Retains an element and returns the pointer to store. CF: CFSetRetainCallBack. */
typedef const void *(*RLSetRetainCallBack)(RLAllocatorRef allocator, const void *value);
/** Releases an element. CF: CFSetReleaseCallBack. */
typedef void (*RLSetReleaseCallBack)(RLAllocatorRef allocator, const void *value);
/** Describes an element in a string that the caller owns. CF: CFSetCopyDescriptionCallBack. */
typedef RLStringRef (*RLSetCopyDescriptionCallBack)(const void *value);
/** Returns whether two elements are equal. CF: CFSetEqualCallBack. */
typedef Boolean (*RLSetEqualCallBack)(const void *first, const void *second);
/** Returns the hash of an element. Equal elements must have equal hashes. CF: CFSetHashCallBack. */
typedef RLHashCode (*RLSetHashCallBack)(const void *value);
/**
 * The function that RLSetApplyFunction calls for each element; `context` is its argument.
 * CF: CFSetApplierFunction.
 */
typedef void (*RLSetApplierFunction)(const void *value, void *context);

/** The callbacks of a set for its elements; each member may be null. CF: CFSetCallBacks. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /**
     * Called for each element that is added to the set; if null, the pointer is stored unchanged.
     */
    RLSetRetainCallBack retain;
    /**
     * Called for each element after it was removed from the set, and for all elements when the set
     * is destroyed.
     */
    RLSetReleaseCallBack release;
    /** Called to describe each element; if null, the pointer is printed. */
    RLSetCopyDescriptionCallBack copyDescription;
    /** Called to compare elements of equal hashes; if null, the pointers are compared. */
    RLSetEqualCallBack equal;
    /** Called to hash an element for an insertion or a lookup; if null, the pointer is hashed. */
    RLSetHashCallBack hash;
} RLSetCallBacks;

/** The callbacks for elements that are RL objects. CF: kCFTypeSetCallBacks. */
RL_EXPORT const RLSetCallBacks kRLTypeSetCallBacks;
/**
 * The callbacks for elements that are strings. The set stores copies of the strings.
 * CF: kCFCopyStringSetCallBacks.
 */
RL_EXPORT const RLSetCallBacks kRLCopyStringSetCallBacks;

/** Returns the type ID of sets, mutable or not. CF: CFSetGetTypeID. */
RL_EXPORT RLTypeID RLSetGetTypeID(void);

/**
 * Creates a set.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - values: The elements; of equal elements, the first is kept. May be null if `count` is 0.
 *   - count: The number of elements; a negative number yields null.
 *   - callBacks: The callbacks for the elements; with null, plain pointers are stored and compared.
 * - Returns: A set that the caller owns, or null.
 * - CF: CFSetCreate.
 */
RL_EXPORT RLSetRef RLSetCreate(RLAllocatorRef allocator, const void **values, RLIndex count,
                               const RLSetCallBacks *callBacks) RL_RETURNS_RETAINED;

/**
 * Returns an immutable set with the same elements and callbacks, which the caller owns; for an
 * immutable set, the set itself. CF: CFSetCreateCopy.
 */
RL_EXPORT RLSetRef RLSetCreateCopy(RLAllocatorRef allocator, RLSetRef set) RL_RETURNS_RETAINED;

/**
 * Creates an empty mutable set.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The expected number of elements, or 0; the set grows beyond it. A negative number
 *     yields null.
 *   - callBacks: See RLSetCreate.
 * - Returns: A set that the caller owns, or null.
 * - CF: CFSetCreateMutable.
 */
RL_EXPORT RLMutableSetRef RLSetCreateMutable(RLAllocatorRef allocator, RLIndex capacity,
                                             const RLSetCallBacks *callBacks) RL_RETURNS_RETAINED;

/**
 * Creates a mutable set like RLSetCreateMutable, with the elements and callbacks of another set.
 * CF: CFSetCreateMutableCopy.
 */
RL_EXPORT RLMutableSetRef RLSetCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity,
                                                 RLSetRef set) RL_RETURNS_RETAINED;

/** Returns the number of elements. CF: CFSetGetCount. */
RL_EXPORT RLIndex RLSetGetCount(RLSetRef set);

/** Returns 1 if an element is equal to `value`, otherwise 0. CF: CFSetGetCountOfValue. */
RL_EXPORT RLIndex RLSetGetCountOfValue(RLSetRef set, const void *value);

/** Returns whether an element is equal to `value`. CF: CFSetContainsValue. */
RL_EXPORT Boolean RLSetContainsValue(RLSetRef set, const void *value);

/** Returns the element that is equal to `value`, not retained, or null. CF: CFSetGetValue. */
RL_EXPORT const void *RLSetGetValue(RLSetRef set, const void *value);

/**
 * Returns whether an element is equal to `candidate`. If so, stores the element in `*value`, not
 * retained; `value` may be null. CF: CFSetGetValueIfPresent.
 */
RL_EXPORT Boolean RLSetGetValueIfPresent(RLSetRef set, const void *candidate, const void **value);

/**
 * Copies all elements to `values`, which must be large enough. Does not retain the elements.
 * CF: CFSetGetValues.
 */
RL_EXPORT void RLSetGetValues(RLSetRef set, const void **values);

/** Calls a function, which must not change the set, for each element. CF: CFSetApplyFunction. */
RL_EXPORT void RLSetApplyFunction(RLSetRef set, RLSetApplierFunction applier, void *context);

/** Adds an element, unless the set has an equal element. CF: CFSetAddValue. */
RL_EXPORT void RLSetAddValue(RLMutableSetRef set, const void *value);

/**
 * Replaces the element that is equal to `value` with `value`; does nothing if there is none.
 * CF: CFSetReplaceValue.
 */
RL_EXPORT void RLSetReplaceValue(RLMutableSetRef set, const void *value);

/** Adds an element, or replaces the equal element. CF: CFSetSetValue. */
RL_EXPORT void RLSetSetValue(RLMutableSetRef set, const void *value);

/** Removes the element that is equal to `value`, if there is one. CF: CFSetRemoveValue. */
RL_EXPORT void RLSetRemoveValue(RLMutableSetRef set, const void *value);

/** Removes all elements. CF: CFSetRemoveAllValues. */
RL_EXPORT void RLSetRemoveAllValues(RLMutableSetRef set);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_set(RLSetRef set);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_set(RLSetRef set);

RL_EXTERN_C_END

#endif
