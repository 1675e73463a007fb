public import CRunLoop

/// A message port, compared by identity.
// `@retroactive`: a C module cannot declare conformances, and this is its only Swift overlay.
// `@unchecked`: reference counts are atomic, and ports have internal locks.
extension RLMessagePortRef: RLReference, @retroactive @unchecked Sendable {}
extension RLMessagePortRef: @retroactive Hashable {}
extension RLMessagePortRef: @retroactive CustomStringConvertible {}
extension RLMessagePortRef: @retroactive CustomDebugStringConvertible {}

/// Creates a local port that calls a closure for each message.
///
/// The port receives messages while a loop serves its source: see
/// `RLMessagePortCreateRunLoopSource`. The port retains the closure until the port is invalidated
/// or destroyed.
///
/// CF: CFMessagePortCreateLocal.
///
/// - Parameters:
///   - name: From 1 to 128 bytes in UTF-8, or nil for a port that gets its name later.
///   - receive: Called on the loop's thread with the port, the message's number and its bytes.
///     Returns the reply, or nil for an empty reply.
/// - Returns: The port, or nil if the name is in use or has an invalid length, or if a system call
///   fails.
public func RLMessagePortCreateLocal(
    _ name: String?,
    receive: @escaping @Sendable (RLMessagePortRef, Int32, RLDataRef) -> RLDataRef?
) -> RLMessagePortRef? {
    let box = HandlerBox(Receiver(body: receive))
    return withExtendedLifetime(box) {
        var context = RLMessagePortContext()
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        var wasThere = false
        let port = RLMessagePortCreateLocal(
            nil,
            name.map { RLStringCreate($0) },
            { local, number, data, info in
                guard let local, let data else { return nil }
                let reply = HandlerBox<Receiver>.use(info) { receiver in
                    noteFunction(receiver)
                    return receiver.body(local, number, data)
                }
                // The engine consumes a reference.
                return (reply ?? nil)?.unsafeRetained()
            },
            &context,
            &wasThere
        )
        return wasThere ? nil : port
    }
}

/// Creates a remote port, which sends messages, or returns this process's existing remote port for
/// the name.
///
/// CF: CFMessagePortCreateRemote.
///
/// - Parameter name: From 1 to 128 bytes in UTF-8.
/// - Returns: The port, or nil if there is no local port of that name.
public func RLMessagePortCreateRemote(_ name: String) -> RLMessagePortRef? {
    RLMessagePortCreateRemote(nil, RLStringCreate(name))
}

// Disfavored, so that `nil` for `returnData` selects the imported function.
/// Sends a message, and waits for the reply unless `replyMode` is nil.
///
/// While the queue is full, the calling thread blocks without running its loop. While it waits for
/// the reply, it runs its loop in `replyMode`.
///
/// CF: CFMessagePortSendRequest.
///
/// - Parameters:
///   - remote: A remote port; a local port stops the process.
///   - messageID: Any number.
///   - data: Up to 64 MiB; nil sends no bytes.
///   - sendTimeout: The time to wait for space in the queue, in seconds. Ten days or more means no
///     limit.
///   - receiveTimeout: The time to wait for the reply, in seconds.
///   - replyMode: The mode to run while waiting, or nil to send without waiting for a reply.
///   - returnData: Receives the reply. The variable must be nil before the call.
/// - Returns: `kRLMessagePortSuccess`, or an error.
@_disfavoredOverload
@available(*, noasync)
@discardableResult
public func RLMessagePortSendRequest(
    _ remote: RLMessagePortRef!,
    _ messageID: Int32,
    _ data: RLDataRef!,
    _ sendTimeout: RLTimeInterval,
    _ receiveTimeout: RLTimeInterval,
    _ replyMode: RLRunLoopMode!,
    _ returnData: UnsafeMutablePointer<RLDataRef?>!
) -> Int32 {
    RLMessagePortSendRequest(
        remote,
        messageID,
        data,
        sendTimeout,
        receiveTimeout,
        replyMode?.rawValue,
        returnData
    )
}

private struct Receiver: ~Copyable {
    let body: @Sendable (RLMessagePortRef, Int32, RLDataRef) -> RLDataRef?
}
