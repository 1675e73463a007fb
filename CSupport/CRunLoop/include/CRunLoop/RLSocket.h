/*
 * Sockets with callbacks: connecting, accepting, reading and writing in a run loop.
 *
 * There is at most one object for a native handle. A socket is inactive until its run loop source
 * is in a mode of a loop. Callbacks are called on the threads that run such loops, with no lock
 * held: a callback may call any function. All functions may be called from any thread. Addresses
 * are data objects that hold a `struct sockaddr` of any family: IPv4, IPv6, Unix.
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
    /** The operation succeeded. CF: kCFSocketSuccess. */
    kRLSocketSuccess = 0,
    /**
     * The operation failed. If a system call failed, `errno` has the reason. CF: kCFSocketError.
     */
    kRLSocketError = -1L,
    /** The time-out expired. CF: kCFSocketTimeout. */
    kRLSocketTimeout = -2L
};

/**
 * The types of callbacks. The read, accept and data callbacks are mutually exclusive.
 * CF: CFSocketCallBackType.
 */
RL_OPTIONS(RLOptionFlags, RLSocketCallBackType) {
    /** No callback. CF: kCFSocketNoCallBack. */
    kRLSocketNoCallBack = 0,
    /**
     * A read would not block. If the handle is non-blocking, other code may have read the data in
     * the meantime. `address` and `data` are null. CF: kCFSocketReadCallBack.
     */
    kRLSocketReadCallBack = 1,
    /**
     * A connection was accepted. `data` points to the native handle of the connection, which the
     * client owns and which is closed on exec. `address` is the peer's address.
     * CF: kCFSocketAcceptCallBack.
     */
    kRLSocketAcceptCallBack = 2,
    /**
     * Data was read. `data` is an RLDataRef, and `address` is the sender's address. For SOCK_STREAM
     * and SOCK_SEQPACKET, empty data means EOF, and the socket is invalid afterwards. For
     * datagrams, empty data is an empty datagram. CF: kCFSocketDataCallBack.
     */
    kRLSocketDataCallBack = 3,
    /**
     * Connecting succeeded, and `data` is null; or connecting failed, and `data` points to a 32-bit
     * errno. Called once. CF: kCFSocketConnectCallBack.
     */
    kRLSocketConnectCallBack = 4,
    /** A write would not block. `address` and `data` are null. CF: kCFSocketWriteCallBack. */
    kRLSocketWriteCallBack = 8
};

/** The flags of a socket. */
RL_ENUM_CONSTANTS(RLOptionFlags) {
    /**
     * Enables the read callback again after each call, so it is called while data can be read.
     * Without the flag, each call of RLSocketEnableCallBacks allows one callback. On by default for
     * a socket that was created with a read callback.
     * CF: kCFSocketAutomaticallyReenableReadCallBack.
     */
    kRLSocketAutomaticallyReenableReadCallBack = 1,
    /**
     * Enables the accept callback again after each call. On by default for a socket that was
     * created with an accept callback. CF: kCFSocketAutomaticallyReenableAcceptCallBack.
     */
    kRLSocketAutomaticallyReenableAcceptCallBack = 2,
    /**
     * Enables the data callback again after each call. On by default for a socket that was created
     * with a data callback. CF: kCFSocketAutomaticallyReenableDataCallBack.
     */
    kRLSocketAutomaticallyReenableDataCallBack = 3,
    /**
     * Enables the write callback again after each call. Off by default.
     * CF: kCFSocketAutomaticallyReenableWriteCallBack.
     */
    kRLSocketAutomaticallyReenableWriteCallBack = 8,
    /**
     * Leaves the error of the socket (SO_ERROR) for the client to read. Off by default.
     * CF: kCFSocketLeaveErrors.
     */
    kRLSocketLeaveErrors = 64,
    /**
     * Closes the native handle in RLSocketInvalidate. On by default.
     * CF: kCFSocketCloseOnInvalidate.
     */
    kRLSocketCloseOnInvalidate = 128
};

