/*
 * Sets of pointers: immutable, and mutable ones that grow. Finding, adding and removing take
 * constant time; the order of elements is unspecified and changes.
 *
 * An immutable set may be used from any thread. A mutable one may be used by one thread at a time,
 * as in CF. A change of an immutable set, and a change by a callback of the very call that needs
 * the set unchanged, stop the process with one line.
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
/** A reference to a set that can be changed. CF: CFMutableSetRef. */
typedef struct __CFSet *RLMutableSetRef;
#endif

/** Adds a reference to an element and returns the pointer to store. CF: CFSetRetainCallBack. */
typedef const void *(*RLSetRetainCallBack)(RLAllocatorRef allocator, const void *value);
/** Releases an element. CF: CFSetReleaseCallBack. */
typedef void (*RLSetReleaseCallBack)(RLAllocatorRef allocator, const void *value);
/** Describes an element in a string that the caller owns. CF: CFSetCopyDescriptionCallBack. */
typedef RLStringRef (*RLSetCopyDescriptionCallBack)(const void *value);
/** Whether two elements are equal. CF: CFSetEqualCallBack. */
typedef Boolean (*RLSetEqualCallBack)(const void *first, const void *second);
/** The hash of an element; equal elements have equal hashes. CF: CFSetHashCallBack. */
typedef RLHashCode (*RLSetHashCallBack)(const void *value);
/**
 * Called for an element; `context` is the argument of RLSetApplyFunction. CF: CFSetApplierFunction.
 */
typedef void (*RLSetApplierFunction)(const void *value, void *context);

/** The callbacks of a set for its elements; each member may be null. CF: CFSetCallBacks. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** Called for each element that enters the set; null keeps the pointer as it is. */
    RLSetRetainCallBack retain;
    /**
     * Called for each element after it has left the set, and for all of them when the set is
     * destroyed.
     */
    RLSetReleaseCallBack release;
    /** Called to describe each element; null prints the pointer. */
    RLSetCopyDescriptionCallBack copyDescription;
    /** Called to compare elements of equal hashes; null compares the pointers. */
    RLSetEqualCallBack equal;
    /** Called to hash an element for adding or a lookup; null hashes the pointer. */
    RLSetHashCallBack hash;
} RLSetCallBacks;

/** The callbacks for elements that are RL objects. CF: kCFTypeSetCallBacks. */
RL_EXPORT const RLSetCallBacks kRLTypeSetCallBacks;
/**
 * The callbacks for elements that are strings, of which the set keeps copies.
 * CF: kCFCopyStringSetCallBacks.
 */
RL_EXPORT const RLSetCallBacks kRLCopyStringSetCallBacks;

/** The type number of sets, mutable or not. CF: CFSetGetTypeID. */
RL_EXPORT RLTypeID RLSetGetTypeID(void);

/**
 * Makes a set.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - values: The elements; of equal ones, the first is kept. May be null if `count` is 0.
 *   - count: The number of elements; a negative number yields null.
 *   - callBacks: The callbacks for the elements; null stores and compares plain pointers.
 * - Returns: A set that the caller owns, or null.
 * - CF: CFSetCreate.
 */
RL_EXPORT RLSetRef RLSetCreate(RLAllocatorRef allocator, const void **values, RLIndex count,
                               const RLSetCallBacks *callBacks) RL_RETURNS_RETAINED;

/**
 * Returns an immutable set with the same elements and callbacks, which the caller owns; for an
 * immutable set, the set itself.
 *
 * - CF: CFSetCreateCopy.
 */
RL_EXPORT RLSetRef RLSetCreateCopy(RLAllocatorRef allocator, RLSetRef set) RL_RETURNS_RETAINED;

/**
 * Makes an empty set that can be changed.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The expected number of elements, or 0; the set grows beyond it. A negative number
 *     yields null.
 *   - callBacks: As for RLSetCreate.
 * - Returns: A set that the caller owns, or null.
 * - CF: CFSetCreateMutable.
 */
RL_EXPORT RLMutableSetRef RLSetCreateMutable(RLAllocatorRef allocator, RLIndex capacity,
                                             const RLSetCallBacks *callBacks) RL_RETURNS_RETAINED;

/**
 * As RLSetCreateMutable, with the elements and callbacks of another set.
 * CF: CFSetCreateMutableCopy.
 */
RL_EXPORT RLMutableSetRef RLSetCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity,
                                                 RLSetRef set) RL_RETURNS_RETAINED;

/** The number of elements. CF: CFSetGetCount. */
RL_EXPORT RLIndex RLSetGetCount(RLSetRef set);

/** 1 if an element is equal to `value`, 0 if none is. CF: CFSetGetCountOfValue. */
RL_EXPORT RLIndex RLSetGetCountOfValue(RLSetRef set, const void *value);

/** Whether an element is equal to `value`. CF: CFSetContainsValue. */
RL_EXPORT Boolean RLSetContainsValue(RLSetRef set, const void *value);

/** The element that is equal to `value`, not retained, or null. CF: CFSetGetValue. */
RL_EXPORT const void *RLSetGetValue(RLSetRef set, const void *value);

/**
 * Whether an element is equal to `candidate`; if so and `value` is not null, stores it there, not
 * retained.
 *
 * - CF: CFSetGetValueIfPresent.
 */
RL_EXPORT Boolean RLSetGetValueIfPresent(RLSetRef set, const void *candidate, const void **value);

/**
 * Copies all elements into a list that is large enough, without retaining them. CF: CFSetGetValues.
 */
RL_EXPORT void RLSetGetValues(RLSetRef set, const void **values);

/** Calls a function, which must not change the set, for each element. CF: CFSetApplyFunction. */
RL_EXPORT void RLSetApplyFunction(RLSetRef set, RLSetApplierFunction applier, void *context);

/** Adds an element unless the set has an equal one. CF: CFSetAddValue. */
RL_EXPORT void RLSetAddValue(RLMutableSetRef set, const void *value);

/**
 * Replaces an equal element by this one; does nothing if there is none. CF: CFSetReplaceValue.
 */
RL_EXPORT void RLSetReplaceValue(RLMutableSetRef set, const void *value);

/** Adds an element, or replaces an equal one. CF: CFSetSetValue. */
RL_EXPORT void RLSetSetValue(RLMutableSetRef set, const void *value);

/** Removes the element that is equal to `value`, if there is one. CF: CFSetRemoveValue. */
RL_EXPORT void RLSetRemoveValue(RLMutableSetRef set, const void *value);

/** Removes all elements. CF: CFSetRemoveAllValues. */
RL_EXPORT void RLSetRemoveAllValues(RLMutableSetRef set);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_set(RLSetRef set);
/** @see rl_swift_retain_set */
RL_EXPORT void rl_swift_release_set(RLSetRef set);

RL_EXTERN_C_END

#endif
