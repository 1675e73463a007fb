// Bytes: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of bytes, mutable or not.
@discardableResult
@inlinable
public func CFDataGetTypeID() -> CFTypeID {
    RLDataGetTypeID()
}

/// Makes an object that holds a copy of bytes.
@discardableResult
@inlinable
public func CFDataCreate(
    _ allocator: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex
) -> CFData! {
    RLDataCreate(allocator, bytes, length)
}

/// Makes an object that refers to bytes without copying them.
@discardableResult
@inlinable
public func CFDataCreateWithBytesNoCopy(
    _ allocator: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex,
    _ bytesDeallocator: CFAllocator!
) -> CFData! {
    RLDataCreateWithBytesNoCopy(allocator, bytes, length, bytesDeallocator)
}

/// An immutable copy, which the caller owns: of immutable bytes the object itself.
@discardableResult
@inlinable
public func CFDataCreateCopy(_ allocator: CFAllocator!, _ data: CFData!) -> CFData! {
    RLDataCreateCopy(allocator, data)
}

/// Makes an empty object that can be changed.
@discardableResult
@inlinable
public func CFDataCreateMutable(_ allocator: CFAllocator!, _ capacity: CFIndex) -> CFMutableData! {
    RLDataCreateMutable(allocator, capacity)
}

/// As CFDataCreateMutable, with the bytes of another object to begin with.
@discardableResult
@inlinable
public func CFDataCreateMutableCopy(_ allocator: CFAllocator!, _ capacity: CFIndex, _ data: CFData!)
    -> CFMutableData!
{
    RLDataCreateMutableCopy(allocator, capacity, data)
}

/// The number of bytes.
@discardableResult
@inlinable
public func CFDataGetLength(_ data: CFData!) -> CFIndex {
    RLDataGetLength(data)
}

/// The bytes, valid until the object is changed or destroyed; never nil.
@discardableResult
@inlinable
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
    RLDataGetBytePtr(data)
}

/// As CFDataGetBytePtr, for bytes that may be written, as many as there are.
@discardableResult
@inlinable
public func CFDataGetMutableBytePtr(_ data: CFMutableData!) -> UnsafeMutablePointer<UInt8>! {
    RLDataGetMutableBytePtr(data)
}

/// Copies the bytes of a range into a buffer, which is large enough.
@inlinable
public func CFDataGetBytes(
    _ data: CFData!,
    _ range: CFRange,
    _ buffer: UnsafeMutablePointer<UInt8>!
) {
    RLDataGetBytes(data, range, buffer)
}

/// Sets the number of bytes: removes bytes at the end, or appends zeros.
@inlinable
public func CFDataSetLength(_ data: CFMutableData!, _ length: CFIndex) {
    RLDataSetLength(data, length)
}

/// Appends `extraLength` zeros; a negative number removes bytes at the end.
@inlinable
public func CFDataIncreaseLength(_ data: CFMutableData!, _ extraLength: CFIndex) {
    RLDataIncreaseLength(data, extraLength)
}

/// Appends bytes; they may be the object's own.
///
/// Takes constant time for a byte on average.
@inlinable
public func CFDataAppendBytes(
    _ data: CFMutableData!,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex
) {
    RLDataAppendBytes(data, bytes, length)
}

/// Puts `newLength` bytes, which may be the object's own, into the place of a range.
@inlinable
public func CFDataReplaceBytes(
    _ data: CFMutableData!,
    _ range: CFRange,
    _ newBytes: UnsafePointer<UInt8>!,
    _ newLength: CFIndex
) {
    RLDataReplaceBytes(data, range, newBytes, newLength)
}

/// Removes the bytes of a range.
@inlinable
public func CFDataDeleteBytes(_ data: CFMutableData!, _ range: CFRange) {
    RLDataDeleteBytes(data, range)
}

/// Where the bytes of data are in a range of other data: a location of kCFNotFound and a length of
/// 0 if they are not.
///
/// No bytes are nowhere.
@discardableResult
@inlinable
public func CFDataFind(
    _ theData: CFData!,
    _ dataToFind: CFData!,
    _ searchRange: CFRange,
    _ compareOptions: CFDataSearchFlags
) -> CFRange {
    RLDataFind(theData, dataToFind, searchRange, compareOptions)
}
