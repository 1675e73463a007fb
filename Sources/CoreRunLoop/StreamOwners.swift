// Objects that stream functions take in place of references, as on Apple's systems the two are one.

public import CRunLoop

/// A read stream, or an object that has one, such as RunLoopKit's `RLInputStream`.
public protocol RLReadStreamOwner {
    /// The engine's stream.
    func getRLReadStream() -> RLReadStreamRef
    /// Called before the stream is scheduled in a loop.
    func willSchedule(in runLoop: RLRunLoopRef)
    /// Called before the stream is served on a dispatch queue.
    func willServeOnQueue()
}

/// A write stream, or an object that has one, such as RunLoopKit's `RLOutputStream`.
public protocol RLWriteStreamOwner {
    /// The engine's stream.
    func getRLWriteStream() -> RLWriteStreamRef
    /// Called before the stream is scheduled in a loop.
    func willSchedule(in runLoop: RLRunLoopRef)
    /// Called before the stream is served on a dispatch queue.
    func willServeOnQueue()
}

extension RLReadStreamRef: RLReadStreamOwner {
    /// The stream itself.
    public func getRLReadStream() -> RLReadStreamRef { self }
    /// Does nothing.
    public func willSchedule(in runLoop: RLRunLoopRef) {}
    /// Does nothing.
    public func willServeOnQueue() {}
}

extension RLWriteStreamRef: RLWriteStreamOwner {
    /// The stream itself.
    public func getRLWriteStream() -> RLWriteStreamRef { self }
    /// Does nothing.
    public func willSchedule(in runLoop: RLRunLoopRef) {}
    /// Does nothing.
    public func willServeOnQueue() {}
}
