/*
 * Immutable and mutable dictionaries of pointers. Lookup, insertion and removal take constant time
 * on average. The order of entries is unspecified, and may change.
 *
 * An immutable dictionary may be used from any thread. A mutable dictionary may be used by one
 * thread at a time, as in CF. A change of an immutable dictionary stops the process with a message.
 * If an equal, hash or applier function changes its own dictionary, the process stops.
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
/** A reference to a mutable dictionary. CF: CFMutableDictionaryRef. */
typedef struct __CFDictionary *RLMutableDictionaryRef;
#endif

/** Retains a key or a value and returns the pointer to store. CF: CFDictionaryRetainCallBack. */
typedef const void *(*RLDictionaryRetainCallBack)(RLAllocatorRef allocator, const void *value);
/** Releases a key or a value. CF: CFDictionaryReleaseCallBack. */
typedef void (*RLDictionaryReleaseCallBack)(RLAllocatorRef allocator, const void *value);
/**
 * Describes a key or a value in a string that the caller owns.
 * CF: CFDictionaryCopyDescriptionCallBack.
 */
typedef RLStringRef (*RLDictionaryCopyDescriptionCallBack)(const void *value);
/** Returns whether two keys, or two values, are equal. CF: CFDictionaryEqualCallBack. */
typedef Boolean (*RLDictionaryEqualCallBack)(const void *first, const void *second);
/** Returns the hash of a key. Equal keys must have equal hashes. CF: CFDictionaryHashCallBack. */
typedef RLHashCode (*RLDictionaryHashCallBack)(const void *value);
/**
 * The function that RLDictionaryApplyFunction calls for each entry; `context` is its argument.
 * CF: CFDictionaryApplierFunction.
 */
typedef void (*RLDictionaryApplierFunction)(const void *key, const void *value, void *context);

/**
 * The callbacks of a dictionary for its keys; each member may be null.
 * CF: CFDictionaryKeyCallBacks.
 */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** Called for each key that is added; if null, the pointer is stored unchanged. */
    RLDictionaryRetainCallBack retain;
    /**
     * Called for each key after it was removed, and for all keys when the dictionary is destroyed.
     */
    RLDictionaryReleaseCallBack release;
    /** Called to describe each key; if null, the pointer is printed. */
    RLDictionaryCopyDescriptionCallBack copyDescription;
    /** Called to compare keys of equal hashes; if null, the pointers are compared. */
    RLDictionaryEqualCallBack equal;
    /** Called to hash a key for an insertion or a lookup; if null, the pointer is hashed. */
    RLDictionaryHashCallBack hash;
} RLDictionaryKeyCallBacks;

/**
 * The callbacks of a dictionary for its values; each member may be null.
 * CF: CFDictionaryValueCallBacks.
 */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** Called for each value that is added; if null, the pointer is stored unchanged. */
    RLDictionaryRetainCallBack retain;
    /**
     * Called for each value after it was removed, and for all values when the dictionary is
     * destroyed.
     */
    RLDictionaryReleaseCallBack release;
    /** Called to describe each value; if null, the pointer is printed. */
    RLDictionaryCopyDescriptionCallBack copyDescription;
    /** Called to compare values; if null, the pointers are compared. */
    RLDictionaryEqualCallBack equal;
} RLDictionaryValueCallBacks;

/** The callbacks for keys that are RL objects. CF: kCFTypeDictionaryKeyCallBacks. */
RL_EXPORT const RLDictionaryKeyCallBacks kRLTypeDictionaryKeyCallBacks;
/**
 * The callbacks for keys that are strings. The dictionary stores copies of the strings.
 * CF: kCFCopyStringDictionaryKeyCallBacks.
 */
RL_EXPORT const RLDictionaryKeyCallBacks kRLCopyStringDictionaryKeyCallBacks;
/** The callbacks for values that are RL objects. CF: kCFTypeDictionaryValueCallBacks. */
RL_EXPORT const RLDictionaryValueCallBacks kRLTypeDictionaryValueCallBacks;

/** Returns the type ID of dictionaries, mutable or not. CF: CFDictionaryGetTypeID. */
RL_EXPORT RLTypeID RLDictionaryGetTypeID(void);

/**
 * Creates a dictionary.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - keys: The keys; of equal keys, the first is kept. May be null if `count` is 0.
 *   - values: The values of the keys. May be null if `count` is 0.
 *   - count: The number of entries; a negative number yields null.
 *   - keyCallBacks: The callbacks for keys; with null, plain pointers are stored and compared.
 *   - valueCallBacks: The callbacks for values; with null, plain pointers are stored and compared.
 * - Returns: A dictionary that the caller owns, or null.
 * - CF: CFDictionaryCreate.
 */
RL_EXPORT RLDictionaryRef
RLDictionaryCreate(RLAllocatorRef allocator, const void **keys, const void **values, RLIndex count,
                   const RLDictionaryKeyCallBacks *keyCallBacks,
                   const RLDictionaryValueCallBacks *valueCallBacks) RL_RETURNS_RETAINED;

/**
 * Returns an immutable dictionary with the same entries and callbacks, which the caller owns; for
 * an immutable dictionary, the dictionary itself. CF: CFDictionaryCreateCopy.
 */
