/*
 * Sockets with callbacks: connecting, accepting, reading and writing in a run loop.
 *
 * There is at most one object for a native handle. A socket is inactive until its source is in a
 * mode of a loop; the callbacks come on the threads that run such loops, with no lock held, so that
 * they may call anything. All functions may be called from any thread. Addresses are data objects
 * that hold a `struct sockaddr` of any family: IPv4, IPv6, Unix.
 */

#ifndef CRUNLOOP_RLSOCKET_H
#define CRUNLOOP_RLSOCKET_H

#include <CRunLoop/RLData.h>
#include <CRunLoop/RLRunLoop.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A socket with callbacks. CF: CFSocketRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_socket, rl_swift_release_socket)
    RL_SWIFT_NAME(RLSocketRef) RLOpaqueSocket {
    uintptr_t _reserved;
};

#define RLSocketRef struct RLOpaqueSocket *
#else
/** A reference to a socket with callbacks. CF: CFSocketRef. */
typedef struct __CFSocket *RLSocketRef;
#endif

/** The system's type of a socket: a descriptor. CF: CFSocketNativeHandle. */
typedef int RLSocketNativeHandle;

/** The result of an operation. CF: CFSocketError. */
RL_CLOSED_ENUM(RLIndex, RLSocketError) {
    /** It succeeded. CF: kCFSocketSuccess. */
    kRLSocketSuccess = 0,
    /** It failed; if a system call failed, `errno` has the reason. CF: kCFSocketError. */
    kRLSocketError = -1L,
    /** Its time-out passed. CF: kCFSocketTimeout. */
    kRLSocketTimeout = -2L
};

/** The types of callbacks. Read, accept and data exclude each other. CF: CFSocketCallBackType. */
RL_OPTIONS(RLOptionFlags, RLSocketCallBackType) {
    /** None. CF: kCFSocketNoCallBack. */
    kRLSocketNoCallBack = 0,
    /**
     * A read would not block. If the handle is non-blocking, other code may have read the data just
     * before. Address and data are null. CF: kCFSocketReadCallBack.
     */
    kRLSocketReadCallBack = 1,
    /**
     * A connection was accepted. `data` points to its native handle, which the client owns and
     * which is closed on exec. `address` is the peer's. CF: kCFSocketAcceptCallBack.
     */
    kRLSocketAcceptCallBack = 2,
    /**
     * A chunk was read. `data` is an RLDataRef, `address` the sender's. For a stream and for
     * packets (SOCK_SEQPACKET), empty data is the end, and the socket is invalid afterwards.
     * Otherwise it is an empty datagram. CF: kCFSocketDataCallBack.
     */
    kRLSocketDataCallBack = 3,
    /**
     * A connection was established, and `data` is null; or it failed, and `data` points to a 32-bit
     * errno. Called once. CF: kCFSocketConnectCallBack.
     */
    kRLSocketConnectCallBack = 4,
    /** A write would not block. Address and data are null. CF: kCFSocketWriteCallBack. */
    kRLSocketWriteCallBack = 8
};

/** The flags of a socket. */
RL_ENUM_CONSTANTS(RLOptionFlags) {
    /**
     * The read callback is called while there is data to read. Without the flag it is called once
     * for each RLSocketEnableCallBacks. On by default for a socket made with that type. CF:
     * kCFSocketAutomaticallyReenableReadCallBack.
     */
    kRLSocketAutomaticallyReenableReadCallBack = 1,
    /**
     * Enables the accept callback again after each call. CF:
     * kCFSocketAutomaticallyReenableAcceptCallBack.
     */
    kRLSocketAutomaticallyReenableAcceptCallBack = 2,
    /**
     * Enables the data callback again after each call. CF:
     * kCFSocketAutomaticallyReenableDataCallBack.
     */
    kRLSocketAutomaticallyReenableDataCallBack = 3,
    /**
     * Enables the write callback again after each call. Off by default. CF:
     * kCFSocketAutomaticallyReenableWriteCallBack.
     */
    kRLSocketAutomaticallyReenableWriteCallBack = 8,
    /**
     * The error of the socket (SO_ERROR) is left to the client. Off by default. CF:
     * kCFSocketLeaveErrors.
     */
    kRLSocketLeaveErrors = 64,
    /**
     * RLSocketInvalidate closes the native handle. On by default. CF: kCFSocketCloseOnInvalidate.
     */
    kRLSocketCloseOnInvalidate = 128
};

