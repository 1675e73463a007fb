// Sockets: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of sockets.
@discardableResult
@inlinable
public func CFSocketGetTypeID() -> CFTypeID {
    RLSocketGetTypeID()
}

/// Makes a socket.
///
/// Its handle is closed on exec.
@discardableResult
@inlinable
public func CFSocketCreate(
    _ allocator: CFAllocator!,
    _ protocolFamily: Int32,
    _ socketType: Int32,
    _ protocol: Int32,
    _ callBackTypes: CFOptionFlags,
    _ callout: CFSocketCallBack!,
    _ context: UnsafePointer<CFSocketContext>!
) -> CFSocket! {
    RLSocketCreate(
        allocator,
        protocolFamily,
        socketType,
        `protocol`,
        callBackTypes,
        callout,
        context
    )
}

/// Makes a socket from a native handle.
///
/// If there is a valid one for the handle, returns that and ignores the other arguments.
@discardableResult
@inlinable
public func CFSocketCreateWithNative(
    _ allocator: CFAllocator!,
    _ sock: CFSocketNativeHandle,
    _ callBackTypes: CFOptionFlags,
    _ callout: CFSocketCallBack!,
    _ context: UnsafePointer<CFSocketContext>!
) -> CFSocket! {
    RLSocketCreateWithNative(allocator, sock, callBackTypes, callout, context)
}

/// Makes a socket and binds it to the signature's address, as CFSocketSetAddress does.
///
/// Null if either fails. The other arguments are those of CFSocketCreate.
@discardableResult
@inlinable
public func CFSocketCreateWithSocketSignature(
    _ allocator: CFAllocator!,
    _ signature: UnsafePointer<CFSocketSignature>!,
    _ callBackTypes: CFOptionFlags,
    _ callout: CFSocketCallBack!,
    _ context: UnsafePointer<CFSocketContext>!
) -> CFSocket! {
    RLSocketCreateWithSocketSignature(allocator, signature, callBackTypes, callout, context)
}

/// Makes a socket and connects it to the signature's address, as CFSocketConnectToAddress does.
///
/// Null if either fails. The other arguments are those of CFSocketCreate.
@discardableResult
@inlinable
public func CFSocketCreateConnectedToSocketSignature(
    _ allocator: CFAllocator!,
    _ signature: UnsafePointer<CFSocketSignature>!,
    _ callBackTypes: CFOptionFlags,
    _ callout: CFSocketCallBack!,
    _ context: UnsafePointer<CFSocketContext>!,
    _ timeout: CFTimeInterval
) -> CFSocket! {
    RLSocketCreateConnectedToSocketSignature(
        allocator,
        signature,
        callBackTypes,
        callout,
        context,
        timeout
    )
}

/// Binds a socket to an address, and makes it listen for connections if it is of a type that can.
@discardableResult
@inlinable
public func CFSocketSetAddress(_ socket: CFSocket!, _ address: CFData!) -> CFSocketError {
    RLSocketSetAddress(socket, address)
}

/// Connects a socket to an address.
@discardableResult
@inlinable
public func CFSocketConnectToAddress(
    _ socket: CFSocket!,
    _ address: CFData!,
    _ timeout: CFTimeInterval
) -> CFSocketError {
    RLSocketConnectToAddress(socket, address, timeout)
}

/// Makes a socket invalid for good: closes its handle if `kCFSocketCloseOnInvalidate` is set,
/// releases the info, invalidates the source, and wakes the loops that it was in.
///
/// Does nothing the second time. Does not wait for a callback that runs on another thread. The last
/// release does the same.
@inlinable
public func CFSocketInvalidate(_ socket: CFSocket!) {
    RLSocketInvalidate(socket)
}

/// Whether the socket has not been invalidated.
@discardableResult
@inlinable
public func CFSocketIsValid(_ socket: CFSocket!) -> Bool {
    RLSocketIsValid(socket)
}

/// The socket's own address, or nil if there is none; the caller owns it.
///
/// Of an invalid socket, the one that was asked for last.
@discardableResult
@inlinable
public func CFSocketCopyAddress(_ socket: CFSocket!) -> CFData! {
    RLSocketCopyAddress(socket)
}

/// The peer's address, or nil if it is not connected; otherwise as CFSocketCopyAddress.
@discardableResult
@inlinable
public func CFSocketCopyPeerAddress(_ socket: CFSocket!) -> CFData! {
    RLSocketCopyPeerAddress(socket)
}

/// Copies the client data.
///
/// The info is nil when the socket is invalid. `context` must not be nil; its version is set.
@inlinable
public func CFSocketGetContext(
    _ socket: CFSocket!,
    _ context: UnsafeMutablePointer<CFSocketContext>!
) {
    RLSocketGetContext(socket, context)
}

/// The native handle; -1 when the socket is invalid.
@discardableResult
@inlinable
public func CFSocketGetNative(_ socket: CFSocket!) -> CFSocketNativeHandle {
    RLSocketGetNative(socket)
}

