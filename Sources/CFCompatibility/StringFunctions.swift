// Strings: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of strings.
@discardableResult
@inlinable
public func CFStringGetTypeID() -> CFTypeID {
    RLStringGetTypeID()
}

/// Makes a string from a C string, which is copied; nil if its bytes are not valid in the encoding.
@discardableResult
@inlinable
public func CFStringCreateWithCString(
    _ allocator: CFAllocator!,
    _ characters: UnsafePointer<CChar>!,
    _ encoding: CFStringEncoding
) -> CFString! {
    RLStringCreateWithCString(allocator, characters, encoding)
}

/// A string with the same characters.
@discardableResult
@inlinable
public func CFStringCreateCopy(_ allocator: CFAllocator!, _ string: CFString!) -> CFString! {
    RLStringCreateCopy(allocator, string)
}

/// The characters as a C string that lives as long as the string, or nil if that needs a conversion.
@discardableResult
@inlinable
public func CFStringGetCStringPtr(_ string: CFString!, _ encoding: CFStringEncoding)
    -> UnsafePointer<CChar>!
{
    RLStringGetCStringPtr(string, encoding)
}

/// Copies the characters and a NUL into a buffer, if they fit.
@discardableResult
@inlinable
public func CFStringGetCString(
    _ string: CFString!,
    _ buffer: UnsafeMutablePointer<CChar>!,
    _ size: CFIndex,
    _ encoding: CFStringEncoding
) -> Bool {
    RLStringGetCString(string, buffer, size, encoding)
}

/// The number of UTF-16 code units.
@discardableResult
@inlinable
public func CFStringGetLength(_ string: CFString!) -> CFIndex {
    RLStringGetLength(string)
}
