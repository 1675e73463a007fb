/*
 * Strings of Unicode characters. RLMutableString.h has mutable strings.
 *
 * Lengths and indices count UTF-16 code units, as in CF. Strings are stored as UTF-8, and may be
 * used from any thread. A range or an index out of bounds stops the process with a message.
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
     * Find only at the beginning of the range or, with kRLCompareBackwards, at its end.
     * CF: kCFCompareAnchored.
     */
    kRLCompareAnchored = 8,
    /** Compare sequences of ASCII digits as numbers. CF: kCFCompareNumerically. */
    kRLCompareNumerically = 64,
    /** If strings differ only in case, order them by case. CF: kCFCompareForcedOrdering. */
    kRLCompareForcedOrdering = 512
};

/** The first eight bytes of a constant string; see RLSTR. */
#define RL_CONSTANT_STRING_MARK "\x7FRL\xA5STR\x01"

/**
 * Makes a constant string from a string literal. The string costs nothing at run time, may be used
 * in a static initializer, and need not be retained or released.
 *
 * The object is the literal itself, after a mark that RL functions recognize. The literal should be
 * UTF-8: an invalid byte counts as U+FFFD, and makes RLStringGetCString fail. CF: CFSTR.
 */
#define RLSTR(literal) ((RLStringRef)(const void *)(RL_CONSTANT_STRING_MARK "" literal ""))

/** Returns the type ID of strings. CF: CFStringGetTypeID. */
RL_EXPORT RLTypeID RLStringGetTypeID(void);

/**
 * Creates a string from a C string, which is copied. A byte order mark at the beginning is dropped.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - characters: A C string. Null yields null.
 *   - encoding: An encoding whose code units are single bytes. Any other encoding yields null, and
 *     so do bytes that are invalid in the encoding.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateWithCString.
 */
RL_EXPORT RLStringRef RLStringCreateWithCString(RLAllocatorRef allocator, const char *characters,
                                                RLStringEncoding encoding) RL_RETURNS_RETAINED;

/**
 * Creates a string from bytes, which are copied. A byte order mark at the beginning of UTF-8 or
 * UTF-32 is dropped.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - bytes: The bytes; may be null if `count` is 0.
 *   - count: The number of bytes; a negative number yields null.
 *   - encoding: A supported encoding. Any other encoding yields null, and so do bytes that are
 *     invalid in the encoding. An incomplete code unit at the end is dropped.
 *   - isExternalRepresentation: Whether UTF-16 may begin with a byte order mark, and is big-endian
 *     without a mark.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateWithBytes.
 */
RL_EXPORT RLStringRef RLStringCreateWithBytes(RLAllocatorRef allocator, const UInt8 *bytes,
                                              RLIndex count, RLStringEncoding encoding,
                                              Boolean isExternalRepresentation) RL_RETURNS_RETAINED;

/**
 * Creates a string, which the caller owns, from the bytes of data, which are copied, as
 * RLStringCreateWithBytes does. Returns null for an unsupported encoding, and for bytes that are
 * invalid in the encoding. `allocator` is ignored. CF: CFStringCreateFromExternalRepresentation.
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
 *   - encoding: A supported encoding; any other encoding yields null.
 *   - lossByte: The byte that replaces each UTF-16 code unit that the encoding cannot express. With
 *     0, a string with such a code unit yields null. UTF-8 cannot express an unpaired surrogate,
 *     and does not replace it: the data ends before the surrogate.
 * - Returns: Data that the caller owns, or null.
 * - CF: CFStringCreateExternalRepresentation.
 */
RL_EXPORT RLDataRef RLStringCreateExternalRepresentation(RLAllocatorRef allocator,
                                                         RLStringRef string,
                                                         RLStringEncoding encoding,
                                                         UInt8 lossByte) RL_RETURNS_RETAINED;

/**
 * Creates a formatted string like printf, except for these conversions:
 *
 * - `%@` prints an object: a string by its characters, a number or Boolean by its value, any other
 *   object by its description. It takes no width.
 * - `%C` prints a UTF-16 code unit. It takes neither a width nor a precision.
 * - `%c` prints the character whose code point is the argument's low byte. It takes no precision,
 *   and its width counts characters.
 * - `%s` takes UTF-8. Bytes that do not belong to a character become U+FFFD.
 * - `%@` and `%s` print null as `(null)`.
 * - `%n`, `%S` and unknown conversions stop the process.
 *
 * Arguments may be numbered (`%2$@`), up to 64 and without gaps.
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
 * Creates a formatted string like RLStringCreateWithFormat, with the arguments in a va_list.
 * CF: CFStringCreateWithFormatAndArguments.
 */
