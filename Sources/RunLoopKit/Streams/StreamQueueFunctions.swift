import CoreRunLoop
public import Dispatch

// Obsolete in Swift 6 mode, which uses CoreRunLoop's functions instead: the functions below call a
// delegate that another thread may be using.

/// Delivers a stream's events on a dispatch queue, and confines the delegate to the queue.
///
/// The compiler does not check that only the queue uses the delegate from now on. The queue must be
/// serial, or the delegate must be an ``RLSendableStreamDelegate``.
///
/// CF: CFReadStreamSetDispatchQueue.
///
/// - Parameters:
///   - stream: The stream.
///   - q: The queue. Nil removes the current queue, and ends the delegate's confinement to it.
@available(swift, obsoleted: 6)
public func RLReadStreamSetDispatchQueue(_ stream: RLInputStream!, _ q: DispatchQueue!) {
    stream?.giveDelegate(toQueue: q != nil)
    let owner: (any RLReadStreamOwner)? = stream
    RLReadStreamSetDispatchQueue(owner, q)
}

/// Delivers a stream's events on a dispatch queue, and confines the delegate to the queue.
///
/// The compiler does not check that only the queue uses the delegate from now on. The queue must be
/// serial, or the delegate must be an ``RLSendableStreamDelegate``.
///
/// CF: CFWriteStreamSetDispatchQueue.
///
/// - Parameters:
///   - stream: The stream.
///   - q: The queue. Nil removes the current queue, and ends the delegate's confinement to it.
@available(swift, obsoleted: 6)
public func RLWriteStreamSetDispatchQueue(_ stream: RLOutputStream!, _ q: DispatchQueue!) {
    stream?.giveDelegate(toQueue: q != nil)
    let owner: (any RLWriteStreamOwner)? = stream
    RLWriteStreamSetDispatchQueue(owner, q)
}

/// Delivers a stream's events on a dispatch queue, and confines the delegate to the queue.
///
/// CF: CFReadStreamSetDispatchQueue.
@available(swift, obsoleted: 6)
public func CFReadStreamSetDispatchQueue(_ stream: RLInputStream!, _ q: DispatchQueue!) {
    stream?.giveDelegate(toQueue: q != nil)
    let owner: (any RLReadStreamOwner)? = stream
    RLReadStreamSetDispatchQueue(owner, q)
}

/// Delivers a stream's events on a dispatch queue, and confines the delegate to the queue.
///
/// CF: CFWriteStreamSetDispatchQueue.
@available(swift, obsoleted: 6)
public func CFWriteStreamSetDispatchQueue(_ stream: RLOutputStream!, _ q: DispatchQueue!) {
    stream?.giveDelegate(toQueue: q != nil)
    let owner: (any RLWriteStreamOwner)? = stream
    RLWriteStreamSetDispatchQueue(owner, q)
}
