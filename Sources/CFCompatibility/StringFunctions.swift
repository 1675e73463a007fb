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

/// The characters as a C string that lives as long as the string, or nil if that needs a
/// conversion.
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
/// Makes a string from bytes, which are copied.
///
/// A byte order mark at the beginning is left out.
@inlinable
public func CFStringCreateWithBytes(
    _ allocator: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ count: CFIndex,
    _ encoding: CFStringEncoding,
    _ isExternalRepresentation: Bool
) -> CFString! {
    RLStringCreateWithBytes(allocator, bytes, count, encoding, isExternalRepresentation)
}

/// Makes a string from the bytes of data, which are copied, as CFStringCreateWithBytes does.
@inlinable
public func CFStringCreateFromExternalRepresentation(
    _ allocator: CFAllocator!,
    _ data: CFData!,
    _ encoding: CFStringEncoding
) -> CFString! {
    RLStringCreateFromExternalRepresentation(allocator, data, encoding)
}

/// The characters of a string as data, without a NUL and without a byte order mark.
@inlinable
public func CFStringCreateExternalRepresentation(
    _ allocator: CFAllocator!,
    _ string: CFString!,
    _ encoding: CFStringEncoding,
    _ lossByte: UInt8
) -> CFData! {
    RLStringCreateExternalRepresentation(allocator, string, encoding, lossByte)
}

/// As CFStringCreateWithFormat, with the arguments in a list.
@inlinable
public func CFStringCreateWithFormatAndArguments(
    _ allocator: CFAllocator!,
    _ formatOptions: CFDictionary!,
    _ format: CFString!,
    _ arguments: CVaListPointer
) -> CFString! {
    RLStringCreateWithFormatAndArguments(allocator, formatOptions, format, arguments)
}

/// A part of a string.
@inlinable
public func CFStringCreateWithSubstring(
    _ allocator: CFAllocator!,
    _ string: CFString!,
    _ range: CFRange
) -> CFString! {
    RLStringCreateWithSubstring(allocator, string, range)
}

/// How many bytes so many UTF-16 code units take at most, without a terminating NUL; kCFNotFound
/// for a negative or too large number and for an unknown encoding.
@inlinable
public func CFStringGetMaximumSizeForEncoding(_ length: CFIndex, _ encoding: CFStringEncoding)
    -> CFIndex
{
    RLStringGetMaximumSizeForEncoding(length, encoding)
}

/// The UTF-16 code unit at `index`; an index out of range stops the process.
///
/// O(n).
@inlinable
public func CFStringGetCharacterAtIndex(_ string: CFString!, _ index: CFIndex) -> UniChar {
    RLStringGetCharacterAtIndex(string, index)
}

/// The number with which the string begins, after blanks and a sign; 0 if there is none, and the
/// nearest limit of the type if it is beyond.
@inlinable
public func CFStringGetIntValue(_ string: CFString!) -> Int32 {
    RLStringGetIntValue(string)
}

/// Compares strings by their UTF-16 code units; composed and decomposed characters differ.
@inlinable
public func CFStringCompare(
    _ firstString: CFString!,
    _ secondString: CFString!,
    _ options: CFStringCompareFlags
) -> CFComparisonResult {
    RLStringCompare(firstString, secondString, options)
}

/// Whether a string begins with another one, which is not empty.
@inlinable
public func CFStringHasPrefix(_ string: CFString!, _ prefix: CFString!) -> Bool {
    RLStringHasPrefix(string, prefix)
}

/// Whether a string ends with another one, which is not empty.
@inlinable
public func CFStringHasSuffix(_ string: CFString!, _ suffix: CFString!) -> Bool {
    RLStringHasSuffix(string, suffix)
}
