public import CRunLoop
import CRunLoop.Wrapping
public import Dispatch

/// Delivers a stream's events on a dispatch queue instead of in run loops.
///
/// Events are delivered one at a time, also on a concurrent queue. Scheduling the stream in a loop
/// has no effect while the stream has a queue.
///
/// CF: CFReadStreamSetDispatchQueue.
///
/// - Parameters:
///   - stream: The stream.
///   - q: The queue. Nil removes the current queue; events then stay pending.
public func RLReadStreamSetDispatchQueue(_ stream: (any RLReadStreamOwner)!, _ q: DispatchQueue!) {
    let reference = stream?.getRLReadStream()
    guard let q else { return RLReadStreamSetDispatchQueue(reference, OpaquePointer?.none) }
    stream?.willServeOnQueue()
    setQueue(q, of: reference)
}

/// Delivers a stream's events on a dispatch queue instead of in run loops.
///
/// Events are delivered one at a time, also on a concurrent queue. Scheduling the stream in a loop
/// has no effect while the stream has a queue.
///
/// CF: CFWriteStreamSetDispatchQueue.
///
/// - Parameters:
///   - stream: The stream.
///   - q: The queue. Nil removes the current queue; events then stay pending.
public func RLWriteStreamSetDispatchQueue(_ stream: (any RLWriteStreamOwner)!, _ q: DispatchQueue!)
{
    let reference = stream?.getRLWriteStream()
    guard let q else { return RLWriteStreamSetDispatchQueue(reference, OpaquePointer?.none) }
    stream?.willServeOnQueue()
    setQueue(q, of: reference)
}

/// Returns the dispatch queue of a stream.
///
/// Nil if the stream has no queue, or if C code set the queue.
///
/// CF: CFReadStreamCopyDispatchQueue.
public func RLReadStreamCopyDispatchQueue(_ stream: (any RLReadStreamOwner)!) -> DispatchQueue! {
    queue(of: stream?.getRLReadStream())
}

/// Returns the dispatch queue of a stream.
///
/// Nil if the stream has no queue, or if C code set the queue.
///
/// CF: CFWriteStreamCopyDispatchQueue.
public func RLWriteStreamCopyDispatchQueue(_ stream: (any RLWriteStreamOwner)!) -> DispatchQueue! {
    queue(of: stream?.getRLWriteStream())
}

/// Serves a message port on a dispatch queue instead of in run loops, one message at a time.
///
/// If the port is invalid or has a valid run loop source, the function only logs a warning. While
/// the port has a queue, `RLMessagePortCreateRunLoopSource` returns nil.
///
/// CF: CFMessagePortSetDispatchQueue.
///
/// - Parameters:
///   - port: A local port, which then receives its messages on the queue, or a remote port, which
///     then detects on the queue that its peer has closed.
///   - queue: The queue. Nil removes the current queue.
public func RLMessagePortSetDispatchQueue(_ port: RLMessagePortRef!, _ queue: DispatchQueue!) {
    RLMessagePortSetDispatchQueue(port, queue.map(pointer))
}

/// Returns the libdispatch object of a queue, which `DispatchQueue` stores in an internal property.
private func pointer(of queue: DispatchQueue) -> OpaquePointer {
    var mirror: Mirror? = Mirror(reflecting: queue)
    while let one = mirror {
        let wrapped = one.children.first { $0.label == "__wrapped" }
        if let pointer = wrapped?.value as? OpaquePointer { return pointer }
        mirror = one.superclassMirror
    }
    preconditionFailure("DispatchQueue has an unknown layout: use Swift 6.2 or 6.3")
}

/// Returns the number of a serial queue, or 0 for a concurrent queue.
package func RLDispatchGetQueueNumber(_ queue: DispatchQueue) -> UInt {
    RLDispatchGetQueueNumber(pointer(of: queue))
}

/// Sets the queue of a stream and stores the queue's Swift object, which `queue(of:)` returns.
private func setQueue(_ queue: DispatchQueue, of stream: (some RLReference)?) {
    withExtendedLifetime(stream) {
        RLStreamSetDispatchQueueWithCounterpart(
            stream?.unsafeTypeReference,
            pointer(of: queue),
            // The stream releases the object when its queue is replaced.
            Unmanaged.passRetained(queue).toOpaque()
        ) { queue in
            guard let queue else { return }
            Unmanaged<DispatchQueue>.fromOpaque(queue).release()
        }
    }
}

private func queue(of stream: (some RLReference)?) -> DispatchQueue? {
    var found: DispatchQueue?
    withExtendedLifetime(stream) {
        withUnsafeMutablePointer(to: &found) { found in
            RLStreamUseDispatchQueueCounterpart(
                stream?.unsafeTypeReference,
                { queue, found in
                    guard let queue else { return }
                    // `setQueue` stored the object, and the stream retains it during this call.
                    found?.assumingMemoryBound(to: DispatchQueue?.self).pointee =
                        Unmanaged<DispatchQueue>.fromOpaque(queue).takeUnretainedValue()
                },
                found
            )
        }
    }
    return found
}
