import CRunLoop

/// Calls a closure in a new autorelease pool, which ends when the closure returns or throws.
///
/// ```swift
/// rlautoreleasepool {
///     RLAutorelease(buffer)
///     …
/// }
/// ```
///
/// CF has no counterpart. Swift has autoreleasepool(invoking:) on Apple's systems.
public func rlautoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    let pool = RLAutoreleasePoolPush()
    defer { RLAutoreleasePoolPop(pool) }
    return try body()
}

/// Retains an object until the calling thread's innermost autorelease pool ends.
///
/// Without a pool, the object is retained until the thread ends, and a warning is logged.
///
/// CF: CFAutorelease, which consumes a reference. This function retains the object instead.
@discardableResult
public func RLAutorelease<Reference: RLReference>(_ object: Reference) -> Reference {
    RLAutorelease(object.unsafeRetained())
    return object
}

/// Retains an object of a Swift class until the calling thread's innermost autorelease pool ends.
///
/// Without a pool, the object is retained until the thread ends, and a warning is logged.
///
/// CF has no counterpart. Objective-C's autorelease consumes a reference instead.
@discardableResult
public func RLAutorelease<Object: AnyObject>(_ object: Object) -> Object {
    // The pool consumes this reference, and releases it with the closure below.
    RLAutoreleasePoolAdd(Unmanaged.passRetained(object).toOpaque()) { object in
        object.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
    }
    return object
}
