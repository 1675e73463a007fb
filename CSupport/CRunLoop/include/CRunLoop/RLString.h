/*
 * Strings of Unicode characters. RLMutableString.h has mutable strings.
 *
 * Lengths and indexes count code units of UTF-16, as in CF; strings are stored as UTF-8. They may
 * be used from any thread. A range or an index that is not within the string stops the process with
 * one line.
 */

#ifndef CRUNLOOP_RLSTRING_H
#define CRUNLOOP_RLSTRING_H

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLData.h>
#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLObject.h>
#include <CRunLoop/RLStringEncoding.h>
#include <stdarg.h>

RL_EXTERN_C_BEGIN

/** Options for comparing and finding strings. CF: CFStringCompareFlags. */
RL_OPTIONS(RLOptionFlags, RLStringCompareFlags) {
    /** Ignore case, letter by letter. CF: kCFCompareCaseInsensitive. */
    kRLCompareCaseInsensitive = 1,
    /** Search from the end. CF: kCFCompareBackwards. */
    kRLCompareBackwards = 4,
    /**
     * Find only at the beginning of the range or, backwards, at its end. CF: kCFCompareAnchored.
     */
    kRLCompareAnchored = 8,
    /** Compare sequences of ASCII digits as numbers. CF: kCFCompareNumerically. */
    kRLCompareNumerically = 64,
    /**
     * Compare strings that are equal without case once more with it. CF: kCFCompareForcedOrdering.
     */
    kRLCompareForcedOrdering = 512
};

/** The eight bytes with which a constant string begins; see RLSTR. */
#define RL_CONSTANT_STRING_MARK "\x7FRL\xA5STR\x01"

/**
 * A constant string made from a string literal. It costs nothing at run time, may be used in a
 * static initializer, lives for good, and need be neither retained nor released.
 *
 * The object is the literal itself, led by a mark that RL functions recognize. It should be UTF-8:
 * an invalid byte counts as U+FFFD, and makes RLStringGetCString fail.
 *
 * - CF: CFSTR.
 */
#define RLSTR(literal) ((RLStringRef)(const void *)(RL_CONSTANT_STRING_MARK "" literal ""))

/** The type number of strings. CF: CFStringGetTypeID. */
RL_EXPORT RLTypeID RLStringGetTypeID(void);

/**
 * Makes a string from a C string, which is copied. A byte order mark at the beginning is dropped.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - characters: A C string. Null returns null.
 *   - encoding: An encoding whose units are single bytes; any other returns null, and so do bytes
 *     that are invalid in it.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateWithCString.
 */
RL_EXPORT RLStringRef RLStringCreateWithCString(RLAllocatorRef allocator, const char *characters,
                                                RLStringEncoding encoding) RL_RETURNS_RETAINED;

/**
 * Makes a string from bytes, which are copied. A byte order mark at the beginning of UTF-8 is left
 * out, and that of UTF-32.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - bytes: The bytes; may be null if `count` is 0.
 *   - count: The number of bytes; a negative number yields null.
 *   - encoding: An encoding that strings know; any other yields null, and so do bytes that are not
 *     valid in it. An incomplete unit at the end is dropped.
 *   - isExternalRepresentation: Whether UTF-16 may begin with a byte order mark, and is big-endian
 *     without one.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateWithBytes.
 */
RL_EXPORT RLStringRef RLStringCreateWithBytes(RLAllocatorRef allocator, const UInt8 *bytes,
                                              RLIndex count, RLStringEncoding encoding,
                                              Boolean isExternalRepresentation) RL_RETURNS_RETAINED;

/**
 * Makes a string from the bytes of data, which are copied, as RLStringCreateWithBytes does.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - data: The data, such as that of a message.
 *   - encoding: An encoding that strings know; any other yields null, and so do bytes that are not
 *     valid in it.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateFromExternalRepresentation.
 */
RL_EXPORT RLStringRef RLStringCreateFromExternalRepresentation(
    RLAllocatorRef allocator, RLDataRef data, RLStringEncoding encoding) RL_RETURNS_RETAINED;

/**
 * Converts a string to data, without a NUL; only kRLStringEncodingUTF16 and kRLStringEncodingUTF32
 * add a byte order mark.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - string: The string.
 *   - encoding: An encoding that strings know; any other yields null.
 *   - lossByte: The substitute for each UTF-16 code unit that the encoding cannot express. If it is
 *     0, a string with such a unit yields null. UTF-8 cannot express an unpaired surrogate, which
 *     has no substitute: the data end before it.
 * - Returns: Data that the caller owns, or null.
 * - CF: CFStringCreateExternalRepresentation.
 */
