// What all objects have in common. Functions that take any object open it and call the one with
// `RL` in its name.

public import CoreRunLoop

/// The current date in seconds since 2001, by the wall clock.
@discardableResult
@inlinable
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
    RLAbsoluteTimeGetCurrent()
}

/// The allocator that the default one stands for.
@discardableResult
@inlinable
public func CFAllocatorGetDefault() -> CFAllocator! {
    RLAllocatorGetDefault()
}

/// Makes a range.
@inlinable
public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange {
    CFRange(location: location, length: length)
}

/// Whether two objects are equal.
public func CFEqual(_ first: CFTypeRef!, _ second: CFTypeRef!) -> Bool {
    withPointer(first) { first in withPointer(second) { second in RLEqual(first, second) } }
}

/// A hash that agrees with ``CFEqual(_:_:)``.
public func CFHash(_ object: CFTypeRef!) -> CFHashCode {
    withPointer(object) { RLHash($0) }
}

/// The number of the object's type.
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
    withPointer(object) { RLGetTypeID($0) }
}

/// The number of references to an object, for debugging.
public func CFGetRetainCount(_ object: CFTypeRef) -> CFIndex {
    withPointer(object) { RLGetRetainCount($0) }
}

/// A text for people, as `po` shows it in a debugger; its form may change.
public func CFCopyDescription(_ object: CFTypeRef!) -> CFString! {
    withPointer(object) { RLCopyDescription($0) }
}

/// Prints an object's description and a newline to standard error.
public func CFShow(_ object: CFTypeRef!) {
    withPointer(object) { RLShow($0) }
}

/// The name of a type, such as `RLString`; a number that no type has stops the process.
public func CFCopyTypeIDDescription(_ typeID: CFTypeID) -> CFString! {
    RLCopyTypeIDDescription(typeID)
}

/// The allocator of an object: `kCFAllocatorSystemDefault`, as objects come from malloc.
public func CFGetAllocator(_ object: CFTypeRef!) -> CFAllocator! {
    withPointer(object) { RLGetAllocator($0) }
}

/// The object itself: nothing is collected here.
public func CFMakeCollectable(_ object: CFTypeRef!) -> CFTypeRef! {
    object
}

/// Calls a closure with what the engine's functions of any object want, which it must not keep.
private func withPointer<Result>(_ object: CFTypeRef?, _ body: (RLTypeRef?) -> Result) -> Result {
    guard let object else { return body(nil) }
    return withExtendedLifetime(object) { body(object.unsafeTypeReference) }
}
