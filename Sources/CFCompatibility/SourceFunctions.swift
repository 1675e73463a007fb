// Sources: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of sources.
@discardableResult
@inlinable
public func CFRunLoopSourceGetTypeID() -> CFTypeID {
    RLRunLoopSourceGetTypeID()
}

/// Makes a source from a context of version 0, or one of another version cast to it.
@discardableResult
@inlinable
public func CFRunLoopSourceCreate(
    _ allocator: CFAllocator!,
    _ order: CFIndex,
    _ context: UnsafeMutablePointer<CFRunLoopSourceContext>!
) -> CFRunLoopSource! {
    RLRunLoopSourceCreate(allocator, order, context)
}

/// The order given when the source was made.
@discardableResult
@inlinable
public func CFRunLoopSourceGetOrder(_ source: CFRunLoopSource!) -> CFIndex {
    RLRunLoopSourceGetOrder(source)
}

/// Makes a source invalid for good and removes it from all loops.
@inlinable
public func CFRunLoopSourceInvalidate(_ source: CFRunLoopSource!) {
    RLRunLoopSourceInvalidate(source)
}

/// Whether a source may be added to loops.
@discardableResult
@inlinable
public func CFRunLoopSourceIsValid(_ source: CFRunLoopSource!) -> Bool {
    RLRunLoopSourceIsValid(source)
}

/// Copies a source's context, whose version says how much there is room for.
@inlinable
public func CFRunLoopSourceGetContext(
    _ source: CFRunLoopSource!,
    _ context: UnsafeMutablePointer<CFRunLoopSourceContext>!
) {
    RLRunLoopSourceGetContext(source, context)
}

/// Marks a source as having something to do; does not wake its loop.
@inlinable
public func CFRunLoopSourceSignal(_ source: CFRunLoopSource!) {
    RLRunLoopSourceSignal(source)
}

/// Whether a source is marked as having something to do.
@discardableResult
@inlinable
public func CFRunLoopSourceIsSignalled(_ source: CFRunLoopSource!) -> Bool {
    RLRunLoopSourceIsSignalled(source)
}
