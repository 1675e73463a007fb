// Arrays: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of arrays.
@discardableResult
@inlinable
public func CFArrayGetTypeID() -> CFTypeID {
    RLArrayGetTypeID()
}

/// Makes an array of pointers.
@discardableResult
@inlinable
public func CFArrayCreate(
    _ allocator: CFAllocator!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ count: CFIndex,
    _ callBacks: UnsafePointer<CFArrayCallBacks>!
) -> CFArray! {
    RLArrayCreate(allocator, values, count, callBacks)
}

/// The number of elements.
@discardableResult
@inlinable
public func CFArrayGetCount(_ array: CFArray!) -> CFIndex {
    RLArrayGetCount(array)
}

/// The element at an index, not retained.
@discardableResult
@inlinable
public func CFArrayGetValueAtIndex(_ array: CFArray!, _ index: CFIndex) -> UnsafeRawPointer! {
    RLArrayGetValueAtIndex(array, index)
}
