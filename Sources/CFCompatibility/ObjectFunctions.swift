// Functions with arguments or results of any type, or with stream owners.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

/// Creates a range.
@inlinable
public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange {
    CFRange(location: location, length: length)
}

/// Returns whether two objects are equal.
public func CFEqual(_ first: CFTypeRef!, _ second: CFTypeRef!) -> Bool {
    withPointer(first) { first in withPointer(second) { second in RLEqual(first, second) } }
}

/// Returns a hash, which is the same for objects that are equal by ``CFEqual(_:_:)``.
public func CFHash(_ object: CFTypeRef!) -> CFHashCode {
    withPointer(object) { RLHash($0) }
}

/// Returns the ID of the object's type.
public func CFGetTypeID(_ object: CFTypeRef!) -> CFTypeID {
    withPointer(object) { RLGetTypeID($0) }
}

/// Returns the retain count of an object, for debugging: other threads may change it at any time.
public func CFGetRetainCount(_ object: CFTypeRef) -> CFIndex {
    withPointer(object) { RLGetRetainCount($0) }
}

/// Returns a description for debugging, whose format may change.
public func CFCopyDescription(_ object: CFTypeRef!) -> CFString! {
    withPointer(object) { RLCopyDescription($0) }
}

/// Prints an object's description and a newline to standard error.
public func CFShow(_ object: CFTypeRef!) {
    withPointer(object) { RLShow($0) }
}

/// Returns the allocator of an object, always `kCFAllocatorSystemDefault`, because objects are
/// allocated with malloc.
public func CFGetAllocator(_ object: CFTypeRef!) -> CFAllocator! {
    withPointer(object) { RLGetAllocator($0) }
}

/// Returns the object itself, because there is no garbage collection.
public func CFMakeCollectable(_ object: CFTypeRef!) -> CFTypeRef! {
    object
}

/// The pointer is valid only during the call.
private func withPointer<Result>(_ object: CFTypeRef?, _ body: (RLTypeRef?) -> Result) -> Result {
    guard let object else { return body(nil) }
    return withExtendedLifetime(object) { body(object.unsafeTypeReference) }
}

/// Returns a property of a stream, or nil if the stream does not have the property.
@discardableResult
public func CFReadStreamCopyProperty(
    _ stream: (any RLReadStreamOwner)!,
    _ propertyName: CFString!
) -> CFTypeRef! {
    takeObject(RLReadStreamCopyProperty(stream?.getRLReadStream(), propertyName))
}

/// Returns a property of a stream, or nil if the stream does not have the property.
@discardableResult
public func CFWriteStreamCopyProperty(
    _ stream: (any RLWriteStreamOwner)!,
    _ propertyName: CFString!
) -> CFTypeRef! {
    takeObject(RLWriteStreamCopyProperty(stream?.getRLWriteStream(), propertyName))
}

/// Sets a property of a stream; returns whether the stream has accepted the value.
@discardableResult
@inlinable
public func CFReadStreamSetProperty(
    _ stream: (any RLReadStreamOwner)!,
    _ propertyName: CFString!,
    _ propertyValue: CFTypeRef!
) -> Bool {
    RLReadStreamSetProperty(stream, propertyName, propertyValue)
}

/// Sets a property of a stream; returns whether the stream has accepted the value.
@discardableResult
@inlinable
public func CFWriteStreamSetProperty(
    _ stream: (any RLWriteStreamOwner)!,
    _ propertyName: CFString!,
    _ propertyValue: CFTypeRef!
) -> Bool {
    RLWriteStreamSetProperty(stream, propertyName, propertyValue)
}

/// Converts an owned pointer; returns nil if no stream property has the object's type.
private func takeObject(_ object: RLTypeRef?) -> CFTypeRef? {
    guard let object else { return nil }
    // The cast retains the object, so the owned reference must be released.
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

/// Always fails, because there is no registry server.
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

/// Always fails, and does not change the out-parameters.
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

/// Opens a stream; returns true also if opening has begun but is not finished.
@discardableResult
@inlinable
public func CFReadStreamOpen(_ stream: (any RLReadStreamOwner)!) -> Bool {
    RLReadStreamOpen(stream)
}

/// Closes a stream permanently, and removes it from all loops.
@inlinable
public func CFReadStreamClose(_ stream: (any RLReadStreamOwner)!) {
    RLReadStreamClose(stream)
}

/// Returns the status of a stream.
@inlinable
public func CFReadStreamGetStatus(_ stream: (any RLReadStreamOwner)!) -> CFStreamStatus {
    RLReadStreamGetStatus(stream)
}

/// Opens a stream; returns true also if opening has begun but is not finished.
@discardableResult
@inlinable
public func CFWriteStreamOpen(_ stream: (any RLWriteStreamOwner)!) -> Bool {
    RLWriteStreamOpen(stream)
}

/// Closes a stream permanently, and removes it from all loops.
@inlinable
public func CFWriteStreamClose(_ stream: (any RLWriteStreamOwner)!) {
    RLWriteStreamClose(stream)
}

/// Returns the status of a stream.
@inlinable
public func CFWriteStreamGetStatus(_ stream: (any RLWriteStreamOwner)!) -> CFStreamStatus {
    RLWriteStreamGetStatus(stream)
}
