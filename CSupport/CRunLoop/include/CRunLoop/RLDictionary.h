/*
 * Dictionaries of pointers: immutable, and mutable ones that grow. Finding, adding and removing
 * take constant time; the order of elements is unspecified and changes.
 *
 * An immutable dictionary may be used from any thread. A mutable one may be used by one thread at a
 * time, as in CF. A change of an immutable dictionary, and a change by a callback of the very call
 * that needs the dictionary unchanged, stop the process with one line.
 */

#ifndef CRUNLOOP_RLDICTIONARY_H
#define CRUNLOOP_RLDICTIONARY_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A dictionary of pointers. CF: CFDictionaryRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_dictionary, rl_swift_release_dictionary)
    RL_SWIFT_NAME(RLDictionaryRef) RLOpaqueDictionary {
    uintptr_t _reserved;
};

#define RLDictionaryRef const struct RLOpaqueDictionary *
#define RLMutableDictionaryRef struct RLOpaqueDictionary *
#else
/** A reference to a dictionary. CF: CFDictionaryRef. */
typedef const struct __CFDictionary *RLDictionaryRef;
/** A reference to a dictionary that can be changed. CF: CFMutableDictionaryRef. */
typedef struct __CFDictionary *RLMutableDictionaryRef;
#endif

/**
 * Adds a reference to a key or a value and returns the pointer to store. CF:
 * CFDictionaryRetainCallBack.
 */
typedef const void *(*RLDictionaryRetainCallBack)(RLAllocatorRef allocator, const void *value);
/** Releases a key or a value. CF: CFDictionaryReleaseCallBack. */
typedef void (*RLDictionaryReleaseCallBack)(RLAllocatorRef allocator, const void *value);
/**
 * Describes a key or a value in a string that the caller owns.
 * CF: CFDictionaryCopyDescriptionCallBack.
 */
typedef RLStringRef (*RLDictionaryCopyDescriptionCallBack)(const void *value);
/** Whether two keys, or two values, are equal. CF: CFDictionaryEqualCallBack. */
typedef Boolean (*RLDictionaryEqualCallBack)(const void *first, const void *second);
/** The hash of a key; equal keys have equal hashes. CF: CFDictionaryHashCallBack. */
typedef RLHashCode (*RLDictionaryHashCallBack)(const void *value);
/**
 * Called for an entry; `context` is the argument of RLDictionaryApplyFunction. CF:
 * CFDictionaryApplierFunction.
 */
typedef void (*RLDictionaryApplierFunction)(const void *key, const void *value, void *context);

/**
 * The callbacks of a dictionary for its keys; each member may be null.
 * CF: CFDictionaryKeyCallBacks.
 */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** Called for each key that enters; null keeps the pointer as it is. */
    RLDictionaryRetainCallBack retain;
    /**
     * Called for each key after it has left, and for all of them when the dictionary is destroyed.
     */
    RLDictionaryReleaseCallBack release;
    /** Called to describe each key; null prints the pointer. */
    RLDictionaryCopyDescriptionCallBack copyDescription;
    /** Called to compare keys of equal hashes; null compares the pointers. */
    RLDictionaryEqualCallBack equal;
    /** Called to hash a key for adding or a lookup; null hashes the pointer. */
    RLDictionaryHashCallBack hash;
} RLDictionaryKeyCallBacks;

/**
 * The callbacks of a dictionary for its values; each member may be null.
 * CF: CFDictionaryValueCallBacks.
 */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** Called for each value that enters; null keeps the pointer as it is. */
    RLDictionaryRetainCallBack retain;
    /**
     * Called for each value after it has left, and for all of them when the dictionary is
     * destroyed.
     */
    RLDictionaryReleaseCallBack release;
    /** Called to describe each value; null prints the pointer. */
    RLDictionaryCopyDescriptionCallBack copyDescription;
    /** Called to compare values; null compares the pointers. */
    RLDictionaryEqualCallBack equal;
} RLDictionaryValueCallBacks;

/** The callbacks for keys that are RL objects. CF: kCFTypeDictionaryKeyCallBacks. */
RL_EXPORT const RLDictionaryKeyCallBacks kRLTypeDictionaryKeyCallBacks;
/**
 * The callbacks for keys that are strings, of which the dictionary keeps copies.
 * CF: kCFCopyStringDictionaryKeyCallBacks.
 */
RL_EXPORT const RLDictionaryKeyCallBacks kRLCopyStringDictionaryKeyCallBacks;
/** The callbacks for values that are RL objects. CF: kCFTypeDictionaryValueCallBacks. */
RL_EXPORT const RLDictionaryValueCallBacks kRLTypeDictionaryValueCallBacks;

/** The type number of dictionaries, mutable or not. CF: CFDictionaryGetTypeID. */
RL_EXPORT RLTypeID RLDictionaryGetTypeID(void);

/**
 * Makes a dictionary.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - keys: The keys; of equal ones, the first is kept. May be null if `count` is 0.
 *   - values: As many values. May be null if `count` is 0.
 *   - count: The number of entries; a negative number yields null.
 *   - keyCallBacks: The callbacks for keys; null stores and compares plain pointers.
 *   - valueCallBacks: The callbacks for values; null stores and compares plain pointers.
 * - Returns: A dictionary that the caller owns, or null.
 * - CF: CFDictionaryCreate.
 */
RL_EXPORT RLDictionaryRef
RLDictionaryCreate(RLAllocatorRef allocator, const void **keys, const void **values, RLIndex count,
                   const RLDictionaryKeyCallBacks *keyCallBacks,
                   const RLDictionaryValueCallBacks *valueCallBacks) RL_RETURNS_RETAINED;