/** A description of a socket that is bound or connected. CF: CFSocketSignature. */
typedef struct {
    /** As for socket(2), such as PF_INET. */
    SInt32 protocolFamily;
    /** As for socket(2), such as SOCK_STREAM. */
    SInt32 socketType;
    /** As for socket(2), such as IPPROTO_TCP. */
    SInt32 protocol;
    /** A `struct sockaddr` of the family. */
    RLDataRef address;
} RLSocketSignature;

/**
 * The callback of a socket, with one type at a time. `address` and `data` depend on the type, and
 * are valid until the call returns. CF: CFSocketCallBack.
 */
typedef void (*RLSocketCallBack)(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                                 const void *data, void *info);

/** The client data of a socket; each function may be null. CF: CFSocketContext. */
typedef struct {
    /** 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /** Called when the socket is made, and before callbacks. The first result becomes the info. */
    const void *(*retain)(const void *info);
    /** Called when the socket is invalidated, and after callbacks. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLSocketContext;

/** The type number of sockets. CF: CFSocketGetTypeID. */
RL_EXPORT RLTypeID RLSocketGetTypeID(void);

/**
 * Makes a socket. Its handle is closed on exec.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - protocolFamily: As for socket(2); 0 or less means PF_INET.
 *   - socketType: 0 or less means SOCK_STREAM if the family is PF_INET.
 *   - protocol: 0 or less means TCP or UDP, by the type, if the family is PF_INET.
 *   - callBackTypes: The types of callbacks.
 *   - callout: The callback; may be null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A socket that the caller owns, or null with `errno` set.
 * - CF: CFSocketCreate.
 */
RL_EXPORT RLSocketRef RLSocketCreate(RLAllocatorRef allocator, SInt32 protocolFamily,
                                     SInt32 socketType, SInt32 protocol,
                                     RLOptionFlags callBackTypes, RLSocketCallBack callout,
                                     const RLSocketContext *context) RL_RETURNS_RETAINED;

/**
 * Makes a socket from a native handle. If there is a valid one for the handle, returns that one and
 * ignores the other arguments.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - sock: The handle. The object owns it: invalidation closes it, unless the flag
 *     kRLSocketCloseOnInvalidate is cleared. A negative one yields null.
 *   - callBackTypes: The types of callbacks.
 *   - callout: The callback; may be null.
 *   - context: The client's data, copied; may be null.
 * - Returns: A socket that the caller owns, or null.
 * - CF: CFSocketCreateWithNative.
 */
RL_EXPORT RLSocketRef RLSocketCreateWithNative(RLAllocatorRef allocator, RLSocketNativeHandle sock,
                                               RLOptionFlags callBackTypes,
                                               RLSocketCallBack callout,
                                               const RLSocketContext *context) RL_RETURNS_RETAINED;

/**
 * Makes a socket and binds it to the signature's address, as RLSocketSetAddress does. Null if
 * either fails. The other arguments are those of RLSocketCreate.
 *
 * - CF: CFSocketCreateWithSocketSignature.
 */
RL_EXPORT RLSocketRef RLSocketCreateWithSocketSignature(
    RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes,
    RLSocketCallBack callout, const RLSocketContext *context) RL_RETURNS_RETAINED;

/**
 * Makes a socket and connects it to the signature's address, as RLSocketConnectToAddress does.
 * Null if either fails. The other arguments are those of RLSocketCreate.
 *
 * - CF: CFSocketCreateConnectedToSocketSignature.
 */
RL_EXPORT RLSocketRef RLSocketCreateConnectedToSocketSignature(
    RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes,
    RLSocketCallBack callout, const RLSocketContext *context,
    RLTimeInterval timeout) RL_RETURNS_RETAINED;

/**
 * Binds a socket to an address, and makes it listen for connections if it is of a type that can.
 *
 * - Returns: An error if the socket is invalid, the address null, or the system refuses to bind. A
 *   failure to listen is not reported.
 * - CF: CFSocketSetAddress.
 */
RL_EXPORT RLSocketError RLSocketSetAddress(RLSocketRef socket, RLDataRef address);

/**
 * Connects a socket to an address.
 *
 * - Parameters:
 *   - socket: The socket. Whether its handle blocks does not change.
 *   - address: The peer's address; null is an error.
 *   - timeout: The time-out in seconds. 0 means none. A negative number begins to connect and
 *     returns at once; a connect callback reports the result.
 * - Returns: Success, also if connecting continues in the background; a time-out; or an error.
 * - CF: CFSocketConnectToAddress.
 */
RL_EXPORT RLSocketError RLSocketConnectToAddress(RLSocketRef socket, RLDataRef address,
                                                 RLTimeInterval timeout) RL_SWIFT_BLOCKING;

/**
 * Makes a socket invalid for good: closes its handle if kRLSocketCloseOnInvalidate is set, releases
 * the info, invalidates the source, and wakes the loops that it was in. Idempotent. Ends calls on
 * other threads that wait to send or connect. Does not wait for a callback that runs on another
 * thread. The last release of the socket does the same.
 *
 * - CF: CFSocketInvalidate.
 */
RL_EXPORT void RLSocketInvalidate(RLSocketRef socket);

/** Whether the socket is valid, that is, has not been invalidated. CF: CFSocketIsValid. */
RL_EXPORT Boolean RLSocketIsValid(RLSocketRef socket);

/**
 * Returns the local address, or null if there is none; the caller owns it. For an invalid socket,
 * returns the address that the last call before the invalidation returned.
 * CF: CFSocketCopyAddress.
 */
RL_EXPORT RLDataRef RLSocketCopyAddress(RLSocketRef socket) RL_RETURNS_RETAINED;

/**
 * Returns the peer's address, or null if the socket is not connected; otherwise as
 * RLSocketCopyAddress. CF: CFSocketCopyPeerAddress.
 */
RL_EXPORT RLDataRef RLSocketCopyPeerAddress(RLSocketRef socket) RL_RETURNS_RETAINED;

/**
 * Copies the client data. The info is null when the socket is invalid. `context` must not be null;
 * its version is set.
 *
 * - CF: CFSocketGetContext.
 */
RL_EXPORT void RLSocketGetContext(RLSocketRef socket, RLSocketContext *context);

/** The native handle; -1 when the socket is invalid. CF: CFSocketGetNative. */
RL_EXPORT RLSocketNativeHandle RLSocketGetNative(RLSocketRef socket);

/**
 * Returns the source of the socket, for any loops and modes: always the same one, unless that was
 * invalidated. The source retains the socket. If it is in several loops, each callback comes in one
 * of them.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - socket: The socket.
 *   - order: The order of a new source; stored, without effect.
 * - Returns: A source of version 2 that the caller owns, or null if the socket is invalid.
 * - CF: CFSocketCreateRunLoopSource, which makes one of version 0.
 */
RL_EXPORT RLRunLoopSourceRef RLSocketCreateRunLoopSource(RLAllocatorRef allocator,
                                                         RLSocketRef socket,
                                                         RLIndex order) RL_RETURNS_RETAINED;

/**
 * The flags, `kRLSocketAutomaticallyReenable…`, kRLSocketLeaveErrors and
 * kRLSocketCloseOnInvalidate. CF: CFSocketGetSocketFlags.
 */
RL_EXPORT RLOptionFlags RLSocketGetSocketFlags(RLSocketRef socket);

/**
 * Sets the flags. Of unknown bits only the lowest eight are kept. Does not enable callbacks. CF:
 * CFSocketSetSocketFlags.
 */
RL_EXPORT void RLSocketSetSocketFlags(RLSocketRef socket, RLOptionFlags flags);

/**
 * Disables callbacks until they are enabled, whatever the flags. Without effect while the source is
 * in no mode: when it enters the first one, all types are enabled.
 *
 * - CF: CFSocketDisableCallBacks.
 */
RL_EXPORT void RLSocketDisableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes);

