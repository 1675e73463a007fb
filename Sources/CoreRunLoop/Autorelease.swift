// Autorelease pools: references that are released at the end of a scope or of a pass.

import CRunLoop

/// Calls a closure with an autorelease pool of its own, which is popped when the closure returns or
/// throws.
///
/// ```swift
/// rlautoreleasepool {
///     RLAutorelease(buffer)
///     …
/// }
/// ```
///
/// CF: none; Swift's autoreleasepool(invoking:) on Apple's systems.
///
/// - Parameter body: The closure.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure.
public func rlautoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    let pool = RLAutoreleasePoolPush()
    defer { RLAutoreleasePoolPop(pool) }
    return try body()
}

/// Retains an object until the calling thread's innermost autorelease pool ends.
///
/// Without a pool, it is retained until the thread ends, and a line is logged.
///
/// CF: CFAutorelease, which takes over a reference of the caller; here the caller keeps its own.
///
/// - Parameter object: The object.
/// - Returns: The object.
@discardableResult
public func RLAutorelease<Reference: RLReference>(_ object: Reference) -> Reference {
    RLAutorelease(object.unsafeRetained())
    return object
}

/// Retains an object of a Swift class until the calling thread's innermost autorelease pool ends.
///
/// Without a pool, it is retained until the thread ends, and a line is logged.
///
/// CF: none; Objective-C's autorelease takes over a reference of the caller, who keeps it here.
///
/// - Parameter object: The object.
/// - Returns: The object.
@discardableResult
public func RLAutorelease<Object: AnyObject>(_ object: Object) -> Object {
    // The pool consumes this reference, and releases it with the closure below.
    RLAutoreleasePoolAdd(Unmanaged.passRetained(object).toOpaque()) { object in
        object.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
    }
    return object
}
