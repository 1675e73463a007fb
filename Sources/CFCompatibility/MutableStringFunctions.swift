// Strings that can be changed: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// Makes an empty string that can be changed.
@discardableResult
@inlinable
public func CFStringCreateMutable(_ allocator: CFAllocator!, _ maxLength: CFIndex)
    -> CFMutableString!
{
    RLStringCreateMutable(allocator, maxLength)
}

/// As CFStringCreateMutable, with the characters of another string.
@discardableResult
@inlinable
public func CFStringCreateMutableCopy(
    _ allocator: CFAllocator!,
    _ maxLength: CFIndex,
    _ string: CFString!
) -> CFMutableString! {
    RLStringCreateMutableCopy(allocator, maxLength, string)
}

/// Adds a string, also itself, at the end.
///
/// O(1) on average for its size.
@inlinable
public func CFStringAppend(_ string: CFMutableString!, _ appendedString: CFString!) {
    RLStringAppend(string, appendedString)
}

/// Adds code units at the end; halves of a pair that meet join.
@inlinable
public func CFStringAppendCharacters(
    _ string: CFMutableString!,
    _ chars: UnsafePointer<UniChar>!,
    _ numChars: CFIndex
) {
    RLStringAppendCharacters(string, chars, numChars)
}

/// Adds a C string at the end, or nothing if it is not valid in the encoding; see
/// CFStringCreateWithCString.
@inlinable
public func CFStringAppendCString(
    _ string: CFMutableString!,
    _ cStr: UnsafePointer<CChar>!,
    _ encoding: CFStringEncoding
) {
    RLStringAppendCString(string, cStr, encoding)
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

/// Puts a string before the code unit at `index`, or at the end.
///
/// O(n).
@inlinable
public func CFStringInsert(
    _ string: CFMutableString!,
    _ index: CFIndex,
    _ insertedString: CFString!
) {
    RLStringInsert(string, index, insertedString)
}

/// Removes a range; a pair of surrogates that is cut leaves half of it.
///
/// O(n).
@inlinable
public func CFStringDelete(_ string: CFMutableString!, _ range: CFRange) {
    RLStringDelete(string, range)
}

/// Puts a string into the place of a range.
///
/// O(n).
@inlinable
public func CFStringReplace(_ string: CFMutableString!, _ range: CFRange, _ replacement: CFString!)
{
    RLStringReplace(string, range, replacement)
}

/// Gives the string other characters.
@inlinable
public func CFStringReplaceAll(_ string: CFMutableString!, _ replacement: CFString!) {
    RLStringReplaceAll(string, replacement)
}

/// Puts a string into all places that CFStringCreateArrayWithFindResults finds.
///
/// O(n).
@discardableResult
@inlinable
public func CFStringFindAndReplace(
    _ string: CFMutableString!,
    _ stringToFind: CFString!,
    _ replacementString: CFString!,
    _ rangeToSearch: CFRange,
    _ compareOptions: CFStringCompareFlags
) -> CFIndex {
    RLStringFindAndReplace(string, stringToFind, replacementString, rangeToSearch, compareOptions)
}

/// Gives the string a length: cuts it, or adds another string over and over.
@inlinable
public func CFStringPad(
    _ string: CFMutableString!,
    _ padString: CFString!,
    _ length: CFIndex,
    _ indexIntoPad: CFIndex
) {
    RLStringPad(string, padString, length, indexIntoPad)
}

/// Removes a string from both ends as often as it is there.
@inlinable
public func CFStringTrim(_ string: CFMutableString!, _ trimString: CFString!) {
    RLStringTrim(string, trimString)
}

/// Removes white space and line ends from both ends.
@inlinable
public func CFStringTrimWhitespace(_ string: CFMutableString!) {
    RLStringTrimWhitespace(string)
}

/// Makes letters small, one by one, by the C library's table; what would become several stays as
/// it is.
///
/// `locale` is nil.
@inlinable
public func CFStringLowercase(_ string: CFMutableString!, _ locale: CFLocale!) {
    RLStringLowercase(string, locale)
}

/// Makes letters capital, as CFStringLowercase makes them small.
@inlinable
public func CFStringUppercase(_ string: CFMutableString!, _ locale: CFLocale!) {
    RLStringUppercase(string, locale)
}

/// Makes the first letter of each word capital and the others small, as CFStringLowercase does.
@inlinable
public func CFStringCapitalize(_ string: CFMutableString!, _ locale: CFLocale!) {
    RLStringCapitalize(string, locale)
}