/** The protocol and the address of a socket to bind or to connect. CF: CFSocketSignature. */
typedef struct {
    /** The protocol family for socket(2), such as PF_INET. */
    SInt32 protocolFamily;
    /** The type for socket(2), such as SOCK_STREAM. */
    SInt32 socketType;
    /** The protocol for socket(2), such as IPPROTO_TCP. */
    SInt32 protocol;
    /** The address: a `struct sockaddr` of the family. */
    RLDataRef address;
} RLSocketSignature;

/**
 * The callback of a socket, called with one type at a time. `address` and `data` depend on the
 * type, and are valid until the callback returns. CF: CFSocketCallBack.
 */
typedef void (*RLSocketCallBack)(RLSocketRef socket, RLSocketCallBackType type, RLDataRef address,
                                 const void *data, void *info);

/** The client data of a socket; each function may be null. CF: CFSocketContext. */
typedef struct {
    /** The version of this structure: 0. */
    RLIndex version;
    /** The client's data. */
    void *info;
    /**
     * Retains the info. Called when the socket is created, and before callbacks. The first result
     * becomes the info.
     */
    const void *(*retain)(const void *info);
    /** Releases the info. Called when the socket is invalidated, and after callbacks. */
    void (*release)(const void *info);
    /** Describes the info in a string that the caller owns. */
    RLStringRef (*copyDescription)(const void *info);
} RLSocketContext;

/** Returns the type ID of sockets. CF: CFSocketGetTypeID. */
RL_EXPORT RLTypeID RLSocketGetTypeID(void);

/**
 * Creates a socket. Its native handle is closed on exec.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - protocolFamily: The family for socket(2); 0 or less means PF_INET.
 *   - socketType: The type for socket(2). 0 or less means SOCK_STREAM if the family is PF_INET.
 *   - protocol: The protocol for socket(2). 0 or less means TCP or UDP, depending on the type, if
 *     the family is PF_INET.
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
 * Creates a socket from a native handle. If a valid socket with this handle exists, returns this
 * socket and ignores the other arguments.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - sock: The handle. The object owns it: invalidation closes it, unless the flag
 *     kRLSocketCloseOnInvalidate is cleared. A negative handle yields null.
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
 * Creates a socket and binds it to the signature's address, as RLSocketSetAddress does. The other
 * arguments are documented at RLSocketCreate.
 *
 * - Returns: A socket that the caller owns, or null if creating or binding fails.
 *
 * - CF: CFSocketCreateWithSocketSignature.
 */
RL_EXPORT RLSocketRef RLSocketCreateWithSocketSignature(
    RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes,
    RLSocketCallBack callout, const RLSocketContext *context) RL_RETURNS_RETAINED;

/**
 * Creates a socket and connects it to the signature's address, as RLSocketConnectToAddress does.
 * The other arguments are documented at RLSocketCreate and RLSocketConnectToAddress.
 *
 * - Returns: A socket that the caller owns, or null if creating or connecting fails.
 *
 * - CF: CFSocketCreateConnectedToSocketSignature.
 */
RL_EXPORT RLSocketRef RLSocketCreateConnectedToSocketSignature(
    RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes,
    RLSocketCallBack callout, const RLSocketContext *context,
    RLTimeInterval timeout) RL_RETURNS_RETAINED;

/**
 * Binds a socket to an address, and listens for connections if the type of the socket supports
 * connections.
 *
 * - Returns: Success; or an error if the socket is invalid, the address is null, or bind(2) fails.
 *   A failure to listen is not reported.
 * - CF: CFSocketSetAddress.
 */
RL_EXPORT RLSocketError RLSocketSetAddress(RLSocketRef socket, RLDataRef address);

/**
 * Connects a socket to an address.
 *
 * - Parameters:
 *   - socket: The socket. The call does not change whether its handle is non-blocking.
 *   - address: The peer's address; null is an error.
 *   - timeout: The time-out in seconds. 0 means no time-out. With a negative number, the call
 *     begins to connect and returns at once; a connect callback reports the result.
 * - Returns: Success, including if connecting continues in the background; a time-out; or an error.
 * - CF: CFSocketConnectToAddress.
 */