RL_EXPORT RLDataRef RLStringCreateExternalRepresentation(RLAllocatorRef allocator,
                                                         RLStringRef string,
                                                         RLStringEncoding encoding,
                                                         UInt8 lossByte) RL_RETURNS_RETAINED;

/**
 * Makes a string as printf does, except for these conversions:
 *
 * - `%@` prints an object: a string by its characters, a number or Boolean by its value, any
 *   other object by its description. It takes no width.
 * - `%C` prints a UTF-16 code unit. It takes neither a width nor a precision.
 * - `%c` prints the character whose code point is the argument's low byte. It takes no precision,
 *   and its width counts characters.
 * - `%s` takes UTF-8. Bytes that do not belong to a character become U+FFFD.
 * - `%@` and `%s` print null as `(null)`.
 * - `%n`, `%S` and conversions that printf does not know stop the process.
 *
 * Arguments may have numbers (`%2$@`) up to 64, if no number is left out.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - formatOptions: Ignored; null.
 *   - format: The format.
 * - Returns: A string that the caller owns.
 * - CF: CFStringCreateWithFormat.
 */
RL_EXPORT RLStringRef RLStringCreateWithFormat(RLAllocatorRef allocator,
                                               RLDictionaryRef formatOptions, RLStringRef format,
                                               ...) RL_RETURNS_RETAINED;

/**
 * As RLStringCreateWithFormat, with the arguments in a list.
 * CF: CFStringCreateWithFormatAndArguments.
 */
RL_EXPORT RLStringRef RLStringCreateWithFormatAndArguments(RLAllocatorRef allocator,
                                                           RLDictionaryRef formatOptions,
                                                           RLStringRef format,
                                                           va_list arguments) RL_RETURNS_RETAINED;

/**
 * A part of a string.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - string: The string.
 *   - range: In UTF-16 code units; if it is not within the string, the process stops.
 * - Returns: A string that the caller owns; a surrogate pair that is cut leaves an unpaired
 *   surrogate.
 * - CF: CFStringCreateWithSubstring.
 */
RL_EXPORT RLStringRef RLStringCreateWithSubstring(RLAllocatorRef allocator, RLStringRef string,
                                                  RLRange range) RL_RETURNS_RETAINED;

/**
 * Returns an immutable string with the same characters, which the caller owns; for an immutable
 * string, the string itself. CF: CFStringCreateCopy.
 */
RL_EXPORT RLStringRef RLStringCreateCopy(RLAllocatorRef allocator,
                                         RLStringRef string) RL_RETURNS_RETAINED;

/**
 * Returns the characters as a C string, valid as long as the string lives. Returns null for a
 * mutable string, which another thread may change, if `encoding` is not UTF-8 and the string is not
 * ASCII, or if it contains a NUL or an unpaired surrogate: use RLStringGetCString then.
 *
 * - CF: CFStringGetCStringPtr.
 */
RL_EXPORT const char *RLStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding);

/**
 * Copies the characters and a terminating NUL, one byte, into a buffer.
 *
 * - Parameters:
 *   - string: The string.
 *   - buffer: Receives the characters.
 *   - size: The size of the buffer in bytes, the NUL included.
 *   - encoding: An encoding that strings know.
 * - Returns: Whether the encoding has all characters and they fit; if not, the buffer is left
 *   untouched.
 * - CF: CFStringGetCString.
 */
RL_EXPORT Boolean RLStringGetCString(RLStringRef string, char *buffer, RLIndex size,
                                     RLStringEncoding encoding);

/**
 * The number of UTF-16 code units, as CF counts. O(n), but O(1) of a mutable string.
 * CF: CFStringGetLength.
 */
RL_EXPORT RLIndex RLStringGetLength(RLStringRef string);

/**
 * The greatest number of bytes for a number of UTF-16 code units, without a terminating NUL;
 * kRLNotFound for a negative or too large number and for an unknown encoding.
 *
 * - CF: CFStringGetMaximumSizeForEncoding.
 */
RL_EXPORT RLIndex RLStringGetMaximumSizeForEncoding(RLIndex length, RLStringEncoding encoding);

/**
 * The UTF-16 code unit at `index`. An index out of range stops the process. The time grows with the
 * index, except for a mutable string that has only ASCII characters.
 *
 * - CF: CFStringGetCharacterAtIndex.
 */