RL_EXPORT RLDictionaryRef RLDictionaryCreateCopy(RLAllocatorRef allocator,
                                                 RLDictionaryRef dictionary) RL_RETURNS_RETAINED;

/**
 * Creates an empty mutable dictionary.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The expected number of entries, or 0; the dictionary grows beyond it. A negative
 *     number yields null.
 *   - keyCallBacks: See RLDictionaryCreate.
 *   - valueCallBacks: See RLDictionaryCreate.
 * - Returns: A dictionary that the caller owns, or null.
 * - CF: CFDictionaryCreateMutable.
 */
RL_EXPORT RLMutableDictionaryRef RLDictionaryCreateMutable(
    RLAllocatorRef allocator, RLIndex capacity, const RLDictionaryKeyCallBacks *keyCallBacks,
    const RLDictionaryValueCallBacks *valueCallBacks) RL_RETURNS_RETAINED;

/**
 * Creates a mutable dictionary like RLDictionaryCreateMutable, with the entries and callbacks of
 * another dictionary. CF: CFDictionaryCreateMutableCopy.
 */
RL_EXPORT RLMutableDictionaryRef RLDictionaryCreateMutableCopy(
    RLAllocatorRef allocator, RLIndex capacity, RLDictionaryRef dictionary) RL_RETURNS_RETAINED;

/** Returns the number of entries. CF: CFDictionaryGetCount. */
RL_EXPORT RLIndex RLDictionaryGetCount(RLDictionaryRef dictionary);

/** Returns 1 if there is a key equal to `key`, otherwise 0. CF: CFDictionaryGetCountOfKey. */
RL_EXPORT RLIndex RLDictionaryGetCountOfKey(RLDictionaryRef dictionary, const void *key);

/**
 * Returns the number of values that are equal to `value`. O(n). CF: CFDictionaryGetCountOfValue.
 */
RL_EXPORT RLIndex RLDictionaryGetCountOfValue(RLDictionaryRef dictionary, const void *value);

/** Returns whether there is a key equal to `key`. CF: CFDictionaryContainsKey. */
RL_EXPORT Boolean RLDictionaryContainsKey(RLDictionaryRef dictionary, const void *key);

/** Returns whether there is a value equal to `value`. O(n). CF: CFDictionaryContainsValue. */
RL_EXPORT Boolean RLDictionaryContainsValue(RLDictionaryRef dictionary, const void *value);

/**
 * Returns the value of a key, not retained, or null if there is no such key.
 * CF: CFDictionaryGetValue.
 */
RL_EXPORT const void *RLDictionaryGetValue(RLDictionaryRef dictionary, const void *key);

/**
 * Returns whether there is a key equal to `key`. If so, stores this key in `*actualKey`, not
 * retained; `actualKey` may be null. CF: CFDictionaryGetKeyIfPresent.
 */
RL_EXPORT Boolean RLDictionaryGetKeyIfPresent(RLDictionaryRef dictionary, const void *key,
                                              const void **actualKey);

/**
 * Returns whether there is a key equal to `key`. If so, stores its value in `*value`, not retained;
 * `value` may be null. CF: CFDictionaryGetValueIfPresent.
 */
RL_EXPORT Boolean RLDictionaryGetValueIfPresent(RLDictionaryRef dictionary, const void *key,
                                                const void **value);

/**
 * Copies all keys to `keys` and all values to `values`, in the same order. Each list must be large
 * enough, or null. Does not retain keys and values. CF: CFDictionaryGetKeysAndValues.
 */
RL_EXPORT void RLDictionaryGetKeysAndValues(RLDictionaryRef dictionary, const void **keys,
                                            const void **values);

/**
 * Calls a function, which must not change the dictionary, for each entry.
 * CF: CFDictionaryApplyFunction.
 */
RL_EXPORT void RLDictionaryApplyFunction(RLDictionaryRef dictionary,
                                         RLDictionaryApplierFunction applier, void *context);

/** Adds an entry, unless the dictionary has the key. CF: CFDictionaryAddValue. */
RL_EXPORT void RLDictionaryAddValue(RLMutableDictionaryRef dictionary, const void *key,
                                    const void *value);

/**
 * Replaces the key and value of an existing entry; does nothing if there is none.
 * CF: CFDictionaryReplaceValue.
 */
RL_EXPORT void RLDictionaryReplaceValue(RLMutableDictionaryRef dictionary, const void *key,
                                        const void *value);

/** Adds an entry, or replaces the key and value of the existing entry. CF: CFDictionarySetValue. */
RL_EXPORT void RLDictionarySetValue(RLMutableDictionaryRef dictionary, const void *key,
                                    const void *value);

/** Removes the entry of a key, if there is one. CF: CFDictionaryRemoveValue. */
RL_EXPORT void RLDictionaryRemoveValue(RLMutableDictionaryRef dictionary, const void *key);

/** Removes all entries. CF: CFDictionaryRemoveAllValues. */
RL_EXPORT void RLDictionaryRemoveAllValues(RLMutableDictionaryRef dictionary);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_dictionary(RLDictionaryRef dictionary);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_dictionary(RLDictionaryRef dictionary);

RL_EXTERN_C_END

#endif
