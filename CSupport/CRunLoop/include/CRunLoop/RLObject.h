/*
 * The functions of all RL objects: reference counts, types, equality and descriptions.
 *
 * All functions may be called from any thread. An argument that is null or is not an RL object
 * stops the process with a message that names the function, unless stated otherwise.
 */

#ifndef CRUNLOOP_RLOBJECT_H
#define CRUNLOOP_RLOBJECT_H

#include <CRunLoop/RLBase.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** An immutable string. CF: CFStringRef. See RLString.h. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_string, rl_swift_release_string)
    RL_SWIFT_NAME(RLStringRef) RLOpaqueString {
    uintptr_t _reserved;
};

#define RLStringRef const struct RLOpaqueString *
#else
/** A reference to an immutable string. CF: CFStringRef. */
typedef const struct __CFString *RLStringRef;
#endif

/**
 * Retains an object: adds a reference. Returns the object itself, so that calls can be nested.
 * Swift retains and releases automatically. CF: CFRetain.
 */
RL_EXPORT RLTypeRef RLRetain(RLTypeRef object);

/**
 * Releases an object: removes a reference. The last release destroys the object, and calls the
 * release callback of the object's context on the calling thread. Over-releasing stops the process.
 * If another object has reused the memory, this object is released instead. CF: CFRelease.
 */
RL_EXPORT void RLRelease(RLTypeRef object);

/**
 * Returns the number of references, for debugging. Another thread may change the number at any
 * time. CF: CFGetRetainCount.
 */
RL_EXPORT RLIndex RLGetRetainCount(RLTypeRef object);

/** Returns the type ID of an object. CF: CFGetTypeID. */
RL_EXPORT RLTypeID RLGetTypeID(RLTypeRef object);

/**
 * Returns whether two objects are equal: strings, data and numbers by value, collections by their
 * elements, sources by their contexts (clause SRC-5), everything else by identity. CF: CFEqual.
 */
RL_EXPORT Boolean RLEqual(RLTypeRef first, RLTypeRef second);

/** Returns the hash of an object. Equal objects have equal hashes (RLEqual). CF: CFHash. */
RL_EXPORT RLHashCode RLHash(RLTypeRef object);

/**
 * Returns a description of an object for debugging, in a string that the caller owns. The format
 * may change. CF: CFCopyDescription.
 */
RL_EXPORT RLStringRef RLCopyDescription(RLTypeRef object) RL_RETURNS_RETAINED;

/**
 * Returns the name of a type, such as `RLString`, in a string that the caller owns. An unknown type
 * ID stops the process. CF: CFCopyTypeIDDescription.
 */
RL_EXPORT RLStringRef RLCopyTypeIDDescription(RLTypeID typeID) RL_RETURNS_RETAINED;

/** Returns the object itself, because there is no garbage collection. CF: CFMakeCollectable. */
RL_EXPORT RLTypeRef RLMakeCollectable(RLTypeRef object);

/**
 * Prints the object's description and a newline to standard error; `(null)` for null. CF: CFShow.
 */
RL_EXPORT void RLShow(RLTypeRef object);

RL_EXTERN_C_END

#endif
