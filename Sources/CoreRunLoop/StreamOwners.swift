// Objects that stream functions accept instead of references, as the two are one on Apple's
// systems.

public import CRunLoop

/// A read stream, or an object that wraps one, such as RunLoopKit's `RLInputStream`.
///
/// CF: none; on Apple's systems InputStream and CFReadStream are one type.
public protocol RLReadStreamOwner {
    /// Returns the engine's stream.
    func getRLReadStream() -> RLReadStreamRef
    /// Called before the stream is scheduled in a loop.
    func willSchedule(in runLoop: RLRunLoopRef)
    /// Called before the stream is served on a dispatch queue.
    func willServeOnQueue()
}

/// A write stream, or an object that wraps one, such as RunLoopKit's `RLOutputStream`.
///
/// CF: none; on Apple's systems OutputStream and CFWriteStream are one type.
public protocol RLWriteStreamOwner {
    /// Returns the engine's stream.
    func getRLWriteStream() -> RLWriteStreamRef
    /// Called before the stream is scheduled in a loop.
    func willSchedule(in runLoop: RLRunLoopRef)
    /// Called before the stream is served on a dispatch queue.
    func willServeOnQueue()
}

extension RLReadStreamRef: RLReadStreamOwner {
    /// Returns the stream itself.
    public func getRLReadStream() -> RLReadStreamRef { self }
    /// Does nothing.
    public func willSchedule(in runLoop: RLRunLoopRef) {}
    /// Does nothing.
    public func willServeOnQueue() {}
}

extension RLWriteStreamRef: RLWriteStreamOwner {
    /// Returns the stream itself.
    public func getRLWriteStream() -> RLWriteStreamRef { self }
    /// Does nothing.
    public func willSchedule(in runLoop: RLRunLoopRef) {}
    /// Does nothing.
    public func willServeOnQueue() {}
}
