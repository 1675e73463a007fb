/*
 * Hosts: their names and addresses, found by the system's resolver.
 *
 * Make a host by a name or an address and resolve the other. A host without a client is resolved in
 * a call that blocks. One with a client that is scheduled in modes of loops is resolved in the
 * background, and the client is called on a loop's thread, with no lock held. A loop retains a host
 * that is scheduled in it until that is unscheduled. After a fork, cancel the parent's resolutions
 * in the child. All functions may be called from any thread.
 *
 * At most four look-ups of hosts and streams run at a time, on temporary threads. Four look-ups
 * without an answer delay the others until the resolver times out.
 *
 * There is no counterpart to the reachability of Apple's System Configuration.
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
 * The domain of errors whose numbers are those of getaddrinfo(3), as EAI_NONAME. CF:
 * kCFStreamErrorDomainNetDB.
 */
RL_EXPORT const SInt32 kRLStreamErrorDomainNetDB;

/** The kinds of information on a host. CF: CFHostInfoType. */
RL_ENUM(int, RLHostInfoType) {
    /** Its addresses. CF: kCFHostAddresses. */
    kRLHostAddresses = 0,
    /** Its names. CF: kCFHostNames. */
    kRLHostNames = 1
};

/** The client data of a host; each function may be null. CF: CFHostClientContext. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the client is set, and before callbacks. The first result becomes the info. */
    RLAllocatorRetainCallBack retain;
    /**
     * Called when the client is replaced or the host destroyed, and after callbacks; on a thread of
     * the engine if that had the last reference to the host.
     */
    RLAllocatorReleaseCallBack release;
    /** Describes the info in a string that the caller owns. */
    RLAllocatorCopyDescriptionCallBack copyDescription;
} RLHostClientContext;

/**
 * Called when a resolution has ended, unless it was canceled. CF: CFHostClientCallBack.
 *
 * - Parameters:
 *   - theHost: The host.
 *   - typeInfo: The kind of information that was resolved.
 *   - error: The error; the domain is 0 if it did not fail.
 *   - info: The context's info.
 */
typedef void (*RLHostClientCallBack)(RLHostRef theHost, RLHostInfoType typeInfo,
                                     const RLStreamError *error, void *info);

/** The type number of hosts. CF: CFHostGetTypeID. */
RL_EXPORT RLTypeID RLHostGetTypeID(void);

/** Makes a host with a name, or a numeric address as text. CF: CFHostCreateWithName. */
RL_EXPORT RLHostRef RLHostCreateWithName(RLAllocatorRef allocator,
                                         RLStringRef hostname) RL_RETURNS_RETAINED;

/**
 * Makes a host with an address.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - addr: A sockaddr_in or sockaddr_in6.
 * - Returns: A host that the caller owns; null for anything else.
 * - CF: CFHostCreateWithAddress.
 */
RL_EXPORT RLHostRef RLHostCreateWithAddress(RLAllocatorRef allocator,
                                            RLDataRef addr) RL_RETURNS_RETAINED;

/**
 * Makes a copy of a host and its resolved information, without its client. CF: CFHostCreateCopy.
 */
RL_EXPORT RLHostRef RLHostCreateCopy(RLAllocatorRef alloc, RLHostRef host) RL_RETURNS_RETAINED;

/**
 * Resolves the names or addresses of a host: in the background if it has a client, else before this
 * returns. The information that the host was made with is known and needs no resolution.
 *
 * - Parameters:
 *   - theHost: The host; one resolution at a time.
 *   - info: The kind of information to resolve.
 *   - error: Receives the error, with a domain of 0 for success; may be null. The error is
 *     kRLStreamErrorDomainNetDB, or kRLStreamErrorDomainPOSIX with ECANCELED, with EALREADY if a
 *     resolution continues or its end was not reported yet, EINVAL for another `info`, or the
 *     system's.
 * - Returns: Whether it is resolved or, with a client, whether the callback will report it.
 * - CF: CFHostStartInfoResolution.
 */
RL_EXPORT Boolean RLHostStartInfoResolution(RLHostRef theHost, RLHostInfoType info,
                                            RLStreamError *error);

/**
 * The addresses of a host, as data that is a sockaddr with port 0.
 *
 * - Parameters:
 *   - theHost: The host.
 *   - hasBeenResolved: Null, or what is set to whether they are known.
 * - Returns: The addresses, until the next resolution of addresses ends; null if they are unknown.
 * - CF: CFHostGetAddressing.
 */
RL_EXPORT RLArrayRef RLHostGetAddressing(RLHostRef theHost,
                                         Boolean *hasBeenResolved) RL_RETURNS_NOT_RETAINED;

/** The names of a host, as RLHostGetAddressing has the addresses. CF: CFHostGetNames. */
RL_EXPORT RLArrayRef RLHostGetNames(RLHostRef theHost,
                                    Boolean *hasBeenResolved) RL_RETURNS_NOT_RETAINED;

/**
 * Cancels a resolution: a blocking call fails, and the client is not called.
 *
 * - Parameters:
 *   - theHost: The host.
 *   - info: The kind of the current resolution; with another kind the call does nothing.
 * - CF: CFHostCancelInfoResolution.
 */
RL_EXPORT void RLHostCancelInfoResolution(RLHostRef theHost, RLHostInfoType info);

/**
 * Sets the client, which is called at the end of resolutions, and replaces the former one.
 *
 * - Parameters:
 *   - theHost: The host.
 *   - clientCB: The callback; null removes the client and cancels the current resolution.
 *   - clientContext: Null, or the client's data.
 * - Returns: True.
 * - CF: CFHostSetClient.
 */
RL_EXPORT Boolean RLHostSetClient(RLHostRef theHost, RLHostClientCallBack clientCB,
                                  RLHostClientContext *clientContext);

/**
 * Schedules the client in a mode of a loop, in addition to others. CF: CFHostScheduleWithRunLoop.
 */
RL_EXPORT void RLHostScheduleWithRunLoop(RLHostRef theHost, RLRunLoopRef runLoop,
                                         RLStringRef runLoopMode);

/** Unschedules the client from a mode of a loop. CF: CFHostUnscheduleFromRunLoop. */
RL_EXPORT void RLHostUnscheduleFromRunLoop(RLHostRef theHost, RLRunLoopRef runLoop,
                                           RLStringRef runLoopMode);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_host(RLHostRef host);
/** @see rl_swift_retain_host */
RL_EXPORT void rl_swift_release_host(RLHostRef host);

RL_EXTERN_C_END

#endif
