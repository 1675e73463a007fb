/*
 * Hosts: their names and addresses, which the system's resolver looks up.
 *
 * Create a host from a name and resolve its addresses, or create a host from an address and resolve
 * its names. Without a client, the resolution blocks the caller. With a client that is scheduled in
 * modes of loops, the resolution runs in the background, and the client is called on a loop's
 * thread, with no lock held. A loop retains a host that is scheduled in it until the host is
 * unscheduled. After a fork, cancel the parent's resolutions in the child. All functions may be
 * called from any thread.
 *
 * At most four lookups of hosts and streams run at a time, on temporary threads. Four lookups
 * without a reply delay other lookups until the resolver times out.
 *
 * The library has no counterpart to SCNetworkReachability of Apple's System Configuration.
 */

#ifndef CRUNLOOP_RLHOST_H
#define CRUNLOOP_RLHOST_H

#include <CRunLoop/RLAllocator.h>
#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLData.h>
#include <CRunLoop/RLRunLoop.h>
#include <CRunLoop/RLStream.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A host. CF: CFHostRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_host, rl_swift_release_host) RL_SWIFT_NAME(RLHostRef)
    RLOpaqueHost {
    uintptr_t _reserved;
};

#define RLHostRef struct RLOpaqueHost *
#else
/** A reference to a host. CF: CFHostRef. */
typedef struct __CFHost *RLHostRef;
#endif

/**
 * The domain of the error codes of getaddrinfo(3), such as EAI_NONAME.
 * CF: kCFStreamErrorDomainNetDB.
 */
RL_EXPORT const SInt32 kRLStreamErrorDomainNetDB;

/** The kinds of information about a host. CF: CFHostInfoType. */
RL_ENUM(int, RLHostInfoType) {
    /** The addresses of the host. CF: kCFHostAddresses. */
    kRLHostAddresses = 0,
    /** The names of the host. CF: kCFHostNames. */
    kRLHostNames = 1
};

/** The client data of a host; each function may be null. CF: CFHostClientContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Retains the info. Called when the client is set, and before callbacks. The first result
     * becomes the info.
     */
    RLAllocatorRetainCallBack retain;
    /**
     * Releases the info. Called when the client is replaced, when the host is destroyed, and after
     * callbacks. If a thread of the engine releases the last reference, that thread calls the
     * function.
     */
    RLAllocatorReleaseCallBack release;
    /** Describes the info in a string that the caller owns. */
    RLAllocatorCopyDescriptionCallBack copyDescription;
} RLHostClientContext;

/**
 * The callback of a host, called when a resolution of `typeInfo` has ended, unless the resolution
 * was canceled. The domain of `error` is 0 if the resolution succeeded. CF: CFHostClientCallBack.
 */
typedef void (*RLHostClientCallBack)(RLHostRef theHost, RLHostInfoType typeInfo,
                                     const RLStreamError *error, void *info);

/** Returns the type ID of hosts. CF: CFHostGetTypeID. */
RL_EXPORT RLTypeID RLHostGetTypeID(void);

/**
 * Creates a host from a name, or from a numeric address as text. The caller owns the host.
 * CF: CFHostCreateWithName.
 */
RL_EXPORT RLHostRef RLHostCreateWithName(RLAllocatorRef allocator,
                                         RLStringRef hostname) RL_RETURNS_RETAINED;

/**
 * Creates a host, which the caller owns, from a sockaddr_in or sockaddr_in6. Returns null for any
 * other address. `allocator` is ignored. CF: CFHostCreateWithAddress.
 */
RL_EXPORT RLHostRef RLHostCreateWithAddress(RLAllocatorRef allocator,
                                            RLDataRef addr) RL_RETURNS_RETAINED;

/**
 * Creates a copy of a host with its resolved information, without its client. The caller owns the
 * copy. CF: CFHostCreateCopy.
 */
RL_EXPORT RLHostRef RLHostCreateCopy(RLAllocatorRef alloc, RLHostRef host) RL_RETURNS_RETAINED;

/**
 * Resolves the names or addresses of a host: in the background if the host has a client, otherwise
 * before the call returns. The name or address that the host was created from needs no resolution.
 *
 * - Parameters:
 *  - theHost: The host. It can have one resolution at a time.
 *  - info: The kind of information to resolve.
 *  - error: Receives the error, with the domain 0 for success; may be null. Other domains are
 *    kRLStreamErrorDomainNetDB and kRLStreamErrorDomainPOSIX. POSIX codes are ECANCELED after a
 *    cancellation, EALREADY if a resolution is running or its end was not reported yet, EINVAL for
 *    an unknown `info`, and errors of the system.
 * - Returns: Without a client, whether the information is resolved. With a client, whether the
 *   callback will report the result.
 * - CF: CFHostStartInfoResolution.
 */
RL_EXPORT Boolean RLHostStartInfoResolution(RLHostRef theHost, RLHostInfoType info,
                                            RLStreamError *error);

/**
 * Returns the addresses of a host as an array of data, each a sockaddr with port 0, valid until the
 * next resolution of addresses ends. Returns null if the addresses are not resolved.
 * `hasBeenResolved`, which may be null, receives whether they are resolved.
 * CF: CFHostGetAddressing.
 */
RL_EXPORT RLArrayRef RLHostGetAddressing(RLHostRef theHost,
                                         Boolean *hasBeenResolved) RL_RETURNS_NOT_RETAINED;

/**
 * Returns the names of a host as an array of strings. Otherwise the same as RLHostGetAddressing.
 * CF: CFHostGetNames.
 */
RL_EXPORT RLArrayRef RLHostGetNames(RLHostRef theHost,
                                    Boolean *hasBeenResolved) RL_RETURNS_NOT_RETAINED;

/**
 * Cancels the current resolution if its kind is `info`: a blocking call fails, and the client is
 * not called. CF: CFHostCancelInfoResolution.
 */
RL_EXPORT void RLHostCancelInfoResolution(RLHostRef theHost, RLHostInfoType info);

/**
 * Sets the client, which is called at the end of resolutions. Replaces the former client; a null
 * callback removes the client and cancels the current resolution. The context is copied, and may be
 * null. Returns true. CF: CFHostSetClient.
 */
RL_EXPORT Boolean RLHostSetClient(RLHostRef theHost, RLHostClientCallBack clientCB,
                                  RLHostClientContext *clientContext);

/**
 * Schedules the host in a mode of a loop, in addition to other modes. The loop calls the client.
 * CF: CFHostScheduleWithRunLoop.
 */
RL_EXPORT void RLHostScheduleWithRunLoop(RLHostRef theHost, RLRunLoopRef runLoop,
                                         RLStringRef runLoopMode);

/** Unschedules the host from a mode of a loop. CF: CFHostUnscheduleFromRunLoop. */
RL_EXPORT void RLHostUnscheduleFromRunLoop(RLHostRef theHost, RLRunLoopRef runLoop,
                                           RLStringRef runLoopMode);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_host(RLHostRef host);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_host(RLHostRef host);

RL_EXTERN_C_END

#endif
