// String functions that take a `CVaListPointer`, and functions that are inline in C.

public import CRunLoop.CFDeclarations

/// Creates a string from a format and a list of arguments.
@inlinable
public func CFStringCreateWithFormatAndArguments(
    _ allocator: CFAllocator!,
    _ formatOptions: CFDictionary!,
    _ format: CFString!,
    _ arguments: CVaListPointer
) -> CFString! {
    RLStringCreateWithFormatAndArguments(allocator, formatOptions, format, arguments)
}

/// Formats a list of arguments and appends the result to a string.
@inlinable
public func CFStringAppendFormatAndArguments(
    _ string: CFMutableString!,
    _ formatOptions: CFDictionary!,
    _ format: CFString!,
    _ arguments: CVaListPointer
) {
    RLStringAppendFormatAndArguments(string, formatOptions, format, arguments)
}

/// Returns whether a code unit is a high surrogate, the first of a pair.
@inlinable
public func CFStringIsSurrogateHighCharacter(_ character: UniChar) -> Bool {
    RLStringIsSurrogateHighCharacter(character)
}

/// Returns whether a code unit is a low surrogate, the second of a pair.
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

/// Writes the code units of a code point; returns whether they are a surrogate pair.
@discardableResult
@inlinable
public func CFStringGetSurrogatePairForLongCharacter(
    _ character: UInt32,
    _ surrogates: UnsafeMutablePointer<UniChar>!
) -> Bool {
    RLStringGetSurrogatePairForLongCharacter(character, surrogates)
}

/// Initializes a buffer for reading a range of a string.
///
/// The string must stay alive and unchanged until the last read.
@inlinable
public func CFStringInitInlineBuffer(
    _ string: CFString!,
    _ buffer: UnsafeMutablePointer<CFStringInlineBuffer>!,
    _ range: CFRange
) {
    RLStringInitInlineBuffer(string, buffer, range)
}

/// Returns the code unit at an index in the range, or 0 outside the range.
@inlinable
public func CFStringGetCharacterFromInlineBuffer(
    _ buffer: UnsafeMutablePointer<CFStringInlineBuffer>!,
    _ index: CFIndex
) -> UniChar {
    RLStringGetCharacterFromInlineBuffer(buffer, index)
}
