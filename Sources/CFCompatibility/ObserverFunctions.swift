// Observers: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of observers.
@discardableResult
@inlinable
public func CFRunLoopObserverGetTypeID() -> CFTypeID {
    RLRunLoopObserverGetTypeID()
}

/// Makes an observer from a C function and a context.
@discardableResult
@inlinable
public func CFRunLoopObserverCreate(
    _ allocator: CFAllocator!,
    _ activities: CFOptionFlags,
    _ repeats: Bool,
    _ order: CFIndex,
    _ callout: CFRunLoopObserverCallBack!,
    _ context: UnsafeMutablePointer<CFRunLoopObserverContext>!
) -> CFRunLoopObserver! {
    RLRunLoopObserverCreate(allocator, activities, repeats, order, callout, context)
}

/// Makes an observer that calls a closure.
///
/// The closure is called on the thread that runs the loop. As on Apple's systems, the compiler does
/// not check that what it captures may be used there.
@discardableResult
@inlinable
public func CFRunLoopObserverCreateWithHandler(
    _ allocator: CFAllocator!,
    _ activities: CFOptionFlags,
    _ repeats: Bool,
    _ order: CFIndex,
    _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)!
) -> CFRunLoopObserver! {
    // `@Sendable` is for the compiler only; a closure has the same form with and without it.
    let block = unsafeBitCast(
        block,
        to: (@Sendable (CFRunLoopObserver?, CFRunLoopActivity) -> Void)?.self
    )
    return RLRunLoopObserverCreateWithHandler(
        allocator,
        activities,
        repeats,
        order,
        block
    )
}

/// The activities given when the observer was made.
@discardableResult
@inlinable
public func CFRunLoopObserverGetActivities(_ observer: CFRunLoopObserver!) -> CFOptionFlags {
    RLRunLoopObserverGetActivities(observer)
}

/// Whether an observer goes on after its first call.
@discardableResult
@inlinable
public func CFRunLoopObserverDoesRepeat(_ observer: CFRunLoopObserver!) -> Bool {
    RLRunLoopObserverDoesRepeat(observer)
}

/// The order given when the observer was made.
@discardableResult
@inlinable
public func CFRunLoopObserverGetOrder(_ observer: CFRunLoopObserver!) -> CFIndex {
    RLRunLoopObserverGetOrder(observer)
}

/// Makes an observer invalid for good and removes it from all modes.
@inlinable
public func CFRunLoopObserverInvalidate(_ observer: CFRunLoopObserver!) {
    RLRunLoopObserverInvalidate(observer)
}

/// Whether an observer may be added to a loop.
@discardableResult
@inlinable
public func CFRunLoopObserverIsValid(_ observer: CFRunLoopObserver!) -> Bool {
    RLRunLoopObserverIsValid(observer)
}

/// Copies an observer's context.
@inlinable
public func CFRunLoopObserverGetContext(
    _ observer: CFRunLoopObserver!,
    _ context: UnsafeMutablePointer<CFRunLoopObserverContext>!
) {
    RLRunLoopObserverGetContext(observer, context)
}
