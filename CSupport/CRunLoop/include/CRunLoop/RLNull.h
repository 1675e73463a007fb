/*
 * The null object, a placeholder in collections of objects.
 *
 * The object is a constant. All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLNULL_H
#define CRUNLOOP_RLNULL_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** The null object. CF: CFNullRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_null, rl_swift_release_null) RL_SWIFT_NAME(RLNullRef)
    RLOpaqueNull {
    uintptr_t _reserved;
};

#define RLNullRef const struct RLOpaqueNull *
#else
/** A reference to the null object. CF: CFNullRef. */
typedef const struct __CFNull *RLNullRef;
#endif

/** The null object. It need not be retained or released. CF: kCFNull. */
RL_EXPORT RLNullRef const kRLNull;

/** Returns the type ID of kRLNull. CF: CFNullGetTypeID. */
RL_EXPORT RLTypeID RLNullGetTypeID(void);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_null(RLNullRef null);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_null(RLNullRef null);

RL_EXTERN_C_END

#endif