RL_EXPORT RLSocketError RLSocketConnectToAddress(RLSocketRef socket, RLDataRef address,
                                                 RLTimeInterval timeout) RL_SWIFT_BLOCKING;

/**
 * Invalidates a socket permanently: closes its handle if kRLSocketCloseOnInvalidate is set,
 * releases the info, invalidates the source, and wakes the loops that the source was in.
 * Idempotent. Ends RLSocketSendData and RLSocketConnectToAddress on other threads. Does not wait
 * for a callback that is running on another thread. The last release of the socket also invalidates
 * the socket. CF: CFSocketInvalidate.
 */
RL_EXPORT void RLSocketInvalidate(RLSocketRef socket);

/** Returns whether the socket is valid: false after an invalidation. CF: CFSocketIsValid. */
RL_EXPORT Boolean RLSocketIsValid(RLSocketRef socket);

/**
 * Returns the local address, which the caller owns, or null if there is none. For an invalid
 * socket, returns the address that the last call before the invalidation returned.
 * CF: CFSocketCopyAddress.
 */
RL_EXPORT RLDataRef RLSocketCopyAddress(RLSocketRef socket) RL_RETURNS_RETAINED;

/**
 * Returns the peer's address, which the caller owns, or null if the socket is not connected. For an
 * invalid socket, see RLSocketCopyAddress. CF: CFSocketCopyPeerAddress.
 */
RL_EXPORT RLDataRef RLSocketCopyPeerAddress(RLSocketRef socket) RL_RETURNS_RETAINED;

/**
 * Copies the client data and the version to `context`, which must not be null. The info is null if
 * the socket is invalid. CF: CFSocketGetContext.
 */
RL_EXPORT void RLSocketGetContext(RLSocketRef socket, RLSocketContext *context);

/** Returns the native handle; -1 if the socket is invalid. CF: CFSocketGetNative. */
RL_EXPORT RLSocketNativeHandle RLSocketGetNative(RLSocketRef socket);

/**
 * Returns the run loop source of the socket: a version-2 source that the caller owns, or null if
 * the socket is invalid. The source can be added to any loops and modes, and retains the socket.
 * Returns the same source each time, until the source is invalidated. If the source is in several
 * loops, each callback is called in one of the loops. `allocator` is ignored; `order` is stored,
 * but has no effect. CF: CFSocketCreateRunLoopSource, which makes a version-0 source.
 */
RL_EXPORT RLRunLoopSourceRef RLSocketCreateRunLoopSource(RLAllocatorRef allocator,
                                                         RLSocketRef socket,
                                                         RLIndex order) RL_RETURNS_RETAINED;

/**
 * Returns the flags of a socket: `kRLSocketAutomaticallyReenable…`, kRLSocketLeaveErrors and
 * kRLSocketCloseOnInvalidate. CF: CFSocketGetSocketFlags.
 */
RL_EXPORT RLOptionFlags RLSocketGetSocketFlags(RLSocketRef socket);

/**
 * Sets the flags of a socket. Only the lowest eight bits are kept. Does not enable callbacks.
 * CF: CFSocketSetSocketFlags.
 */
RL_EXPORT void RLSocketSetSocketFlags(RLSocketRef socket, RLOptionFlags flags);

/**
 * Disables callbacks until RLSocketEnableCallBacks enables them, regardless of the flags. Has no
 * effect while the source is in no mode: all types are enabled when the source enters its first
 * mode. CF: CFSocketDisableCallBacks.
 */
RL_EXPORT void RLSocketDisableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes);

/**
 * Enables callbacks, if the socket was created with their types. Has no effect while the source is
 * in no mode. CF: CFSocketEnableCallBacks.
 */
RL_EXPORT void RLSocketEnableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes);

