// Stream functions that take closures and `RLRunLoopMode`, and return pairs as tuples.

public import CRunLoop

private struct ReadHandler: ~Copyable {
    let body: @Sendable (RLReadStreamRef, RLStreamEventType) -> Void
}

/// Sets a closure as the client of a stream, and replaces the former client.
///
/// The stream retains the closure until the stream gets another client or is destroyed.
///
/// CF: CFReadStreamSetClient.
///
/// - Parameters:
///   - stream: The stream.
///   - events: The events to receive.
///   - handler: Called on a loop's thread with one event.
public func RLReadStreamSetClient(
    _ stream: RLReadStreamRef!,
    events: RLStreamEventType,
    handler: @escaping @Sendable (RLReadStreamRef, RLStreamEventType) -> Void
) {
    var context = RLStreamClientContext()
    context.retain = { UnsafeMutableRawPointer(mutating: ContextBox.retain($0)) }
    context.release = { ContextBox.release($0) }
    let box = HandlerBox(ReadHandler(body: handler))
    withExtendedLifetime(box) {
        context.info = box.info
        _ = RLReadStreamSetClient(
            stream,
            events.rawValue,
            { stream, event, info in
                guard let stream else { return }
                HandlerBox<ReadHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(stream, event)
                }
            },
            &context
        )
    }
}

/// Delivers a stream's events to its client in a mode of a loop.
///
/// CF: CFReadStreamScheduleWithRunLoop.
public func RLReadStreamScheduleWithRunLoop(
    _ stream: (any RLReadStreamOwner)!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    if let runLoop { stream?.willSchedule(in: runLoop) }
    RLReadStreamScheduleWithRunLoop(stream?.getRLReadStream(), runLoop, runLoopMode?.rawValue)
}

/// Stops delivering a stream's events in a mode of a loop.
///
/// CF: CFReadStreamUnscheduleFromRunLoop.
public func RLReadStreamUnscheduleFromRunLoop(
    _ stream: (any RLReadStreamOwner)!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    RLReadStreamUnscheduleFromRunLoop(stream?.getRLReadStream(), runLoop, runLoopMode?.rawValue)
}

private struct WriteHandler: ~Copyable {
    let body: @Sendable (RLWriteStreamRef, RLStreamEventType) -> Void
}

/// Sets a closure as the client of a stream, and replaces the former client.
///
/// The stream retains the closure until the stream gets another client or is destroyed.
///
/// CF: CFWriteStreamSetClient.
///
/// - Parameters:
///   - stream: The stream.
///   - events: The events to receive.
///   - handler: Called on a loop's thread with one event.
public func RLWriteStreamSetClient(
    _ stream: RLWriteStreamRef!,
    events: RLStreamEventType,
    handler: @escaping @Sendable (RLWriteStreamRef, RLStreamEventType) -> Void
) {
    var context = RLStreamClientContext()
    context.retain = { UnsafeMutableRawPointer(mutating: ContextBox.retain($0)) }
    context.release = { ContextBox.release($0) }
    let box = HandlerBox(WriteHandler(body: handler))
    withExtendedLifetime(box) {
        context.info = box.info
        _ = RLWriteStreamSetClient(
            stream,
            events.rawValue,
            { stream, event, info in
                guard let stream else { return }
                HandlerBox<WriteHandler>.use(info) { handler in
                    noteFunction(handler)
                    handler.body(stream, event)
                }
            },
            &context
        )
    }
}

/// Delivers a stream's events to its client in a mode of a loop.
///
/// CF: CFWriteStreamScheduleWithRunLoop.
public func RLWriteStreamScheduleWithRunLoop(
    _ stream: (any RLWriteStreamOwner)!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    if let runLoop { stream?.willSchedule(in: runLoop) }
    RLWriteStreamScheduleWithRunLoop(stream?.getRLWriteStream(), runLoop, runLoopMode?.rawValue)
}

/// Stops delivering a stream's events in a mode of a loop.
///
/// CF: CFWriteStreamUnscheduleFromRunLoop.
public func RLWriteStreamUnscheduleFromRunLoop(
    _ stream: (any RLWriteStreamOwner)!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    RLWriteStreamUnscheduleFromRunLoop(stream?.getRLWriteStream(), runLoop, runLoopMode?.rawValue)
}

/// Creates a read stream and a write stream on a connected socket.
///
/// The caller keeps ownership of the handle, and closes it after both streams.
///
/// CF: CFStreamCreatePairWithSocket.
///
/// - Parameter handle: A connected stream socket.
/// - Returns: The two streams, or nil for a negative handle.
public func RLStreamCreatePair(
    withSocket handle: RLSocketNativeHandle
) -> (reader: RLReadStreamRef, writer: RLWriteStreamRef)? {
    var reader: RLReadStreamRef?
    var writer: RLWriteStreamRef?
    RLStreamCreatePairWithSocket(nil, handle, &reader, &writer)
    guard let reader, let writer else { return nil }
    return (reader, writer)
}