/**
 * Returns an immutable dictionary with the same entries and callbacks, which the caller owns; for
 * an immutable dictionary, the dictionary itself.
 *
 * - CF: CFDictionaryCreateCopy.
 */
RL_EXPORT RLDictionaryRef RLDictionaryCreateCopy(RLAllocatorRef allocator,
                                                 RLDictionaryRef dictionary) RL_RETURNS_RETAINED;

/**
 * Makes an empty dictionary that can be changed.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The expected number of entries, or 0; the dictionary grows beyond it. A negative
 *     number yields null.
 *   - keyCallBacks: As for RLDictionaryCreate.
 *   - valueCallBacks: As for RLDictionaryCreate.
 * - Returns: A dictionary that the caller owns, or null.
 * - CF: CFDictionaryCreateMutable.
 */
RL_EXPORT RLMutableDictionaryRef RLDictionaryCreateMutable(
    RLAllocatorRef allocator, RLIndex capacity, const RLDictionaryKeyCallBacks *keyCallBacks,
    const RLDictionaryValueCallBacks *valueCallBacks) RL_RETURNS_RETAINED;

/**
 * As RLDictionaryCreateMutable, with the entries and callbacks of another dictionary.
 * CF: CFDictionaryCreateMutableCopy.
 */
RL_EXPORT RLMutableDictionaryRef RLDictionaryCreateMutableCopy(
    RLAllocatorRef allocator, RLIndex capacity, RLDictionaryRef dictionary) RL_RETURNS_RETAINED;

/** The number of entries. CF: CFDictionaryGetCount. */
RL_EXPORT RLIndex RLDictionaryGetCount(RLDictionaryRef dictionary);

/** 1 if there is a key equal to `key`, 0 if there is none. CF: CFDictionaryGetCountOfKey. */
RL_EXPORT RLIndex RLDictionaryGetCountOfKey(RLDictionaryRef dictionary, const void *key);

/** The number of values that are equal to `value`. O(n). CF: CFDictionaryGetCountOfValue. */
RL_EXPORT RLIndex RLDictionaryGetCountOfValue(RLDictionaryRef dictionary, const void *value);

/** Whether there is a key equal to `key`. CF: CFDictionaryContainsKey. */
RL_EXPORT Boolean RLDictionaryContainsKey(RLDictionaryRef dictionary, const void *key);

/** Whether there is a value equal to `value`. O(n). CF: CFDictionaryContainsValue. */
RL_EXPORT Boolean RLDictionaryContainsValue(RLDictionaryRef dictionary, const void *value);

/** The value of a key, not retained, or null if there is none. CF: CFDictionaryGetValue. */
RL_EXPORT const void *RLDictionaryGetValue(RLDictionaryRef dictionary, const void *key);

/**
 * Whether there is a key equal to `key`; if so and `actualKey` is not null, stores it there, not
 * retained.
 *
 * - CF: CFDictionaryGetKeyIfPresent.
 */
RL_EXPORT Boolean RLDictionaryGetKeyIfPresent(RLDictionaryRef dictionary, const void *key,
                                              const void **actualKey);

/**
 * Whether there is a key equal to `key`; if so and `value` is not null, stores its value there, not
 * retained.
 *
 * - CF: CFDictionaryGetValueIfPresent.
 */
RL_EXPORT Boolean RLDictionaryGetValueIfPresent(RLDictionaryRef dictionary, const void *key,
                                                const void **value);

/**
 * Copies all keys and values, in the same order, into lists that are large enough, without
 * retaining them. Either list may be null.
 *
 * - CF: CFDictionaryGetKeysAndValues.
 */
RL_EXPORT void RLDictionaryGetKeysAndValues(RLDictionaryRef dictionary, const void **keys,
                                            const void **values);

/**
 * Calls a function, which must not change the dictionary, for each entry.
 * CF: CFDictionaryApplyFunction.
 */
RL_EXPORT void RLDictionaryApplyFunction(RLDictionaryRef dictionary,
                                         RLDictionaryApplierFunction applier, void *context);

/** Adds an entry unless the dictionary has its key. CF: CFDictionaryAddValue. */
RL_EXPORT void RLDictionaryAddValue(RLMutableDictionaryRef dictionary, const void *key,
                                    const void *value);

/**
 * Replaces the key and value of an existing entry; does nothing if there is none. CF:
 * CFDictionaryReplaceValue.
 */
RL_EXPORT void RLDictionaryReplaceValue(RLMutableDictionaryRef dictionary, const void *key,
                                        const void *value);

/** Adds an entry, or replaces the key and value of the existing one. CF: CFDictionarySetValue. */
RL_EXPORT void RLDictionarySetValue(RLMutableDictionaryRef dictionary, const void *key,
                                    const void *value);

/** Removes the entry of a key, if there is one. CF: CFDictionaryRemoveValue. */
RL_EXPORT void RLDictionaryRemoveValue(RLMutableDictionaryRef dictionary, const void *key);

/** Removes all entries. CF: CFDictionaryRemoveAllValues. */
RL_EXPORT void RLDictionaryRemoveAllValues(RLMutableDictionaryRef dictionary);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_dictionary(RLDictionaryRef dictionary);
/** @see rl_swift_retain_dictionary */
RL_EXPORT void rl_swift_release_dictionary(RLDictionaryRef dictionary);

RL_EXTERN_C_END

#endif
