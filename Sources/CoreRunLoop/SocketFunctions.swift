public import CRunLoop

/// An event of a socket: the type of callback and its data.
///
/// CF: the type, address and data of CFSocketCallBack.
public enum RLSocketEvent {
    /// A read would not block: there is data, EOF or an error.
    case readable
    /// A connection was accepted. The handler owns the handle and must close it.
    case accepted(RLSocketNativeHandle, address: RLDataRef)
    /// A datagram, or a part of a stream. Empty data means an empty datagram, or EOF of a stream;
    /// after EOF the socket is invalid.
    case data(RLDataRef, address: RLDataRef)
    /// The connection is established, or connecting failed with a nonzero error.
    case connected(error: CInt)
    /// A write would not block.
    case writable
}

private struct SocketHandler: ~Copyable {
    let body: @Sendable (RLSocketRef, RLSocketEvent) -> Void
}

/// Creates a socket that calls a closure.
///
/// The socket retains the closure until the socket is invalidated or destroyed.
///
/// CF: CFSocketCreate.
///
/// - Parameters:
///   - protocolFamily: The family for socket(2), such as `PF_INET`; 0 for `PF_INET`.
///   - socketType: The type for socket(2), such as `SOCK_DGRAM`; 0 for `SOCK_STREAM`.
///   - protocol: The protocol for socket(2); 0 for TCP or UDP.
///   - callBackTypes: The types of callbacks to enable.
///   - handler: Called on a loop's thread.
/// - Returns: A socket whose source is in no loop, or nil if a system call fails.
public func RLSocketCreate(
    protocolFamily: Int32 = 0,
    socketType: Int32 = 0,
    protocol: Int32 = 0,
    callBackTypes: RLSocketCallBackType,
    handler: @escaping @Sendable (RLSocketRef, RLSocketEvent) -> Void
) -> RLSocketRef? {
    withContext(of: handler) {
        RLSocketCreate(
            nil,
            protocolFamily,
            socketType,
            `protocol`,
            callBackTypes.rawValue,
            callHandler,
            $0
        )
    }
}

/// Creates a socket that wraps a native handle and calls a closure, or returns the existing socket
/// of the handle.
///
/// The socket retains the closure until the socket is invalidated or destroyed. The socket then
/// closes the handle, unless the flag `kRLSocketCloseOnInvalidate` is cleared.
///
/// CF: CFSocketCreateWithNative.
///
/// - Parameters:
///   - handle: The handle.
///   - callBackTypes: The types of callbacks to enable.
///   - handler: Called on a loop's thread.
/// - Returns: A socket whose source is in no loop, or nil for a negative handle.
public func RLSocketCreateWithNative(
    _ handle: RLSocketNativeHandle,
    callBackTypes: RLSocketCallBackType,
    handler: @escaping @Sendable (RLSocketRef, RLSocketEvent) -> Void
) -> RLSocketRef? {
    withContext(of: handler) {
        RLSocketCreateWithNative(
            nil,
            handle,
            callBackTypes.rawValue,
            callHandler,
            $0
        )
    }
}

private func withContext<Result>(
    of handler: @escaping @Sendable (RLSocketRef, RLSocketEvent) -> Void,
    _ body: (UnsafePointer<RLSocketContext>) -> Result
) -> Result {
    let box = HandlerBox(SocketHandler(body: handler))
    return withExtendedLifetime(box) {
        var context = RLSocketContext()
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        return body(&context)
    }
}

private func callHandler(
    _ socket: RLSocketRef?,
    _ type: RLSocketCallBackType,
    _ address: RLDataRef?,
    _ data: UnsafeRawPointer?,
    _ info: UnsafeMutableRawPointer?
) {
    guard let socket, let event = makeEvent(type, address, data) else { return }
    HandlerBox<SocketHandler>.use(info) { handler in
        noteFunction(handler)
        handler.body(socket, event)
    }
}

private func makeEvent(
    _ type: RLSocketCallBackType,
    _ address: RLDataRef?,
    _ data: UnsafeRawPointer?
) -> RLSocketEvent? {
    switch type {
    case .readCallBack:
        return .readable
    case .acceptCallBack:
        guard let data, let address else { return nil }
        return .accepted(data.load(as: RLSocketNativeHandle.self), address: address)
    case .dataCallBack:
        guard let data, let address else { return nil }
        // The pointer is a data object, which is valid during the call.
        return .data(unsafeBitCast(data, to: RLDataRef.self), address: address)
    case .connectCallBack:
        return .connected(error: data?.load(as: CInt.self) ?? 0)
    case .writeCallBack:
        return .writable
    default:
        return nil
    }
}
