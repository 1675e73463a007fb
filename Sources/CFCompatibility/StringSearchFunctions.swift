// Reading strings and finding in them: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// As CFStringCompare, for a range of the first string.
@discardableResult
@inlinable
public func CFStringCompareWithOptions(
    _ firstString: CFString!,
    _ secondString: CFString!,
    _ rangeToCompare: CFRange,
    _ options: CFStringCompareFlags
) -> CFComparisonResult {
    RLStringCompareWithOptions(firstString, secondString, rangeToCompare, options)
}

/// Makes a string from code units of UTF-16, which are copied; halves of pairs may stand alone.
@discardableResult
@inlinable
public func CFStringCreateWithCharacters(
    _ allocator: CFAllocator!,
    _ chars: UnsafePointer<UniChar>!,
    _ numChars: CFIndex
) -> CFString! {
    RLStringCreateWithCharacters(allocator, chars, numChars)
}

/// As CFStringCreateWithCharacters; the units, which are copied all the same, are given to
/// `contentsDeallocator` at once if there is a string.
///
/// Null is the thread's default allocator, kCFAllocatorNull leaves them alone.
@discardableResult
@inlinable
public func CFStringCreateWithCharactersNoCopy(
    _ allocator: CFAllocator!,
    _ chars: UnsafePointer<UniChar>!,
    _ numChars: CFIndex,
    _ contentsDeallocator: CFAllocator!
) -> CFString! {
    RLStringCreateWithCharactersNoCopy(allocator, chars, numChars, contentsDeallocator)
}

/// As CFStringCreateWithCString; the characters are freed as CFStringCreateWithCharactersNoCopy
/// says.
@discardableResult
@inlinable
public func CFStringCreateWithCStringNoCopy(
    _ allocator: CFAllocator!,
    _ characters: UnsafePointer<CChar>!,
    _ encoding: CFStringEncoding,
    _ contentsDeallocator: CFAllocator!
) -> CFString! {
    RLStringCreateWithCStringNoCopy(allocator, characters, encoding, contentsDeallocator)
}

/// As CFStringCreateWithBytes; the bytes are freed as CFStringCreateWithCharactersNoCopy says.
@discardableResult
@inlinable
public func CFStringCreateWithBytesNoCopy(
    _ allocator: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ count: CFIndex,
    _ encoding: CFStringEncoding,
    _ isExternalRepresentation: Bool,
    _ contentsDeallocator: CFAllocator!
) -> CFString! {
    RLStringCreateWithBytesNoCopy(
        allocator,
        bytes,
        count,
        encoding,
        isExternalRepresentation,
        contentsDeallocator
    )
}

/// Makes a string from the name of a file, a C string of UTF-8; anything else yields nil.
@discardableResult
@inlinable
public func CFStringCreateWithFileSystemRepresentation(
    _ allocator: CFAllocator!,
    _ buffer: UnsafePointer<CChar>!
) -> CFString! {
    RLStringCreateWithFileSystemRepresentation(allocator, buffer)
}

/// Joins the strings of an array.
@discardableResult
@inlinable
public func CFStringCreateByCombiningStrings(
    _ alloc: CFAllocator!,
    _ theArray: CFArray!,
    _ separatorString: CFString!
) -> CFString! {
    RLStringCreateByCombiningStrings(alloc, theArray, separatorString)
}

/// The parts of a string between separators, some of which may be empty; the string alone if it
/// has no separator, or if that is empty.
@discardableResult
@inlinable
public func CFStringCreateArrayBySeparatingStrings(
    _ alloc: CFAllocator!,
    _ theString: CFString!,
    _ separatorString: CFString!
) -> CFArray! {
    RLStringCreateArrayBySeparatingStrings(alloc, theString, separatorString)
}

/// Copies the code units of a range into a buffer that is large enough.
@inlinable
public func CFStringGetCharacters(
    _ string: CFString!,
    _ range: CFRange,
    _ buffer: UnsafeMutablePointer<UniChar>!
) {
    RLStringGetCharacters(string, range, buffer)
}

/// Nil, as strings are not stored as UTF-16; use CFStringGetCharacters.
@discardableResult
@inlinable
public func CFStringGetCharactersPtr(_ string: CFString!) -> UnsafePointer<UniChar>! {
    RLStringGetCharactersPtr(string)
}

/// Converts the characters of a range into bytes, as many as are in the encoding and fit.
///
/// There is no NUL behind them.
@discardableResult
@inlinable
public func CFStringGetBytes(
    _ string: CFString!,
    _ range: CFRange,
    _ encoding: CFStringEncoding,
    _ lossByte: UInt8,
    _ isExternalRepresentation: Bool,
    _ buffer: UnsafeMutablePointer<UInt8>!,
    _ maxBufLen: CFIndex,
    _ usedBufLen: UnsafeMutablePointer<CFIndex>!
) -> CFIndex {
    RLStringGetBytes(
        string,
        range,
        encoding,
        lossByte,
        isExternalRepresentation,
        buffer,
        maxBufLen,
        usedBufLen
    )
}

/// The decimal number with which the string begins, after blanks: a sign, digits with a point, an
/// exponent; 0 if there is none.
///
/// The language of the user does not matter.
@discardableResult
@inlinable
public func CFStringGetDoubleValue(_ string: CFString!) -> Double {
    RLStringGetDoubleValue(string)
}

/// The name for the file system, UTF-8 with a NUL.
///
/// Returns whether it fit.
@discardableResult
@inlinable
public func CFStringGetFileSystemRepresentation(
    _ string: CFString!,
    _ buffer: UnsafeMutablePointer<CChar>!,
    _ maxBufLen: CFIndex
) -> Bool {
    RLStringGetFileSystemRepresentation(string, buffer, maxBufLen)
}

/// How large a buffer CFStringGetFileSystemRepresentation needs at most.
@discardableResult
@inlinable
public func CFStringGetMaximumSizeOfFileSystemRepresentation(_ string: CFString!) -> CFIndex {
    RLStringGetMaximumSizeOfFileSystemRepresentation(string)
}

/// Looks for a string in a range of another one.
@discardableResult
@inlinable
public func CFStringFindWithOptions(
    _ theString: CFString!,
    _ stringToFind: CFString!,
    _ rangeToSearch: CFRange,
    _ searchOptions: CFStringCompareFlags,
    _ result: UnsafeMutablePointer<CFRange>!
) -> Bool {
    RLStringFindWithOptions(theString, stringToFind, rangeToSearch, searchOptions, result)
}

/// Looks for a string in another one, as CFStringFindWithOptions; a location of kCFNotFound and a
/// length of 0 if it is not there.
@discardableResult
@inlinable
public func CFStringFind(
    _ theString: CFString!,
    _ stringToFind: CFString!,
    _ compareOptions: CFStringCompareFlags
) -> CFRange {
    RLStringFind(theString, stringToFind, compareOptions)
}

/// All places where CFStringFindWithOptions finds a string, in order.
@discardableResult
@inlinable
public func CFStringCreateArrayWithFindResults(
    _ alloc: CFAllocator!,
    _ theString: CFString!,
    _ stringToFind: CFString!,
    _ rangeToSearch: CFRange,
    _ compareOptions: CFStringCompareFlags
) -> CFArray! {
    RLStringCreateArrayWithFindResults(
        alloc,
        theString,
        stringToFind,
        rangeToSearch,
        compareOptions
    )
}

/// Prints what a string is and its characters to standard error; `(nil)` for nil.
@inlinable
public func CFShowStr(_ string: CFString!) {
    RLShowStr(string)
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