RL_EXPORT UniChar RLStringGetCharacterAtIndex(RLStringRef string, RLIndex index);

/**
 * Returns the integer at the beginning of the string, after blanks and a sign, which blanks may
 * follow too; 0 if there is none, and the nearest limit of the type if it is out of range.
 *
 * - CF: CFStringGetIntValue.
 */
RL_EXPORT SInt32 RLStringGetIntValue(RLStringRef string);

/**
 * Compares strings by their UTF-16 code units; composed and decomposed characters differ.
 *
 * - Parameters:
 *   - firstString: The first string.
 *   - secondString: The second one.
 *   - options: kRLCompareCaseInsensitive, kRLCompareNumerically, kRLCompareForcedOrdering, or 0;
 *     others are ignored.
 * - CF: CFStringCompare.
 */
RL_EXPORT RLComparisonResult RLStringCompare(RLStringRef firstString, RLStringRef secondString,
                                             RLStringCompareFlags options);

/** As RLStringCompare, for a range of the first string. CF: CFStringCompareWithOptions. */
RL_EXPORT RLComparisonResult RLStringCompareWithOptions(RLStringRef firstString,
                                                        RLStringRef secondString,
                                                        RLRange rangeToCompare,
                                                        RLStringCompareFlags options);

/** Whether a string begins with another, non-empty one. CF: CFStringHasPrefix. */
RL_EXPORT Boolean RLStringHasPrefix(RLStringRef string, RLStringRef prefix);

/** Whether a string ends with another, non-empty one. CF: CFStringHasSuffix. */
RL_EXPORT Boolean RLStringHasSuffix(RLStringRef string, RLStringRef suffix);

/* --- More ways to make strings --- */

/**
 * Makes a string from code units of UTF-16, which are copied; surrogates may be unpaired.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - chars: The units; may be null if there are none.
 *   - numChars: The number of units; a negative number yields null.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateWithCharacters.
 */
RL_EXPORT RLStringRef RLStringCreateWithCharacters(RLAllocatorRef allocator, const UniChar *chars,
                                                   RLIndex numChars) RL_RETURNS_RETAINED;

/**
 * As RLStringCreateWithCharacters; the units are copied nevertheless, and freed at once by
 * `contentsDeallocator` if a string is made. Null is the thread's default allocator;
 * kRLAllocatorNull frees nothing. CF: CFStringCreateWithCharactersNoCopy.
 */
RL_EXPORT RLStringRef
RLStringCreateWithCharactersNoCopy(RLAllocatorRef allocator, const UniChar *chars, RLIndex numChars,
                                   RLAllocatorRef contentsDeallocator) RL_RETURNS_RETAINED;

/**
 * As RLStringCreateWithCString; the characters are freed as by RLStringCreateWithCharactersNoCopy.
 * CF: CFStringCreateWithCStringNoCopy.
 */
RL_EXPORT RLStringRef RLStringCreateWithCStringNoCopy(
    RLAllocatorRef allocator, const char *characters, RLStringEncoding encoding,
    RLAllocatorRef contentsDeallocator) RL_RETURNS_RETAINED;

/**
 * As RLStringCreateWithBytes; the bytes are freed as by RLStringCreateWithCharactersNoCopy. CF:
 * CFStringCreateWithBytesNoCopy.
 */
RL_EXPORT RLStringRef RLStringCreateWithBytesNoCopy(
    RLAllocatorRef allocator, const UInt8 *bytes, RLIndex count, RLStringEncoding encoding,
    Boolean isExternalRepresentation, RLAllocatorRef contentsDeallocator) RL_RETURNS_RETAINED;

/**
 * Makes a string from the name of a file, a C string of UTF-8; anything else yields null.
 * CF: CFStringCreateWithFileSystemRepresentation.
 */
RL_EXPORT RLStringRef RLStringCreateWithFileSystemRepresentation(
    RLAllocatorRef allocator, const char *buffer) RL_RETURNS_RETAINED;

/**
 * Joins the strings of an array.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - theArray: An array of strings.
 *   - separatorString: The separator of two strings.
 * - Returns: A string that the caller owns.
 * - CF: CFStringCreateByCombiningStrings.
 */
RL_EXPORT RLStringRef RLStringCreateByCombiningStrings(
    RLAllocatorRef alloc, RLArrayRef theArray, RLStringRef separatorString) RL_RETURNS_RETAINED;