/**
 * Sends bytes. If the peer has closed the connection, the call fails; SIGPIPE is not raised.
 *
 * - Parameters:
 *   - socket: The socket.
 *   - address: The destination, for a socket that is not connected; may be null.
 *   - data: The bytes.
 *   - timeout: The time-out for buffer space, in seconds. With 0 or less, the call waits without
 *     limit if the handle is blocking, and does not wait if the handle is non-blocking.
 * - Returns: Success if at least one byte was sent; otherwise an error, including after a time-out.
 *   Empty data is sent as an empty datagram, but the result is an error.
 * - CF: CFSocketSendData.
 */
RL_EXPORT RLSocketError RLSocketSendData(RLSocketRef socket, RLDataRef address, RLDataRef data,
                                         RLTimeInterval timeout) RL_SWIFT_BLOCKING;

/* The name registry. The service no longer exists, so functions that need it fail. */

/**
 * Always fails, because there is no registry to register a value in. Returns kRLSocketError.
 * CF: CFSocketRegisterValue.
 */
RL_EXPORT RLSocketError RLSocketRegisterValue(const RLSocketSignature *nameServerSignature,
                                              RLTimeInterval timeout, RLStringRef name,
                                              RLTypeRef value);
/**
 * Always fails, because there is no registry to look up a value. Returns kRLSocketError; does not
 * change the out-parameters. CF: CFSocketCopyRegisteredValue.
 */
RL_EXPORT RLSocketError RLSocketCopyRegisteredValue(const RLSocketSignature *nameServerSignature,
                                                    RLTimeInterval timeout, RLStringRef name,
                                                    RLTypeRef *value, RLDataRef *nameServerAddress);
/**
 * Always fails, because there is no registry to register a signature in. Returns kRLSocketError.
 * CF: CFSocketRegisterSocketSignature.
 */
RL_EXPORT RLSocketError RLSocketRegisterSocketSignature(
    const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name,
    const RLSocketSignature *signature);
/**
 * Always fails, because there is no registry to look up a signature. Returns kRLSocketError; does
 * not change the out-parameters. CF: CFSocketCopyRegisteredSocketSignature.
 */
RL_EXPORT RLSocketError RLSocketCopyRegisteredSocketSignature(
    const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name,
    RLSocketSignature *signature, RLDataRef *nameServerAddress);
/**
 * Always fails, because there is no registry to remove a name from. Returns kRLSocketError.
 * CF: CFSocketUnregister.
 */
RL_EXPORT RLSocketError RLSocketUnregister(const RLSocketSignature *nameServerSignature,
                                           RLTimeInterval timeout, RLStringRef name);
/**
 * Sets the port that RLSocketGetDefaultNameRegistryPortNumber returns, and has no other effect.
 * CF: CFSocketSetDefaultNameRegistryPortNumber.
 */
RL_EXPORT void RLSocketSetDefaultNameRegistryPortNumber(UInt16 port);
/**
 * Returns the port that RLSocketSetDefaultNameRegistryPortNumber has set; 2454 by default.
 * CF: CFSocketGetDefaultNameRegistryPortNumber.
 */
RL_EXPORT UInt16 RLSocketGetDefaultNameRegistryPortNumber(void);

/** The name registry's key "Command". CF: kCFSocketCommandKey. */
RL_EXPORT RLStringRef const kRLSocketCommandKey;
/** The name registry's key "Name". CF: kCFSocketNameKey. */
RL_EXPORT RLStringRef const kRLSocketNameKey;
/** The name registry's key "Value". CF: kCFSocketValueKey. */
RL_EXPORT RLStringRef const kRLSocketValueKey;
/** The name registry's key "Result". CF: kCFSocketResultKey. */
RL_EXPORT RLStringRef const kRLSocketResultKey;
/** The name registry's key "Error". CF: kCFSocketErrorKey. */
RL_EXPORT RLStringRef const kRLSocketErrorKey;
/** The name registry's command "Register". CF: kCFSocketRegisterCommand. */
RL_EXPORT RLStringRef const kRLSocketRegisterCommand;
/** The name registry's command "Retrieve". CF: kCFSocketRetrieveCommand. */
RL_EXPORT RLStringRef const kRLSocketRetrieveCommand;

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_socket(RLSocketRef socket);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_socket(RLSocketRef socket);

RL_EXTERN_C_END

#endif