/// The source of the socket, for any loops and modes: always the same one, unless that was
/// invalidated.
///
/// The source retains the socket. If it is in several loops, a callback comes in one of them.
@discardableResult
@inlinable
public func CFSocketCreateRunLoopSource(
    _ allocator: CFAllocator!,
    _ socket: CFSocket!,
    _ order: CFIndex
) -> CFRunLoopSource! {
    RLSocketCreateRunLoopSource(allocator, socket, order)
}

/// The flags, `kCFSocketAutomaticallyReenable…`, kCFSocketLeaveErrors and
/// kCFSocketCloseOnInvalidate.
@discardableResult
@inlinable
public func CFSocketGetSocketFlags(_ socket: CFSocket!) -> CFOptionFlags {
    RLSocketGetSocketFlags(socket)
}

/// Sets the flags; of the bits without a meaning only the lowest eight are kept.
///
/// Enables nothing by itself.
@inlinable
public func CFSocketSetSocketFlags(_ socket: CFSocket!, _ flags: CFOptionFlags) {
    RLSocketSetSocketFlags(socket, flags)
}

/// Disables callbacks, whatever the flags say, until they are enabled.
///
/// Without effect while the source is in no mode: when it enters the first one, all types are
/// enabled.
@inlinable
public func CFSocketDisableCallBacks(_ socket: CFSocket!, _ callBackTypes: CFOptionFlags) {
    RLSocketDisableCallBacks(socket, callBackTypes)
}

/// Enables callbacks of the types that the socket was made with.
///
/// Without effect while the source is in no mode.
@inlinable
public func CFSocketEnableCallBacks(_ socket: CFSocket!, _ callBackTypes: CFOptionFlags) {
    RLSocketEnableCallBacks(socket, callBackTypes)
}

/// Sends bytes.
///
/// If the peer is gone, this is an error and sends no signal (SIGPIPE).
@discardableResult
@inlinable
public func CFSocketSendData(
    _ socket: CFSocket!,
    _ address: CFData!,
    _ data: CFData!,
    _ timeout: CFTimeInterval
) -> CFSocketError {
    RLSocketSendData(socket, address, data, timeout)
}

/// Registers a value under a name.
///
/// Always an error: there is no registry.
@discardableResult
@inlinable
public func CFSocketRegisterValue(
    _ nameServerSignature: UnsafePointer<CFSocketSignature>!,
    _ timeout: CFTimeInterval,
    _ name: CFString!,
    _ value: CFTypeRef!
) -> CFSocketError {
    withExtendedLifetime(value) {
        RLSocketRegisterValue(nameServerSignature, timeout, name, value?.unsafeTypeReference)
    }
}

/// Looks a value up.
///
/// Always an error; what the pointers point to stays as it is.
@discardableResult
@inlinable
public func CFSocketCopyRegisteredValue(
    _ nameServerSignature: UnsafePointer<CFSocketSignature>!,
    _ timeout: CFTimeInterval,
    _ name: CFString!,
    _ value: UnsafeMutablePointer<CFTypeRef?>!,
    _ nameServerAddress: UnsafeMutablePointer<CFData?>!
) -> CFSocketError {
    RLSocketCopyRegisteredValue(nameServerSignature, timeout, name, nil, nameServerAddress)
}

/// Registers a signature under a name.
///
/// Always an error.
@discardableResult
@inlinable
public func CFSocketRegisterSocketSignature(
    _ nameServerSignature: UnsafePointer<CFSocketSignature>!,
    _ timeout: CFTimeInterval,
    _ name: CFString!,
    _ signature: UnsafePointer<CFSocketSignature>!
) -> CFSocketError {
    RLSocketRegisterSocketSignature(nameServerSignature, timeout, name, signature)
}

/// Looks a signature up.
///
/// Always an error; what the pointers point to stays as it is.
@discardableResult
@inlinable
public func CFSocketCopyRegisteredSocketSignature(
    _ nameServerSignature: UnsafePointer<CFSocketSignature>!,
    _ timeout: CFTimeInterval,
    _ name: CFString!,
    _ signature: UnsafeMutablePointer<CFSocketSignature>!,
    _ nameServerAddress: UnsafeMutablePointer<CFData?>!
) -> CFSocketError {
    RLSocketCopyRegisteredSocketSignature(
        nameServerSignature,
        timeout,
        name,
        signature,
        nameServerAddress
    )
}

/// Removes a name.
///
/// Always an error.
@discardableResult
@inlinable
public func CFSocketUnregister(
    _ nameServerSignature: UnsafePointer<CFSocketSignature>!,
    _ timeout: CFTimeInterval,
    _ name: CFString!
) -> CFSocketError {
    RLSocketUnregister(nameServerSignature, timeout, name)
}

/// Sets the port at which the registry would be; only CFSocketGetDefaultNameRegistryPortNumber
/// tells.
@inlinable
public func CFSocketSetDefaultNameRegistryPortNumber(_ port: UInt16) {
    RLSocketSetDefaultNameRegistryPortNumber(port)
}

/// The port that was set, or 2454.
@discardableResult
@inlinable
public func CFSocketGetDefaultNameRegistryPortNumber() -> UInt16 {
    RLSocketGetDefaultNameRegistryPortNumber()
}
