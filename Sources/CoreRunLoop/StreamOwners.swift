// Stream functions accept objects that wrap a stream, because such objects and CF's streams are
// toll-free bridged on Apple's systems.

public import CRunLoop

/// A read stream, or an object that wraps a read stream, such as RunLoopKit's `RLInputStream`.
///
/// CF has no counterpart. InputStream and CFReadStream are toll-free bridged on Apple's systems.
public protocol RLReadStreamOwner {
    /// Returns the engine's stream.
    func getRLReadStream() -> RLReadStreamRef
    /// Called before the stream is scheduled in a loop.
    func willSchedule(in runLoop: RLRunLoopRef)
    /// Called before the stream is served on a dispatch queue.
    func willServeOnQueue()
}

/// A write stream, or an object that wraps a write stream, such as RunLoopKit's `RLOutputStream`.
///
/// CF has no counterpart. OutputStream and CFWriteStream are toll-free bridged on Apple's systems.
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
