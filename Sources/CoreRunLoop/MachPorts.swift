public import CRunLoop

/// A Mach port, compared by identity.
// `@retroactive`: a C module cannot declare conformances, and this is its only Swift overlay.
// `@unchecked`: reference counts are atomic, and ports have internal locks.
extension RLMachPortRef: RLReference, @retroactive @unchecked Sendable {}
extension RLMachPortRef: @retroactive Hashable {}
extension RLMachPortRef: @retroactive CustomStringConvertible {}
extension RLMachPortRef: @retroactive CustomDebugStringConvertible {}

/// A message that a Mach port has received.
///
/// CF has no counterpart. CFMachPortCallBack receives a message with a `mach_msg_header_t`.
public struct RLMachMessage: Sendable {
    /// A number that identifies the kind of message to the receiver.
    public let messageID: Int32

    /// The bytes after the header.
    public let bytes: [UInt8]

    /// The port for a reply, or nil.
    ///
    /// The port is closed when the closure that received the message returns. To keep the port,
    /// duplicate the descriptor with `dup`.
    public let replyPort: RLMachPortName?
}

/// Creates a Mach port that calls a closure for each message.
///
/// The port receives messages while a loop serves its source: see `RLMachPortCreateRunLoopSource`.
/// The port retains the closure until the port is invalidated or destroyed.
///
/// CF: CFMachPortCreate.
///
/// - Parameter receive: Called on the loop's thread with the port and the message.
/// - Returns: The port, or nil if no file descriptor is available.
public func RLMachPortCreate(
    receive: @escaping @Sendable (RLMachPortRef, RLMachMessage) -> Void
) -> RLMachPortRef? {
    withContext(receive) { context in
        RLMachPortCreate(nil, callReceiver, context, nil)
    }
}

/// Creates a Mach port that receives from a descriptor and calls a closure for each message.
///
/// The caller keeps ownership of the descriptor, and closes it after the port has become invalid.
///
/// CF: CFMachPortCreateWithPort.
///
/// - Parameters:
///   - port: The receiving end from `RLMachPortCreatePair`; not the result of `RLMachPortGetPort`.
///   - receive: Called on the loop's thread with the port and the message.
/// - Returns: The port, or nil if the descriptor is not a Mach port's or another object uses it.
public func RLMachPortCreateWithPort(
    _ port: RLMachPortName,
    receive: @escaping @Sendable (RLMachPortRef, RLMachMessage) -> Void
) -> RLMachPortRef? {
    withContext(receive) { context in
        var wasThere: Bool = false
        let made = RLMachPortCreateWithPort(
            nil,
            port,
            callReceiver,
            context,
            &wasThere
        )
        return wasThere ? nil : made
    }
}

private func withContext(
    _ receive: @escaping @Sendable (RLMachPortRef, RLMachMessage) -> Void,
    _ make: (UnsafePointer<RLMachPortContext>) -> RLMachPortRef?
) -> RLMachPortRef? {
    let box = HandlerBox(Receiver(body: receive))
    return withExtendedLifetime(box) {
        var context = RLMachPortContext()
        context.info = box.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        return make(&context)
    }
}

private let callReceiver: RLMachPortCallBack = { port, message, size, info in
    guard let port, let message else { return }
    let header = message.load(as: RLMachMessageHeader.self)
    let received = RLMachMessage(
        messageID: header.messageID,
        bytes: Array(
            UnsafeRawBufferPointer(start: message, count: size)
                .dropFirst(MemoryLayout<RLMachMessageHeader>.size)
        ),
        replyPort: header.replyPort < 0 ? nil : header.replyPort
    )
    HandlerBox<Receiver>.use(info) { receiver in
        noteFunction(receiver)
        receiver.body(port, received)
    }
}

/// Sends a message to a Mach port.
///
/// Blocks while the port's queue is full, without running a loop.
///
/// CF has no counterpart. Mach's counterpart is `mach_msg`.
///
/// - Parameters:
///   - port: The result of `RLMachPortGetPort`, the sending end of a pair, or the reply port of a
///     message. The descriptor must stay open during the call.
///   - messageID: Any number.
///   - bytes: Up to 64 MiB.
///   - replyPort: The port for a reply, or nil.
///   - timeout: The time to wait for space in the queue, in seconds. With 0 or less, the call does
///     not wait; with ten days or more, it waits without limit.
/// - Returns: `kRLMachPortSuccess`, or an error.
@discardableResult
public func RLMachPortSend(
    _ port: RLMachPortName,
    messageID: Int32,
    bytes: [UInt8] = [],
    replyPort: RLMachPortName? = nil,
    timeout: RLTimeInterval
) -> Int32 {
    let headerSize = MemoryLayout<RLMachMessageHeader>.size
    // The engine rejects size 0, which stands for an overflow.
    let size = UInt32(exactly: headerSize + bytes.count) ?? 0
    let header = RLMachMessageHeader(
        size: size,
        messageID: messageID,
        replyPort: replyPort ?? -1,
        localPort: -1
    )
    return withUnsafeTemporaryAllocation(
        byteCount: headerSize + bytes.count,
        alignment: MemoryLayout<RLMachMessageHeader>.alignment
    ) { message in
        message.storeBytes(of: header, as: RLMachMessageHeader.self)
        UnsafeMutableRawBufferPointer(rebasing: message[headerSize...]).copyBytes(from: bytes)
        return RLMachPortSend(
            port,
            message.baseAddress?.assumingMemoryBound(to: RLMachMessageHeader.self),
            timeout
        )
    }
}

/// Sends a message to the Mach port of an object; otherwise like the overload that takes a
/// descriptor.
///
/// CF has no counterpart. Mach's counterpart is `mach_msg`.
@discardableResult
public func RLMachPortSend(
    _ port: RLMachPortRef,
    messageID: Int32,
    bytes: [UInt8] = [],
    replyPort: RLMachPortRef? = nil,
    timeout: RLTimeInterval
) -> Int32 {
    // The objects keep their descriptors open.
    withExtendedLifetime((port, replyPort)) {
        RLMachPortSend(
            RLMachPortGetPort(port),
            messageID: messageID,
            bytes: bytes,
            replyPort: replyPort.map { RLMachPortGetPort($0) },
            timeout: timeout
        )
    }
}

private struct Receiver: ~Copyable {
    let body: @Sendable (RLMachPortRef, RLMachMessage) -> Void
}
