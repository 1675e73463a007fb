// The functions that take or return any object, or a stream in an object.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

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

/// A property of the stream, or nil if it has no such property.
@discardableResult
public func CFReadStreamCopyProperty(_ stream: CFReadStream!, _ propertyName: CFString!)
    -> CFTypeRef!
{
    takeObject(RLReadStreamCopyProperty(stream, propertyName))
}

/// A property of the stream, or nil if it has no such property.
@discardableResult
public func CFWriteStreamCopyProperty(_ stream: CFWriteStream!, _ propertyName: CFString!)
    -> CFTypeRef!
{
    takeObject(RLWriteStreamCopyProperty(stream, propertyName))
}

/// Sets a property.
///
/// Returns whether it can be set.
@discardableResult
@inlinable
public func CFReadStreamSetProperty(
    _ stream: (any RLReadStreamOwner)!,
    _ propertyName: CFString!,
    _ propertyValue: CFTypeRef!
) -> Bool {
    RLReadStreamSetProperty(stream, propertyName, propertyValue)
}

/// Sets a property.
///
/// Returns whether it can be set.
@discardableResult
@inlinable
public func CFWriteStreamSetProperty(
    _ stream: (any RLWriteStreamOwner)!,
    _ propertyName: CFString!,
    _ propertyValue: CFTypeRef!
) -> Bool {
    RLWriteStreamSetProperty(stream, propertyName, propertyValue)
}

/// The object that a function returned for its caller to own; of the types that properties have.
private func takeObject(_ object: RLTypeRef?) -> CFTypeRef? {
    guard let object else { return nil }
    // The cast adds a reference of its own, so that the caller's is given up.
    defer { RLRelease(object) }
    switch RLGetTypeID(object) {
    case RLDataGetTypeID(): return unsafeBitCast(object, to: RLDataRef.self)
    case RLBooleanGetTypeID(): return unsafeBitCast(object, to: RLBooleanRef.self)
    case RLNumberGetTypeID(): return unsafeBitCast(object, to: RLNumberRef.self)
    case RLStringGetTypeID(): return unsafeBitCast(object, to: RLStringRef.self)
    case RLArrayGetTypeID(): return unsafeBitCast(object, to: RLArrayRef.self)
    case RLDictionaryGetTypeID(): return unsafeBitCast(object, to: RLDictionaryRef.self)
    default: return nil
    }
}

/// Registers a value under a name.
///
/// Always an error: there is no registry.
@discardableResult
@inlinable
public func CFSocketRegisterValue(
    _ nameServerSignature: UnsafePointer<CFSocketSignature>!,
    _ timeout: CFTimeInterval,
    _ name: CFString!,
    _ value: CFTypeRef!
) -> CFSocketError {
    withExtendedLifetime(value) {
        RLSocketRegisterValue(nameServerSignature, timeout, name, value?.unsafeTypeReference)
    }
}

/// Looks a value up.
///
/// Always an error; what the pointers point to stays as it is.
@discardableResult
@inlinable
public func CFSocketCopyRegisteredValue(
    _ nameServerSignature: UnsafePointer<CFSocketSignature>!,
    _ timeout: CFTimeInterval,
    _ name: CFString!,
    _ value: UnsafeMutablePointer<CFTypeRef?>!,
    _ nameServerAddress: UnsafeMutablePointer<CFData?>!
) -> CFSocketError {
    RLSocketCopyRegisteredValue(nameServerSignature, timeout, name, nil, nameServerAddress)
}

/// Begins to open a stream, or the stream of an object.
@discardableResult
@inlinable
public func CFReadStreamOpen(_ stream: (any RLReadStreamOwner)!) -> Bool {
    RLReadStreamOpen(stream)
}

/// Begins to open a stream, or the stream of an object.
@discardableResult
@inlinable
public func CFWriteStreamOpen(_ stream: (any RLWriteStreamOwner)!) -> Bool {
    RLWriteStreamOpen(stream)
}
