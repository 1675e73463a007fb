// Dispatch queues: each function is a call of the one with `RL` in its name.

public import CRunLoop.CFDeclarations
public import CoreRunLoop
public import Dispatch

/// Delivers a stream's events on a dispatch queue and no longer in loops.
@inlinable
public func CFReadStreamSetDispatchQueue(_ stream: (any RLReadStreamOwner)!, _ q: DispatchQueue!) {
    RLReadStreamSetDispatchQueue(stream, q)
}

/// Delivers a stream's events on a dispatch queue and no longer in loops.
@inlinable
public func CFWriteStreamSetDispatchQueue(_ stream: (any RLWriteStreamOwner)!, _ q: DispatchQueue!)
{
    RLWriteStreamSetDispatchQueue(stream, q)
}

/// The queue of a stream, or nil if it has none, or one that C code has set.
@inlinable
public func CFReadStreamCopyDispatchQueue(_ stream: (any RLReadStreamOwner)!) -> DispatchQueue! {
    RLReadStreamCopyDispatchQueue(stream)
}

/// The queue of a stream, or nil if it has none, or one that C code has set.
@inlinable
public func CFWriteStreamCopyDispatchQueue(_ stream: (any RLWriteStreamOwner)!) -> DispatchQueue! {
    RLWriteStreamCopyDispatchQueue(stream)
}

/// Serves a message port on a dispatch queue, one message at a time, and not in loops.
@inlinable
public func CFMessagePortSetDispatchQueue(_ ms: CFMessagePort!, _ queue: DispatchQueue!) {
    RLMessagePortSetDispatchQueue(ms, queue)
}
