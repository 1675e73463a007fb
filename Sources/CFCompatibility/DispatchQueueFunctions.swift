// Dispatch queues. Each function calls its counterpart with `RL` in its name.

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

/// Returns the queue of a stream; nil if it has none or C code has set it.
@inlinable
public func CFReadStreamCopyDispatchQueue(_ stream: (any RLReadStreamOwner)!) -> DispatchQueue! {
    RLReadStreamCopyDispatchQueue(stream)
}

/// Returns the queue of a stream; nil if it has none or C code has set it.
@inlinable
public func CFWriteStreamCopyDispatchQueue(_ stream: (any RLWriteStreamOwner)!) -> DispatchQueue! {
    RLWriteStreamCopyDispatchQueue(stream)
}

/// Serves a message port on a dispatch queue, one message at a time, and not in loops.
@inlinable
public func CFMessagePortSetDispatchQueue(_ ms: CFMessagePort!, _ queue: DispatchQueue!) {
    RLMessagePortSetDispatchQueue(ms, queue)
}