/**
 * Splits a string at separators; parts may be empty. The only part is the string itself if it has
 * no separator, or if that is empty.
 *
 * - Returns: An array of strings, at least one, that the caller owns.
 * - CF: CFStringCreateArrayBySeparatingStrings.
 */
RL_EXPORT RLArrayRef RLStringCreateArrayBySeparatingStrings(
    RLAllocatorRef alloc, RLStringRef theString, RLStringRef separatorString) RL_RETURNS_RETAINED;

/* --- Reading --- */

/**
 * Copies the code units of a range into a buffer, which must be large enough. CF:
 * CFStringGetCharacters.
 */
RL_EXPORT void RLStringGetCharacters(RLStringRef string, RLRange range, UniChar *buffer);

/**
 * Returns null, as strings are not stored as UTF-16; use RLStringGetCharacters. CF:
 * CFStringGetCharactersPtr.
 */
RL_EXPORT const UniChar *RLStringGetCharactersPtr(RLStringRef string);

/**
 * Converts the characters of a range into bytes, as many as the encoding has and as fit. No NUL is
 * added.
 *
 * - Parameters:
 *   - string: The string.
 *   - range: In code units.
 *   - encoding: An encoding that strings know; any other converts nothing.
 *   - lossByte: The substitute for each code unit that the encoding lacks; 0 ends the conversion
 *     there. An unpaired surrogate always ends that into UTF-8.
 *   - isExternalRepresentation: Whether kRLStringEncodingUTF16 and kRLStringEncodingUTF32 begin
 *     with a byte order mark.
 *   - buffer: Receives the bytes; null only counts them.
 *   - maxBufLen: The size of the buffer; ignored if that is null.
 *   - usedBufLen: Receives the number of bytes; may be null.
 * - Returns: The number of code units that were converted. Surrogate pairs are not cut.
 * - CF: CFStringGetBytes.
 */
RL_EXPORT RLIndex RLStringGetBytes(RLStringRef string, RLRange range, RLStringEncoding encoding,
                                   UInt8 lossByte, Boolean isExternalRepresentation, UInt8 *buffer,
                                   RLIndex maxBufLen, RLIndex *usedBufLen);

/**
 * Returns the decimal number at the beginning of the string, after blanks: a sign, digits with a
 * point, an exponent; 0 if there is none. The user's locale does not matter. CF:
 * CFStringGetDoubleValue.
 */
RL_EXPORT double RLStringGetDoubleValue(RLStringRef string);

/** Copies the name for the file system, UTF-8 with a NUL. Returns whether it fits.
 * CF: CFStringGetFileSystemRepresentation. */
RL_EXPORT Boolean RLStringGetFileSystemRepresentation(RLStringRef string, char *buffer,
                                                      RLIndex maxBufLen);

/**
 * The largest size of a buffer that RLStringGetFileSystemRepresentation needs.
 * CF: CFStringGetMaximumSizeOfFileSystemRepresentation.
 */
RL_EXPORT RLIndex RLStringGetMaximumSizeOfFileSystemRepresentation(RLStringRef string);

/* --- Finding --- */

/**
 * Looks for a string in a range of another one.
 *
 * Code units are compared, without case if requested; composed and decomposed characters differ.
 * The empty string is never found.
 *
 * - Parameters:
 *   - theString: The string to search.
 *   - stringToFind: The string to find.
 *   - rangeToSearch: The range.
 *   - searchOptions: kRLCompareCaseInsensitive, kRLCompareBackwards, kRLCompareAnchored, or 0;
 *     others are ignored.
 *   - result: Receives the range that was found; may be null. Unchanged if none was found.
 * - Returns: Whether it was found.
 * - CF: CFStringFindWithOptions.
 */
RL_EXPORT Boolean RLStringFindWithOptions(RLStringRef theString, RLStringRef stringToFind,
                                          RLRange rangeToSearch, RLStringCompareFlags searchOptions,
                                          RLRange *result);

/**
 * Looks for a string in another one, as RLStringFindWithOptions; a location of kRLNotFound and a
 * length of 0 if it is not there. CF: CFStringFind.
 */
RL_EXPORT RLRange RLStringFind(RLStringRef theString, RLStringRef stringToFind,
                               RLStringCompareFlags compareOptions);

/**
 * All matches of RLStringFindWithOptions, in order.
 *
 * - Returns: An array that the caller owns, whose elements point to ranges (RLRange) that live as
 *   long as an array has them; null if there are none.
 * - CF: CFStringCreateArrayWithFindResults.
 */
