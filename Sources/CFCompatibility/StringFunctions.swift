// The functions of strings with lists of arguments, and those that are inline in C.

public import CRunLoop.CFDeclarations

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

/// As CFStringAppendFormat, with the arguments in a list.
@inlinable
public func CFStringAppendFormatAndArguments(
    _ string: CFMutableString!,
    _ formatOptions: CFDictionary!,
    _ format: CFString!,
    _ arguments: CVaListPointer
) {
    RLStringAppendFormatAndArguments(string, formatOptions, format, arguments)
}

/// Whether a code unit is the first half of a pair.
@inlinable
public func CFStringIsSurrogateHighCharacter(_ character: UniChar) -> Bool {
    RLStringIsSurrogateHighCharacter(character)
}

/// Whether a code unit is the second half of a pair.
@inlinable
public func CFStringIsSurrogateLowCharacter(_ character: UniChar) -> Bool {
    RLStringIsSurrogateLowCharacter(character)
}

/// The code point of a pair.
@inlinable
public func CFStringGetLongCharacterForSurrogatePair(
    _ surrogateHigh: UniChar,
    _ surrogateLow: UniChar
) -> UInt32 {
    RLStringGetLongCharacterForSurrogatePair(surrogateHigh, surrogateLow)
}

/// Writes the code units of a code point: two, and then the result is true, or one.
@discardableResult
@inlinable
public func CFStringGetSurrogatePairForLongCharacter(
    _ character: UInt32,
    _ surrogates: UnsafeMutablePointer<UniChar>!
) -> Bool {
    RLStringGetSurrogatePairForLongCharacter(character, surrogates)
}

/// Begins to read a range of a string, which must live, and not be changed, as long as that is
/// read.
@inlinable
public func CFStringInitInlineBuffer(
    _ string: CFString!,
    _ buffer: UnsafeMutablePointer<CFStringInlineBuffer>!,
    _ range: CFRange
) {
    RLStringInitInlineBuffer(string, buffer, range)
}

/// The code unit at an index of the range; 0 if it is outside.
@inlinable
public func CFStringGetCharacterFromInlineBuffer(
    _ buffer: UnsafeMutablePointer<CFStringInlineBuffer>!,
    _ index: CFIndex
) -> UniChar {
    RLStringGetCharacterFromInlineBuffer(buffer, index)
}