RL_EXPORT RLStringRef RLStringCreateWithFormatAndArguments(RLAllocatorRef allocator,
                                                           RLDictionaryRef formatOptions,
                                                           RLStringRef format,
                                                           va_list arguments) RL_RETURNS_RETAINED;

/**
 * Creates a string, which the caller owns, from a range of another string in UTF-16 code units. A
 * range out of bounds stops the process. If the range cuts a surrogate pair, the string has an
 * unpaired surrogate. `allocator` is ignored. CF: CFStringCreateWithSubstring.
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
 * mutable string, which another thread may change; for an encoding other than UTF-8, unless the
 * string is ASCII; and for a string with a NUL or an unpaired surrogate. In these cases, use
 * RLStringGetCString. CF: CFStringGetCStringPtr.
 */
RL_EXPORT const char *RLStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding);

/**
 * Copies the characters and a terminating NUL, one byte, into a buffer of `size` bytes. Returns
 * false, and leaves the buffer unchanged, if the encoding is not supported or lacks a character, or
 * if the characters do not fit. CF: CFStringGetCString.
 */
RL_EXPORT Boolean RLStringGetCString(RLStringRef string, char *buffer, RLIndex size,
                                     RLStringEncoding encoding);

/**
 * Returns the number of UTF-16 code units, as in CF. O(n), but O(1) for a mutable string.
 * CF: CFStringGetLength.
 */
RL_EXPORT RLIndex RLStringGetLength(RLStringRef string);

/**
 * Returns the greatest number of bytes that `length` UTF-16 code units need, without a terminating
 * NUL. Returns kRLNotFound for a negative or too large length, and for an unknown encoding.
 * CF: CFStringGetMaximumSizeForEncoding.
 */
RL_EXPORT RLIndex RLStringGetMaximumSizeForEncoding(RLIndex length, RLStringEncoding encoding);

/**
 * Returns the UTF-16 code unit at `index`. An index out of range stops the process. O(n) in the
 * index, but O(1) for a mutable string that has only ASCII characters.
 * CF: CFStringGetCharacterAtIndex.
 */
RL_EXPORT UniChar RLStringGetCharacterAtIndex(RLStringRef string, RLIndex index);

/**
 * Returns the integer at the beginning of the string; 0 if there is none, and the nearest limit of
 * SInt32 if the integer is out of range. Blanks may precede and follow the sign.
 * CF: CFStringGetIntValue.
 */
RL_EXPORT SInt32 RLStringGetIntValue(RLStringRef string);

/**
 * Compares strings by their UTF-16 code units; composed and decomposed characters differ. The
 * options are kRLCompareCaseInsensitive, kRLCompareNumerically and kRLCompareForcedOrdering; others
 * are ignored. CF: CFStringCompare.
 */
RL_EXPORT RLComparisonResult RLStringCompare(RLStringRef firstString, RLStringRef secondString,
                                             RLStringCompareFlags options);

/**
 * Compares a range of the first string with the second string, like RLStringCompare.
 * CF: CFStringCompareWithOptions.
 */
RL_EXPORT RLComparisonResult RLStringCompareWithOptions(RLStringRef firstString,
                                                        RLStringRef secondString,
                                                        RLRange rangeToCompare,
                                                        RLStringCompareFlags options);

/**
 * Returns whether a string begins with `prefix`; false for an empty prefix. CF: CFStringHasPrefix.
 */
RL_EXPORT Boolean RLStringHasPrefix(RLStringRef string, RLStringRef prefix);

/**
 * Returns whether a string ends with `suffix`; false for an empty suffix. CF: CFStringHasSuffix.
 */
RL_EXPORT Boolean RLStringHasSuffix(RLStringRef string, RLStringRef suffix);

/* --- More ways to make strings --- */

/**
 * Creates a string from UTF-16 code units, which are copied; surrogates may be unpaired.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - chars: The code units; may be null if `numChars` is 0.
 *   - numChars: The number of code units; a negative number yields null.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateWithCharacters.
 */
RL_EXPORT RLStringRef RLStringCreateWithCharacters(RLAllocatorRef allocator, const UniChar *chars,
                                                   RLIndex numChars) RL_RETURNS_RETAINED;

/**
 * Creates a string like RLStringCreateWithCharacters. Despite the name, the code units are copied.
 * On success, `contentsDeallocator` frees `chars` at once. A null `contentsDeallocator` stands for
 * the thread's default allocator; kRLAllocatorNull frees nothing.
 * CF: CFStringCreateWithCharactersNoCopy.
 */
RL_EXPORT RLStringRef
RLStringCreateWithCharactersNoCopy(RLAllocatorRef allocator, const UniChar *chars, RLIndex numChars,
                                   RLAllocatorRef contentsDeallocator) RL_RETURNS_RETAINED;

