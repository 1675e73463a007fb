// Numbers, truth values and null: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of truth values.
@discardableResult
@inlinable
public func CFBooleanGetTypeID() -> CFTypeID {
    RLBooleanGetTypeID()
}

/// Whether the object is kCFBooleanTrue.
@discardableResult
@inlinable
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool {
    RLBooleanGetValue(boolean)
}

/// The type number of numbers.
@discardableResult
@inlinable
public func CFNumberGetTypeID() -> CFTypeID {
    RLNumberGetTypeID()
}

/// Makes a number.
@discardableResult
@inlinable
public func CFNumberCreate(
    _ allocator: CFAllocator!,
    _ theType: CFNumberType,
    _ valuePtr: UnsafeRawPointer!
) -> CFNumber! {
    RLNumberCreate(allocator, theType, valuePtr)
}

/// The type in which the value is kept: the one of the first six that is the same as the type of
/// its creation.
///
/// (CF keeps integers from -1 to 12 as SInt32.)
@discardableResult
@inlinable
public func CFNumberGetType(_ number: CFNumber!) -> CFNumberType {
    RLNumberGetType(number)
}

/// The size in bytes of the type that CFNumberGetType returns.
@discardableResult
@inlinable
public func CFNumberGetByteSize(_ number: CFNumber!) -> CFIndex {
    RLNumberGetByteSize(number)
}

/// Whether the number is kept as a floating-point number.
@discardableResult
@inlinable
public func CFNumberIsFloatType(_ number: CFNumber!) -> Bool {
    RLNumberIsFloatType(number)
}

/// Converts the number to a C type.
@discardableResult
@inlinable
public func CFNumberGetValue(
    _ number: CFNumber!,
    _ theType: CFNumberType,
    _ valuePtr: UnsafeMutableRawPointer!
) -> Bool {
    RLNumberGetValue(number, theType, valuePtr)
}

/// Compares two numbers by their values, exactly, whatever their types.
///
/// Minus zero is below zero, and NaN is less than all numbers and equal to NaN.
@discardableResult
@inlinable
public func CFNumberCompare(
    _ number: CFNumber!,
    _ otherNumber: CFNumber!,
    _ context: UnsafeMutableRawPointer!
) -> CFComparisonResult {
    RLNumberCompare(number, otherNumber, context)
}

/// The type number of kCFNull.
@discardableResult
@inlinable
public func CFNullGetTypeID() -> CFTypeID {
    RLNullGetTypeID()
}
