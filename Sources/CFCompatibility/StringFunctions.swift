// String functions with argument lists, and functions that are inline in C.

public import CRunLoop.CFDeclarations

/// Creates a string from a format with the arguments in a list.
@inlinable
public func CFStringCreateWithFormatAndArguments(
    _ allocator: CFAllocator!,
    _ formatOptions: CFDictionary!,
    _ format: CFString!,
    _ arguments: CVaListPointer
) -> CFString! {
    RLStringCreateWithFormatAndArguments(allocator, formatOptions, format, arguments)
}

/// Appends a format to a string, with the arguments in a list.
@inlinable
public func CFStringAppendFormatAndArguments(
    _ string: CFMutableString!,
    _ formatOptions: CFDictionary!,
    _ format: CFString!,
    _ arguments: CVaListPointer
) {
    RLStringAppendFormatAndArguments(string, formatOptions, format, arguments)
}

/// Whether a code unit is a high surrogate, the first of a pair.
@inlinable
public func CFStringIsSurrogateHighCharacter(_ character: UniChar) -> Bool {
    RLStringIsSurrogateHighCharacter(character)
}

/// Whether a code unit is a low surrogate, the second of a pair.
@inlinable
public func CFStringIsSurrogateLowCharacter(_ character: UniChar) -> Bool {
    RLStringIsSurrogateLowCharacter(character)
}

/// Returns the code point of a surrogate pair.
@inlinable
public func CFStringGetLongCharacterForSurrogatePair(
    _ surrogateHigh: UniChar,
    _ surrogateLow: UniChar
) -> UInt32 {
    RLStringGetLongCharacterForSurrogatePair(surrogateHigh, surrogateLow)
}

/// Writes the code units of a code point; returns true for a pair, and false for one code unit.
@discardableResult
@inlinable
public func CFStringGetSurrogatePairForLongCharacter(
    _ character: UInt32,
    _ surrogates: UnsafeMutablePointer<UniChar>!
) -> Bool {
    RLStringGetSurrogatePairForLongCharacter(character, surrogates)
}

/// Prepares to read a range of a string.
///
/// The string must exist unchanged until the last read.
@inlinable
public func CFStringInitInlineBuffer(
    _ string: CFString!,
    _ buffer: UnsafeMutablePointer<CFStringInlineBuffer>!,
    _ range: CFRange
) {
    RLStringInitInlineBuffer(string, buffer, range)
}

/// Returns the code unit at an index of the range; 0 outside of the range.
@inlinable
public func CFStringGetCharacterFromInlineBuffer(
    _ buffer: UnsafeMutablePointer<CFStringInlineBuffer>!,
    _ index: CFIndex
) -> UniChar {
    RLStringGetCharacterFromInlineBuffer(buffer, index)
}