/// Creates a read stream and a write stream that connect to a host by TCP when the first of them is
/// opened.
///
/// Opening does not block: name resolution is asynchronous.
///
/// CF: CFStreamCreatePairWithSocketToHost.
///
/// - Parameters:
///   - host: A host name, or a numeric IPv4 or IPv6 address.
///   - port: From 1 to 65535.
/// - Returns: The two streams, or nil if the system cannot create a socket.
public func RLStreamCreatePair(
    toHost host: String,
    port: UInt32
) -> (reader: RLReadStreamRef, writer: RLWriteStreamRef)? {
    var reader: RLReadStreamRef?
    var writer: RLWriteStreamRef?
    let name = RLStringCreate(host)
    RLStreamCreatePairWithSocketToHost(nil, name, port, &reader, &writer)
    guard let reader, let writer else { return nil }
    return (reader, writer)
}

/// Creates a read stream and a write stream that are connected through a buffer in memory.
///
/// CF: CFStreamCreateBoundPair.
///
/// - Parameter bufferSize: The size of the buffer in bytes, at least 1.
/// - Returns: The two streams.
public func RLStreamCreateBoundPair(
    bufferSize: RLIndex
) -> (reader: RLReadStreamRef, writer: RLWriteStreamRef)? {
    var reader: RLReadStreamRef?
    var writer: RLWriteStreamRef?
    RLStreamCreateBoundPair(nil, &reader, &writer, bufferSize)
    guard let reader, let writer else { return nil }
    return (reader, writer)
}

// Disfavored, so that `nil` selects the imported function.
/// Sets a property to an object.
///
/// Returns whether the stream supports the property in its current state.
///
/// CF: CFReadStreamSetProperty.
@_disfavoredOverload
@discardableResult
public func RLReadStreamSetProperty(
    _ stream: (any RLReadStreamOwner)!,
    _ propertyName: RLStringRef!,
    _ propertyValue: (any RLReference)!
) -> Bool {
    let reference = stream?.getRLReadStream()
    return withExtendedLifetime(propertyValue) {
        RLReadStreamSetProperty(reference, propertyName, propertyValue?.unsafeTypeReference)
    }
}

/// Opens the stream of an object, or starts to open it.
///
/// Returns false if opening fails immediately, or if the stream was opened before.
///
/// CF: CFReadStreamOpen.
@_disfavoredOverload
@discardableResult
public func RLReadStreamOpen(_ stream: (any RLReadStreamOwner)!) -> Bool {
    RLReadStreamOpen(stream?.getRLReadStream())
}

/// Closes the stream of an object permanently, and removes it from all loops.
///
/// CF: CFReadStreamClose.
@_disfavoredOverload
public func RLReadStreamClose(_ stream: (any RLReadStreamOwner)!) {
    RLReadStreamClose(stream?.getRLReadStream())
}

/// Returns the status of the stream of an object.
///
/// CF: CFReadStreamGetStatus.
@_disfavoredOverload
public func RLReadStreamGetStatus(_ stream: (any RLReadStreamOwner)!) -> RLStreamStatus {
    RLReadStreamGetStatus(stream?.getRLReadStream())
}

// Disfavored, so that `nil` selects the imported function.
/// Sets a property to an object.
///
/// Returns whether the stream supports the property in its current state.
///
/// CF: CFWriteStreamSetProperty.
@_disfavoredOverload
@discardableResult
public func RLWriteStreamSetProperty(
    _ stream: (any RLWriteStreamOwner)!,
    _ propertyName: RLStringRef!,
    _ propertyValue: (any RLReference)!
) -> Bool {
    let reference = stream?.getRLWriteStream()
    return withExtendedLifetime(propertyValue) {
        RLWriteStreamSetProperty(reference, propertyName, propertyValue?.unsafeTypeReference)
    }
}

/// Opens the stream of an object, or starts to open it.
///
/// Returns false if opening fails immediately, or if the stream was opened before.
///
/// CF: CFWriteStreamOpen.
@_disfavoredOverload
@discardableResult
public func RLWriteStreamOpen(_ stream: (any RLWriteStreamOwner)!) -> Bool {
    RLWriteStreamOpen(stream?.getRLWriteStream())
}

/// Closes the stream of an object permanently, and removes it from all loops.
///
/// CF: CFWriteStreamClose.
@_disfavoredOverload
public func RLWriteStreamClose(_ stream: (any RLWriteStreamOwner)!) {
    RLWriteStreamClose(stream?.getRLWriteStream())
}

/// Returns the status of the stream of an object.
///
/// CF: CFWriteStreamGetStatus.
@_disfavoredOverload
public func RLWriteStreamGetStatus(_ stream: (any RLWriteStreamOwner)!) -> RLStreamStatus {
    RLWriteStreamGetStatus(stream?.getRLWriteStream())
}

/// Half-closes the stream of an object: the peer receives EOF and can still send.
///
/// Returns false if the stream is not open or opening, or if the call fails immediately.
///
/// CF has no counterpart.
@_disfavoredOverload
@available(*, noasync)
@discardableResult
public func RLWriteStreamFinishWriting(_ stream: (any RLWriteStreamOwner)!) -> Bool {
    RLWriteStreamFinishWriting(stream?.getRLWriteStream())
}
