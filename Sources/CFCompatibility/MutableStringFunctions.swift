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

/// Adds a string, which may be the same one, at the end.
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

/// Inserts a string before the code unit at `index`, or at the end.
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

/// Replaces a range by a string.
///
/// O(n).
@inlinable
public func CFStringReplace(_ string: CFMutableString!, _ range: CFRange, _ replacement: CFString!)
{
    RLStringReplace(string, range, replacement)
}

/// Replaces all characters.
@inlinable
public func CFStringReplaceAll(_ string: CFMutableString!, _ replacement: CFString!) {
    RLStringReplaceAll(string, replacement)
}

/// Replaces all occurrences, as CFStringCreateArrayWithFindResults finds them.
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

/// Sets the length of the string: cuts it, or appends another string repeatedly.
@inlinable
public func CFStringPad(
    _ string: CFMutableString!,
    _ padString: CFString!,
    _ length: CFIndex,
    _ indexIntoPad: CFIndex
) {
    RLStringPad(string, padString, length, indexIntoPad)
}

/// Removes all occurrences of a string at both ends.
@inlinable
public func CFStringTrim(_ string: CFMutableString!, _ trimString: CFString!) {
    RLStringTrim(string, trimString)
}

/// Removes white space and line ends from both ends.
@inlinable
public func CFStringTrimWhitespace(_ string: CFMutableString!) {
    RLStringTrimWhitespace(string)
}

/// Converts letters to lower case, one by one, by the C library's table; letters that would become
/// several stay.
///
/// `locale` is nil.
@inlinable
public func CFStringLowercase(_ string: CFMutableString!, _ locale: CFLocale!) {
    RLStringLowercase(string, locale)
}

/// Converts letters to upper case, as CFStringLowercase does to lower case.
@inlinable
public func CFStringUppercase(_ string: CFMutableString!, _ locale: CFLocale!) {
    RLStringUppercase(string, locale)
}

/// Converts the first letter of each word to upper case and the others to lower case, as
/// CFStringLowercase does.
@inlinable
public func CFStringCapitalize(_ string: CFMutableString!, _ locale: CFLocale!) {
    RLStringCapitalize(string, locale)
}