/**
 * Enables callbacks of the types that the socket was made with. Without effect while the source is
 * in no mode. CF: CFSocketEnableCallBacks.
 */
RL_EXPORT void RLSocketEnableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes);

/**
 * Sends bytes. If the peer has closed, this is an error; SIGPIPE is not sent.
 *
 * - Parameters:
 *   - socket: The socket.
 *   - address: The destination of a socket that is not connected; may be null.
 *   - data: The bytes.
 *   - timeout: The time-out for buffer space, in seconds. With 0 or less, a blocking handle waits
 *     without
 *     limit, and a non-blocking one does not wait.
 * - Returns: Success if at least one byte was sent. Otherwise an error, also for a time-out. Empty
 *   data sends an empty datagram, and the result is an error.
 * - CF: CFSocketSendData.
 */
RL_EXPORT RLSocketError RLSocketSendData(RLSocketRef socket, RLDataRef address, RLDataRef data,
                                         RLTimeInterval timeout) RL_SWIFT_BLOCKING;

/*
 * The name registry, a service that no longer exists. Its functions fail as without the service.
 */

/**
 * Registers a value under a name. Always an error: there is no registry. CF: CFSocketRegisterValue.
 */
RL_EXPORT RLSocketError RLSocketRegisterValue(const RLSocketSignature *nameServerSignature,
                                              RLTimeInterval timeout, RLStringRef name,
                                              RLTypeRef value);