/**
 * Creates a string like RLStringCreateWithCString, and frees the characters like
 * RLStringCreateWithCharactersNoCopy. CF: CFStringCreateWithCStringNoCopy.
 */
RL_EXPORT RLStringRef RLStringCreateWithCStringNoCopy(
    RLAllocatorRef allocator, const char *characters, RLStringEncoding encoding,
    RLAllocatorRef contentsDeallocator) RL_RETURNS_RETAINED;

/**
 * Creates a string like RLStringCreateWithBytes, and frees the bytes like
 * RLStringCreateWithCharactersNoCopy. CF: CFStringCreateWithBytesNoCopy.
 */
RL_EXPORT RLStringRef RLStringCreateWithBytesNoCopy(
    RLAllocatorRef allocator, const UInt8 *bytes, RLIndex count, RLStringEncoding encoding,
    Boolean isExternalRepresentation, RLAllocatorRef contentsDeallocator) RL_RETURNS_RETAINED;

/**
 * Creates a string from the name of a file, a C string in UTF-8; other bytes yield null. The caller
 * owns the string. CF: CFStringCreateWithFileSystemRepresentation.
 */
RL_EXPORT RLStringRef RLStringCreateWithFileSystemRepresentation(
    RLAllocatorRef allocator, const char *buffer) RL_RETURNS_RETAINED;

/**
 * Joins the strings of an array, with a separator between two strings, into a string that the
 * caller owns. `alloc` is ignored. CF: CFStringCreateByCombiningStrings.
 */
RL_EXPORT RLStringRef RLStringCreateByCombiningStrings(
    RLAllocatorRef alloc, RLArrayRef theArray, RLStringRef separatorString) RL_RETURNS_RETAINED;

/**
 * Splits a string at each separator; parts may be empty. If the string does not contain the
 * separator, or if the separator is empty, the only part is the string itself.
 *
 * - Returns: An array of strings, at least one, that the caller owns.
 * - CF: CFStringCreateArrayBySeparatingStrings.
 */
RL_EXPORT RLArrayRef RLStringCreateArrayBySeparatingStrings(
    RLAllocatorRef alloc, RLStringRef theString, RLStringRef separatorString) RL_RETURNS_RETAINED;

/* --- Reading --- */

/**
 * Copies the code units of a range into a buffer, which must be large enough.
 * CF: CFStringGetCharacters.
 */
RL_EXPORT void RLStringGetCharacters(RLStringRef string, RLRange range, UniChar *buffer);

/**
 * Returns null, because strings are not stored as UTF-16; use RLStringGetCharacters.
 * CF: CFStringGetCharactersPtr.
 */
RL_EXPORT const UniChar *RLStringGetCharactersPtr(RLStringRef string);

/**
 * Converts the characters of a range into bytes, until the buffer is full or the encoding cannot
 * express a character. Adds no NUL.
 *
 * - Parameters:
 *   - string: The string.
 *   - range: The range in UTF-16 code units.
 *   - encoding: A supported encoding; with any other encoding, nothing is converted.
 *   - lossByte: The byte that replaces each code unit that the encoding cannot express; 0 ends the
 *     conversion instead. An unpaired surrogate always ends a conversion into UTF-8.
 *   - isExternalRepresentation: Whether kRLStringEncodingUTF16 and kRLStringEncodingUTF32 begin
 *     with a byte order mark.
 *   - buffer: Receives the bytes; with null, the bytes are only counted.
 *   - maxBufLen: The size of the buffer in bytes; ignored if `buffer` is null.
 *   - usedBufLen: Receives the number of bytes; may be null.
 * - Returns: The number of code units that were converted. Surrogate pairs are not cut.
 * - CF: CFStringGetBytes.
 */
RL_EXPORT RLIndex RLStringGetBytes(RLStringRef string, RLRange range, RLStringEncoding encoding,
                                   UInt8 lossByte, Boolean isExternalRepresentation, UInt8 *buffer,
                                   RLIndex maxBufLen, RLIndex *usedBufLen);

/**
 * Returns the decimal number at the beginning of the string, after blanks; 0 if there is none. The
 * number may have a sign, a decimal point and an exponent. The user's locale has no effect.
 * CF: CFStringGetDoubleValue.
 */
RL_EXPORT double RLStringGetDoubleValue(RLStringRef string);

/**
 * Copies the string as a file name, in UTF-8 with a NUL. Returns whether the name fits.
 * CF: CFStringGetFileSystemRepresentation.
 */
RL_EXPORT Boolean RLStringGetFileSystemRepresentation(RLStringRef string, char *buffer,
                                                      RLIndex maxBufLen);

