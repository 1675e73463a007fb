// Timers: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of timers.
@discardableResult
@inlinable
public func CFRunLoopTimerGetTypeID() -> CFTypeID {
    RLRunLoopTimerGetTypeID()
}

/// Makes a timer from a C function and a context.
@discardableResult
@inlinable
public func CFRunLoopTimerCreate(
    _ allocator: CFAllocator!,
    _ fireDate: CFAbsoluteTime,
    _ interval: CFTimeInterval,
    _ flags: CFOptionFlags,
    _ order: CFIndex,
    _ callout: CFRunLoopTimerCallBack!,
    _ context: UnsafeMutablePointer<CFRunLoopTimerContext>!
) -> CFRunLoopTimer! {
    RLRunLoopTimerCreate(allocator, fireDate, interval, flags, order, callout, context)
}

/// Makes a timer that calls a closure.
///
/// The closure is called on the thread that runs the loop. As on Apple's systems, the compiler does
/// not check that what it captures may be used there.
@discardableResult
@inlinable
public func CFRunLoopTimerCreateWithHandler(
    _ allocator: CFAllocator!,
    _ fireDate: CFAbsoluteTime,
    _ interval: CFTimeInterval,
    _ flags: CFOptionFlags,
    _ order: CFIndex,
    _ block: ((CFRunLoopTimer?) -> Void)!
) -> CFRunLoopTimer! {
    // `@Sendable` is for the compiler only; a closure has the same form with and without it.
    let block = unsafeBitCast(block, to: (@Sendable (CFRunLoopTimer?) -> Void)?.self)
    return RLRunLoopTimerCreateWithHandler(
        allocator,
        fireDate,
        interval,
        flags,
        order,
        block
    )
}

/// The date at which a timer is due next, or 0 if it is invalid.
@discardableResult
@inlinable
public func CFRunLoopTimerGetNextFireDate(_ timer: CFRunLoopTimer!) -> CFAbsoluteTime {
    RLRunLoopTimerGetNextFireDate(timer)
}

/// Sets when a timer is due next.
@inlinable
public func CFRunLoopTimerSetNextFireDate(_ timer: CFRunLoopTimer!, _ fireDate: CFAbsoluteTime) {
    RLRunLoopTimerSetNextFireDate(timer, fireDate)
}

/// The seconds between firings, 0 for a timer that fires once.
@discardableResult
@inlinable
public func CFRunLoopTimerGetInterval(_ timer: CFRunLoopTimer!) -> CFTimeInterval {
    RLRunLoopTimerGetInterval(timer)
}

/// Whether a timer fires repeatedly.
@discardableResult
@inlinable
public func CFRunLoopTimerDoesRepeat(_ timer: CFRunLoopTimer!) -> Bool {
    RLRunLoopTimerDoesRepeat(timer)
}

/// The order given when the timer was made.
@discardableResult
@inlinable
public func CFRunLoopTimerGetOrder(_ timer: CFRunLoopTimer!) -> CFIndex {
    RLRunLoopTimerGetOrder(timer)
}

/// Makes a timer invalid for good and removes it from all modes.
@inlinable
public func CFRunLoopTimerInvalidate(_ timer: CFRunLoopTimer!) {
    RLRunLoopTimerInvalidate(timer)
}

/// Whether a timer may be added to a loop.
@discardableResult
@inlinable
public func CFRunLoopTimerIsValid(_ timer: CFRunLoopTimer!) -> Bool {
    RLRunLoopTimerIsValid(timer)
}

/// Copies a timer's context.
@inlinable
public func CFRunLoopTimerGetContext(
    _ timer: CFRunLoopTimer!,
    _ context: UnsafeMutablePointer<CFRunLoopTimerContext>!
) {
    RLRunLoopTimerGetContext(timer, context)
}

/// The seconds by which a timer may be late to save wake-ups.
@discardableResult
@inlinable
public func CFRunLoopTimerGetTolerance(_ timer: CFRunLoopTimer!) -> CFTimeInterval {
    RLRunLoopTimerGetTolerance(timer)
}

/// Allows a timer to be late, by a number of seconds at most.
@inlinable
public func CFRunLoopTimerSetTolerance(_ timer: CFRunLoopTimer!, _ tolerance: CFTimeInterval) {
    RLRunLoopTimerSetTolerance(timer, tolerance)
}