/**
 * Looks a value up. Always an error; leaves the results unchanged. CF: CFSocketCopyRegisteredValue.
 */
RL_EXPORT RLSocketError RLSocketCopyRegisteredValue(const RLSocketSignature *nameServerSignature,
                                                    RLTimeInterval timeout, RLStringRef name,
                                                    RLTypeRef *value, RLDataRef *nameServerAddress);
/** Registers a signature under a name. Always an error. CF: CFSocketRegisterSocketSignature. */
RL_EXPORT RLSocketError RLSocketRegisterSocketSignature(
    const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name,
    const RLSocketSignature *signature);
/**
 * Looks a signature up. Always an error; leaves the results unchanged. CF:
 * CFSocketCopyRegisteredSocketSignature.
 */
RL_EXPORT RLSocketError RLSocketCopyRegisteredSocketSignature(
    const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name,
    RLSocketSignature *signature, RLDataRef *nameServerAddress);
/** Removes a name. Always an error. CF: CFSocketUnregister. */
RL_EXPORT RLSocketError RLSocketUnregister(const RLSocketSignature *nameServerSignature,
                                           RLTimeInterval timeout, RLStringRef name);
/**
 * Sets the port of the registry, which only RLSocketGetDefaultNameRegistryPortNumber uses. CF:
 * CFSocketSetDefaultNameRegistryPortNumber.
 */
RL_EXPORT void RLSocketSetDefaultNameRegistryPortNumber(UInt16 port);
/** The port that was set, or 2454. CF: CFSocketGetDefaultNameRegistryPortNumber. */
RL_EXPORT UInt16 RLSocketGetDefaultNameRegistryPortNumber(void);

/** The registry's key "Command". CF: kCFSocketCommandKey. */
RL_EXPORT RLStringRef const kRLSocketCommandKey;
/** The registry's key "Name". CF: kCFSocketNameKey. */
RL_EXPORT RLStringRef const kRLSocketNameKey;
/** The registry's key "Value". CF: kCFSocketValueKey. */
RL_EXPORT RLStringRef const kRLSocketValueKey;
/** The registry's key "Result". CF: kCFSocketResultKey. */
RL_EXPORT RLStringRef const kRLSocketResultKey;
/** The registry's key "Error". CF: kCFSocketErrorKey. */
RL_EXPORT RLStringRef const kRLSocketErrorKey;
/** The registry's command "Register". CF: kCFSocketRegisterCommand. */
RL_EXPORT RLStringRef const kRLSocketRegisterCommand;
/** The registry's command "Retrieve". CF: kCFSocketRetrieveCommand. */
RL_EXPORT RLStringRef const kRLSocketRetrieveCommand;

/** The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease. */
RL_EXPORT void rl_swift_retain_socket(RLSocketRef socket);
/** @see rl_swift_retain_socket */
RL_EXPORT void rl_swift_release_socket(RLSocketRef socket);

RL_EXTERN_C_END

#endif