/**
 * Returns the greatest size in bytes of a buffer for RLStringGetFileSystemRepresentation.
 * CF: CFStringGetMaximumSizeOfFileSystemRepresentation.
 */
RL_EXPORT RLIndex RLStringGetMaximumSizeOfFileSystemRepresentation(RLStringRef string);

/* --- Finding --- */

/**
 * Finds a string in a range of another string. Returns whether the string was found. If so, stores
 * the range of the match in `result`, which may be null. An empty string is never found.
 *
 * Code units are compared, without case if requested; composed and decomposed characters differ.
 * The options are kRLCompareCaseInsensitive, kRLCompareBackwards and kRLCompareAnchored; others are
 * ignored. CF: CFStringFindWithOptions.
 */
RL_EXPORT Boolean RLStringFindWithOptions(RLStringRef theString, RLStringRef stringToFind,
                                          RLRange rangeToSearch, RLStringCompareFlags searchOptions,
                                          RLRange *result);

/**
 * Finds a string in another string, like RLStringFindWithOptions. Returns the range of the match,
 * or a location of kRLNotFound and a length of 0. CF: CFStringFind.
 */
RL_EXPORT RLRange RLStringFind(RLStringRef theString, RLStringRef stringToFind,
                               RLStringCompareFlags compareOptions);

/**
 * Returns all matches of RLStringFindWithOptions, in order.
 *
 * - Returns: An array that the caller owns, or null if there is no match. Its elements point to
 *   ranges (RLRange), which live as long as an array contains them.
 * - CF: CFStringCreateArrayWithFindResults.
 */
RL_EXPORT RLArrayRef RLStringCreateArrayWithFindResults(
    RLAllocatorRef alloc, RLStringRef theString, RLStringRef stringToFind, RLRange rangeToSearch,
    RLStringCompareFlags compareOptions) RL_RETURNS_RETAINED;

/* --- Surrogates, and reading in order --- */

/**
 * Returns whether a code unit is a high surrogate, the first of a pair.
 * CF: CFStringIsSurrogateHighCharacter.
 */
__attribute__((unused)) static inline Boolean RLStringIsSurrogateHighCharacter(UniChar character)
{
    return character >= 0xD800 && character <= 0xDBFF;
}

/**
 * Returns whether a code unit is a low surrogate, the second of a pair.
 * CF: CFStringIsSurrogateLowCharacter.
 */
__attribute__((unused)) static inline Boolean RLStringIsSurrogateLowCharacter(UniChar character)
{
    return character >= 0xDC00 && character <= 0xDFFF;
}

/** Returns the code point of a surrogate pair. CF: CFStringGetLongCharacterForSurrogatePair. */
__attribute__((unused)) static inline UInt32
RLStringGetLongCharacterForSurrogatePair(UniChar surrogateHigh, UniChar surrogateLow)
{
    return ((UInt32)(surrogateHigh - 0xD800) << 10) + (UInt32)(surrogateLow - 0xDC00) + 0x10000;
}

/**
 * Writes the UTF-16 code units of a code point. Returns true if there are two code units. Writes
 * none if the code point is invalid. CF: CFStringGetSurrogatePairForLongCharacter.
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

/** A buffer of code units, for reading a range of a string in order. CF: CFStringInlineBuffer. */
typedef struct {
    /** The buffered code units. */
    UniChar buffer[64];
    /** The string. */
    RLStringRef theString;
    /** The range of the string to read. */
    RLRange rangeToBuffer;
    /** The first buffered code unit, as an index of the range. */
    RLIndex bufferedRangeStart;
    /** The index after the last buffered code unit, as an index of the range. */
    RLIndex bufferedRangeEnd;
} RLStringInlineBuffer;

/**
 * Initializes a buffer for a range of a string. The string must not be changed or destroyed while
 * the buffer is in use. CF: CFStringInitInlineBuffer.
 */
__attribute__((unused)) static inline void
RLStringInitInlineBuffer(RLStringRef string, RLStringInlineBuffer *buffer, RLRange range)
{
    buffer->theString = string;
    buffer->rangeToBuffer = range;
    buffer->bufferedRangeStart = buffer->bufferedRangeEnd = 0;
}

/**
 * Returns the code unit at an index of the range; 0 if the index is out of range. Reading in order
 * is fast: about 60 code units need one call of RLStringGetCharacters.
 * CF: CFStringGetCharacterFromInlineBuffer.
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
 * Prints a string's representation and characters to standard error; `(null)` for null.
 * CF: CFShowStr.
 */
RL_EXPORT void RLShowStr(RLStringRef string);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_string(RLStringRef string);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_string(RLStringRef string);

RL_EXTERN_C_END

#endif