RL_EXPORT RLArrayRef RLStringCreateArrayWithFindResults(
    RLAllocatorRef alloc, RLStringRef theString, RLStringRef stringToFind, RLRange rangeToSearch,
    RLStringCompareFlags compareOptions) RL_RETURNS_RETAINED;

/* --- Surrogates, and reading in order --- */

/**
 * Whether a code unit is a high surrogate, the first of a pair. CF:
 * CFStringIsSurrogateHighCharacter.
 */
__attribute__((unused)) static inline Boolean RLStringIsSurrogateHighCharacter(UniChar character)
{
    return character >= 0xD800 && character <= 0xDBFF;
}

/**
 * Whether a code unit is a low surrogate, the second of a pair. CF:
 * CFStringIsSurrogateLowCharacter.
 */
__attribute__((unused)) static inline Boolean RLStringIsSurrogateLowCharacter(UniChar character)
{
    return character >= 0xDC00 && character <= 0xDFFF;
}

/** The code point of a pair. CF: CFStringGetLongCharacterForSurrogatePair. */
__attribute__((unused)) static inline UInt32
RLStringGetLongCharacterForSurrogatePair(UniChar surrogateHigh, UniChar surrogateLow)
{
    return ((UInt32)(surrogateHigh - 0xD800) << 10) + (UInt32)(surrogateLow - 0xDC00) + 0x10000;
}

/**
 * Writes the code units of a code point: two, and then the result is true, or one, or none if there
 * is no such code point. CF: CFStringGetSurrogatePairForLongCharacter.
 */
__attribute__((unused)) static inline Boolean
RLStringGetSurrogatePairForLongCharacter(UInt32 character, UniChar *surrogates)
{
    if (character > 0xFFFF && character < 0x110000) {
        surrogates[0] = (UniChar)(((character - 0x10000) >> 10) + 0xD800);
        surrogates[1] = (UniChar)((character & 0x3FF) + 0xDC00);
        return true;
    }
    if (character <= 0xFFFF) *surrogates = (UniChar)character;
    return false;
}

/** A window on a range of a string, which is read in order. CF: CFStringInlineBuffer. */
typedef struct {
    /** The code units at hand. */
    UniChar buffer[64];
    /** The string. */
    RLStringRef theString;
    /** The range of the string that is read. */
    RLRange rangeToBuffer;
    /** The beginning of the window in that range. */
    RLIndex bufferedRangeStart;
    /** The end of the window in that range. */
    RLIndex bufferedRangeEnd;
} RLStringInlineBuffer;

/**
 * Begins to read a range of a string, which must live, and not be changed, as long as that is read.
 * CF: CFStringInitInlineBuffer.
 */
__attribute__((unused)) static inline void
RLStringInitInlineBuffer(RLStringRef string, RLStringInlineBuffer *buffer, RLRange range)
{
    buffer->theString = string;
    buffer->rangeToBuffer = range;
    buffer->bufferedRangeStart = buffer->bufferedRangeEnd = 0;
}

/**
 * The code unit at an index of the range; 0 if it is outside. Reading in order is quick: it costs a
 * call for 64 of them. CF: CFStringGetCharacterFromInlineBuffer.
 */
__attribute__((unused)) static inline UniChar
RLStringGetCharacterFromInlineBuffer(RLStringInlineBuffer *buffer, RLIndex index)
{
    if (index < 0 || index >= buffer->rangeToBuffer.length) return 0;
    if (index < buffer->bufferedRangeStart || index >= buffer->bufferedRangeEnd) {
        RLIndex start = index < 4 ? 0 : index - 4;
        RLIndex rest = buffer->rangeToBuffer.length - start;
        RLIndex count = rest < 64 ? rest : 64;
        RLStringGetCharacters(buffer->theString,
                              RLRangeMake(buffer->rangeToBuffer.location + start, count),
                              buffer->buffer);
        buffer->bufferedRangeStart = start;
        buffer->bufferedRangeEnd = start + count;
    }
    return buffer->buffer[index - buffer->bufferedRangeStart];
}

/**
 * Prints a string's representation and characters to standard error; `(null)` for null. CF:
 * CFShowStr.
 */
RL_EXPORT void RLShowStr(RLStringRef string);

/** The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease. */
RL_EXPORT void rl_swift_retain_string(RLStringRef string);
/** @see rl_swift_retain_string */
RL_EXPORT void rl_swift_release_string(RLStringRef string);

RL_EXTERN_C_END

#endif
