// Functions with dispatch queues. Each function calls its counterpart with the prefix `RL`.

public import CRunLoop.CFDeclarations
public import CoreRunLoop
public import Dispatch

/// Delivers the events of a stream on a dispatch queue instead of in loops.
@inlinable
public func CFReadStreamSetDispatchQueue(_ stream: (any RLReadStreamOwner)!, _ q: DispatchQueue!) {
    RLReadStreamSetDispatchQueue(stream, q)
}

/// Delivers the events of a stream on a dispatch queue instead of in loops.
@inlinable
public func CFWriteStreamSetDispatchQueue(_ stream: (any RLWriteStreamOwner)!, _ q: DispatchQueue!)
{
    RLWriteStreamSetDispatchQueue(stream, q)
}

/// Returns the queue of a stream, or nil if the stream has no queue or C code has set it.
@inlinable
public func CFReadStreamCopyDispatchQueue(_ stream: (any RLReadStreamOwner)!) -> DispatchQueue! {
    RLReadStreamCopyDispatchQueue(stream)
}

/// Returns the queue of a stream, or nil if the stream has no queue or C code has set it.
@inlinable
public func CFWriteStreamCopyDispatchQueue(_ stream: (any RLWriteStreamOwner)!) -> DispatchQueue! {
    RLWriteStreamCopyDispatchQueue(stream)
}

/// Serves a message port on a dispatch queue instead of in loops, one message at a time.
@inlinable
public func CFMessagePortSetDispatchQueue(_ ms: CFMessagePort!, _ queue: DispatchQueue!) {
    RLMessagePortSetDispatchQueue(ms, queue)
}
