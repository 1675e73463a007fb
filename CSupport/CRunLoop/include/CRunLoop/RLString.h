/*
 * Strings of Unicode characters: immutable, and mutable ones that grow.
 *
 * They are counted in code units of UTF-16, as in CF, and kept as UTF-8. An immutable string may be
 * used from any thread, a mutable one by one thread at a time, which may be any. A range or an
 * index that is not within the string, and a change of an immutable string, stop the process with
 * one line.
 */

#ifndef CRUNLOOP_RLSTRING_H
#define CRUNLOOP_RLSTRING_H

#include <CRunLoop/RLArray.h>
#include <CRunLoop/RLData.h>
#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLObject.h>
#include <stdarg.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
#define RLMutableStringRef struct RLOpaqueString *
#else
/** A reference to a string that can be changed. CF: CFMutableStringRef. */
typedef struct __CFString *RLMutableStringRef;
#endif

/** A locale; there are none here, so that it is always null. CF: CFLocaleRef. */
typedef const struct __CFLocale *RLLocaleRef;

/** The encoding of bytes. CF: CFStringEncoding. */
typedef UInt32 RLStringEncoding;

/* Swift takes no comment from a macro. */
#if defined(__swift__)
/** No encoding. CF: kCFStringEncodingInvalidId. */
static const RLStringEncoding kRLStringEncodingInvalidId = 0xFFFFFFFFU;
#else
/** No encoding. CF: kCFStringEncodingInvalidId. */
#define kRLStringEncodingInvalidId (0xFFFFFFFFU)
#endif

#if !defined(__swift__)
/** One of those below. Swift has an enumeration of this name. CF: CFStringBuiltInEncodings. */
typedef RLStringEncoding RLStringBuiltInEncodings;
#endif

/* The encodings that strings know. */
enum {
    /** UTF-8. CF: kCFStringEncodingUTF8. */
    kRLStringEncodingUTF8 = 0x08000100,
    /** ASCII, a subset of UTF-8 here. CF: kCFStringEncodingASCII. */
    kRLStringEncodingASCII = 0x0600,
    /** ISO 8859-1, the first 256 characters of Unicode. CF: kCFStringEncodingISOLatin1. */
    kRLStringEncodingISOLatin1 = 0x0201,
    /** UTF-16 in the order of this machine. CF: kCFStringEncodingUnicode. */
    kRLStringEncodingUnicode = 0x0100,
    /**
     * The same. External bytes are in the order that a mark tells, big-endian without one. CF:
     * kCFStringEncodingUTF16.
     */
    kRLStringEncodingUTF16 = 0x0100,
    /** UTF-16, big-endian, where a mark is a character. CF: kCFStringEncodingUTF16BE. */
    kRLStringEncodingUTF16BE = 0x10000100,
    /** UTF-16, little-endian, where a mark is a character. CF: kCFStringEncodingUTF16LE. */
    kRLStringEncodingUTF16LE = 0x14000100,
    /**
     * UTF-32: written in the order of this machine, read in the order that a mark tells, big-endian
     * without one. CF: kCFStringEncodingUTF32.
     */
    kRLStringEncodingUTF32 = 0x0C000100,
    /** UTF-32, big-endian, where a mark is a character. CF: kCFStringEncodingUTF32BE. */
    kRLStringEncodingUTF32BE = 0x18000100,
    /** UTF-32, little-endian, where a mark is a character. CF: kCFStringEncodingUTF32LE. */
    kRLStringEncodingUTF32LE = 0x1C000100
};

/** How to compare strings and to find them. CF: CFStringCompareFlags. */
RL_OPTIONS(RLOptionFlags, RLStringCompareFlags) {
    /** Letters are equal to their lower case, one by one. CF: kCFCompareCaseInsensitive. */
    kRLCompareCaseInsensitive = 1,
    /** Find from the end on. CF: kCFCompareBackwards. */
    kRLCompareBackwards = 4,
    /** Find only where the range begins or, backwards, ends. CF: kCFCompareAnchored. */
    kRLCompareAnchored = 8,
    /** Sequences of ASCII digits are compared as numbers. CF: kCFCompareNumerically. */
    kRLCompareNumerically = 64,
    /** Strings that are equal without case are compared with it. CF: kCFCompareForcedOrdering. */
    kRLCompareForcedOrdering = 512
};

/** The eight bytes with which a constant string begins; see RLSTR. */
#define RL_CONSTANT_STRING_MARK "\x7FRL\xA5STR\x01"

/**
 * A constant string made from a string literal. It costs nothing at run time, may stand in a
 * static initializer, lives for ever, and need be neither retained nor released.
 *
 * The object is the literal itself, led by a mark that RL functions recognize. It is to be UTF-8: a
 * byte that is not counts as U+FFFD, and RLStringGetCString fails.
 *
 * - CF: CFSTR.
 */
#define RLSTR(literal) ((RLStringRef)(const void *)(RL_CONSTANT_STRING_MARK "" literal ""))

/** The type number of strings. CF: CFStringGetTypeID. */
RL_EXPORT RLTypeID RLStringGetTypeID(void);

/**
 * Makes a string from a C string, which is copied. A byte order mark at the beginning is left out.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - characters: A C string. Null yields null.
 *   - encoding: One whose units are single bytes; any other yields null, and so do bytes that are
 *     not valid in it.
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
 *   - count: How many; a negative number yields null.
 *   - encoding: An encoding that strings know; any other yields null, and so do bytes that are not
 *     valid in it. Part of a unit at the end is left out.
 *   - isExternalRepresentation: Whether UTF-16 may begin with a mark of its order, and is
 *     big-endian without one.
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
 * The characters of a string as data, without a NUL; with a byte order mark for
 * kRLStringEncodingUTF16 and kRLStringEncodingUTF32 only.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - string: The string.
 *   - encoding: An encoding that strings know; any other yields null.
 *   - lossByte: What stands for each UTF-16 code unit that the encoding does not have; 0 if null is
 *     to be the answer then. Of UTF-8, what is before half a pair of surrogates.
 * - Returns: Data that the caller owns, or null.
 * - CF: CFStringCreateExternalRepresentation.
 */
RL_EXPORT RLDataRef RLStringCreateExternalRepresentation(RLAllocatorRef allocator,
                                                         RLStringRef string,
                                                         RLStringEncoding encoding,
                                                         UInt8 lossByte) RL_RETURNS_RETAINED;

/**
 * Makes a string as printf does.
 *
 * `%@` prints an object: a string by its characters, a number or truth value by its value, anything
 * else by its description, null as `(null)`, also for `%s`. `%C` prints a code unit of UTF-16, `%c`
 * one byte as the code point, in a width that counts characters; neither has a precision, nor `%C`
 * and `%@` a width. `%s` takes UTF-8; what is not UTF-8 in the result is replaced by U+FFFD.
 * Arguments may have numbers (`%2$@`), up to 64, if none is left out. `%n`, `%S` and what printf
 * does not know stop the process.
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
 * - Returns: A string that the caller owns; a pair of surrogates that is cut leaves half of it.
 * - CF: CFStringCreateWithSubstring.
 */
RL_EXPORT RLStringRef RLStringCreateWithSubstring(RLAllocatorRef allocator, RLStringRef string,
                                                  RLRange range) RL_RETURNS_RETAINED;

/**
 * An immutable string with the same characters, which the caller owns: of an immutable one the
 * string itself. CF: CFStringCreateCopy.
 */
RL_EXPORT RLStringRef RLStringCreateCopy(RLAllocatorRef allocator,
                                         RLStringRef string) RL_RETURNS_RETAINED;

/**
 * The characters as a C string, valid as long as the string lives and is not changed; or null, and
 * then RLStringGetCString is the way: if `encoding` is not UTF-8 and the string is not ASCII, or if
 * there is a NUL or half a pair of surrogates in it.
 *
 * - CF: CFStringGetCStringPtr.
 */
RL_EXPORT const char *RLStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding);

/**
 * Copies the characters and a terminating NUL, one byte, into a buffer.
 *
 * - Parameters:
 *   - string: The string.
 *   - buffer: Where to write.
 *   - size: The size of the buffer in bytes, the NUL included.
 *   - encoding: An encoding that strings know.
 * - Returns: Whether all characters are in the encoding and fit; if not, the buffer is left
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
 * How many bytes so many UTF-16 code units take at most, without a terminating NUL; kRLNotFound for
 * a negative or too large number and for an unknown encoding.
 *
 * - CF: CFStringGetMaximumSizeForEncoding.
 */
RL_EXPORT RLIndex RLStringGetMaximumSizeForEncoding(RLIndex length, RLStringEncoding encoding);

/**
 * The UTF-16 code unit at `index`; an index out of range stops the process. O(n), but O(1) of a
 * mutable string of ASCII. CF: CFStringGetCharacterAtIndex.
 */
RL_EXPORT UniChar RLStringGetCharacterAtIndex(RLStringRef string, RLIndex index);

/**
 * The number with which the string begins, after blanks and a sign, which blanks may follow too; 0
 * if there is none, and the nearest limit of the type if it is beyond.
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

/** Whether a string begins with another one, which is not empty. CF: CFStringHasPrefix. */
RL_EXPORT Boolean RLStringHasPrefix(RLStringRef string, RLStringRef prefix);

/** Whether a string ends with another one, which is not empty. CF: CFStringHasSuffix. */
RL_EXPORT Boolean RLStringHasSuffix(RLStringRef string, RLStringRef suffix);

/* --- More ways to make strings --- */

/**
 * Makes a string from code units of UTF-16, which are copied; halves of pairs may stand alone.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - chars: The units; may be null if there are none.
 *   - numChars: How many; a negative number yields null.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateWithCharacters.
 */
RL_EXPORT RLStringRef RLStringCreateWithCharacters(RLAllocatorRef allocator, const UniChar *chars,
                                                   RLIndex numChars) RL_RETURNS_RETAINED;

/**
 * As RLStringCreateWithCharacters; the units, which are copied all the same, are given to
 * `contentsDeallocator` at once if there is a string. Null is the thread's default allocator,
 * kRLAllocatorNull leaves them alone. CF: CFStringCreateWithCharactersNoCopy.
 */
RL_EXPORT RLStringRef
RLStringCreateWithCharactersNoCopy(RLAllocatorRef allocator, const UniChar *chars, RLIndex numChars,
                                   RLAllocatorRef contentsDeallocator) RL_RETURNS_RETAINED;

/**
 * As RLStringCreateWithCString; what becomes of the characters tells
 * RLStringCreateWithCharactersNoCopy. CF: CFStringCreateWithCStringNoCopy.
 */
RL_EXPORT RLStringRef RLStringCreateWithCStringNoCopy(
    RLAllocatorRef allocator, const char *characters, RLStringEncoding encoding,
    RLAllocatorRef contentsDeallocator) RL_RETURNS_RETAINED;

/**
 * As RLStringCreateWithBytes; what becomes of the bytes tells RLStringCreateWithCharactersNoCopy.
 * CF: CFStringCreateWithBytesNoCopy.
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
 * The strings of an array, one behind the other.
 *
 * - Parameters:
 *   - alloc: Ignored.
 *   - theArray: An array of strings.
 *   - separatorString: What stands between two of them.
 * - Returns: A string that the caller owns.
 * - CF: CFStringCreateByCombiningStrings.
 */
RL_EXPORT RLStringRef RLStringCreateByCombiningStrings(
    RLAllocatorRef alloc, RLArrayRef theArray, RLStringRef separatorString) RL_RETURNS_RETAINED;

/**
 * The parts of a string between separators, some of which may be empty; the string alone if it has
 * no separator, or if that is empty.
 *
 * - Returns: An array of strings, at least one, that the caller owns.
 * - CF: CFStringCreateArrayBySeparatingStrings.
 */
RL_EXPORT RLArrayRef RLStringCreateArrayBySeparatingStrings(
    RLAllocatorRef alloc, RLStringRef theString, RLStringRef separatorString) RL_RETURNS_RETAINED;

/* --- Reading --- */

/**
 * Copies the code units of a range into a buffer that is large enough. CF: CFStringGetCharacters.
 */
RL_EXPORT void RLStringGetCharacters(RLStringRef string, RLRange range, UniChar *buffer);

/**
 * Null, as strings are not kept as UTF-16; RLStringGetCharacters is the way.
 * CF: CFStringGetCharactersPtr.
 */
RL_EXPORT const UniChar *RLStringGetCharactersPtr(RLStringRef string);

/**
 * Converts the characters of a range into bytes, as many as are in the encoding and fit. There is
 * no NUL behind them.
 *
 * - Parameters:
 *   - string: The string.
 *   - range: In code units.
 *   - encoding: An encoding that strings know; any other converts nothing.
 *   - lossByte: What stands for each code unit that the encoding does not have; 0 to end there.
 *     Half a pair of surrogates ends UTF-8 in any case.
 *   - isExternalRepresentation: Whether kRLStringEncodingUTF16 and kRLStringEncodingUTF32 begin
 *     with a byte order mark.
 *   - buffer: Where to write; null to know how much it would be.
 *   - maxBufLen: The size of the buffer; ignored if that is null.
 *   - usedBufLen: Where to put the number of bytes; may be null.
 * - Returns: The number of code units that were converted. A pair of surrogates is not cut.
 * - CF: CFStringGetBytes.
 */
RL_EXPORT RLIndex RLStringGetBytes(RLStringRef string, RLRange range, RLStringEncoding encoding,
                                   UInt8 lossByte, Boolean isExternalRepresentation, UInt8 *buffer,
                                   RLIndex maxBufLen, RLIndex *usedBufLen);

/**
 * The decimal number with which the string begins, after blanks: a sign, digits with a point, an
 * exponent; 0 if there is none. The language of the user does not matter.
 * CF: CFStringGetDoubleValue.
 */
RL_EXPORT double RLStringGetDoubleValue(RLStringRef string);

/** The name for the file system, UTF-8 with a NUL. Returns whether it fit.
 * CF: CFStringGetFileSystemRepresentation. */
RL_EXPORT Boolean RLStringGetFileSystemRepresentation(RLStringRef string, char *buffer,
                                                      RLIndex maxBufLen);

/**
 * How large a buffer RLStringGetFileSystemRepresentation needs at most.
 * CF: CFStringGetMaximumSizeOfFileSystemRepresentation.
 */
RL_EXPORT RLIndex RLStringGetMaximumSizeOfFileSystemRepresentation(RLStringRef string);

/* --- Finding --- */

/**
 * Looks for a string in a range of another one.
 *
 * Code units are compared, without case if so asked; composed and decomposed characters differ. The
 * empty string is nowhere.
 *
 * - Parameters:
 *   - theString: Where to look.
 *   - stringToFind: What to look for.
 *   - rangeToSearch: The range.
 *   - searchOptions: kRLCompareCaseInsensitive, kRLCompareBackwards, kRLCompareAnchored, or 0;
 *     others are ignored.
 *   - result: Where to put the range that was found; may be null, and is untouched if there is
 *     none.
 * - Returns: Whether it is there.
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
 * All places where RLStringFindWithOptions finds a string, one behind the other.
 *
 * - Returns: An array that the caller owns, whose elements point to ranges (RLRange) that live as
 *   long as an array has them; null if there are none.
 * - CF: CFStringCreateArrayWithFindResults.
 */
RL_EXPORT RLArrayRef RLStringCreateArrayWithFindResults(
    RLAllocatorRef alloc, RLStringRef theString, RLStringRef stringToFind, RLRange rangeToSearch,
    RLStringCompareFlags compareOptions) RL_RETURNS_RETAINED;

/* --- Encodings --- */

/** Whether strings know an encoding. CF: CFStringIsEncodingAvailable. */
RL_EXPORT Boolean RLStringIsEncodingAvailable(RLStringEncoding encoding);

/**
 * The encodings that strings know, with kRLStringEncodingInvalidId behind them.
 * CF: CFStringGetListOfAvailableEncodings.
 */
RL_EXPORT const RLStringEncoding *RLStringGetListOfAvailableEncodings(void);

/** The name of an encoding for people, or null; not retained. CF: CFStringGetNameOfEncoding. */
RL_EXPORT RLStringRef RLStringGetNameOfEncoding(RLStringEncoding encoding) RL_RETURNS_NOT_RETAINED;

/** The encoding of the system's texts: kRLStringEncodingUTF8. CF: CFStringGetSystemEncoding. */
RL_EXPORT RLStringEncoding RLStringGetSystemEncoding(void);

/**
 * The encoding into which a string is converted at least cost: ASCII if it is that, or else UTF-8.
 * CF: CFStringGetFastestEncoding.
 */
RL_EXPORT RLStringEncoding RLStringGetFastestEncoding(RLStringRef string);

/**
 * The encoding in which a string is short: ASCII if it is that, or else UTF-8.
 * CF: CFStringGetSmallestEncoding.
 */
RL_EXPORT RLStringEncoding RLStringGetSmallestEncoding(RLStringRef string);

/**
 * NSString's number of an encoding, or kRLStringEncodingInvalidId.
 * CF: CFStringConvertEncodingToNSStringEncoding.
 */
RL_EXPORT unsigned long RLStringConvertEncodingToNSStringEncoding(RLStringEncoding encoding);

/**
 * The encoding of NSString's number, or kRLStringEncodingInvalidId if strings do not know it.
 * CF: CFStringConvertNSStringEncodingToEncoding.
 */
RL_EXPORT RLStringEncoding RLStringConvertNSStringEncodingToEncoding(unsigned long encoding);

/**
 * Windows' number of an encoding, or kRLStringEncodingInvalidId.
 * CF: CFStringConvertEncodingToWindowsCodepage.
 */
RL_EXPORT UInt32 RLStringConvertEncodingToWindowsCodepage(RLStringEncoding encoding);

/**
 * The encoding of Windows' number, or kRLStringEncodingInvalidId if strings do not know it.
 * CF: CFStringConvertWindowsCodepageToEncoding.
 */
RL_EXPORT RLStringEncoding RLStringConvertWindowsCodepageToEncoding(UInt32 codepage);

/**
 * The name of an encoding on the Internet, such as utf-8, or null; not retained.
 * CF: CFStringConvertEncodingToIANACharSetName.
 */
RL_EXPORT RLStringRef RLStringConvertEncodingToIANACharSetName(RLStringEncoding encoding)
    RL_RETURNS_NOT_RETAINED;

/**
 * The encoding of a name on the Internet, in which case does not matter, or
 * kRLStringEncodingInvalidId if strings do not know it.
 * CF: CFStringConvertIANACharSetNameToEncoding.
 */
RL_EXPORT RLStringEncoding RLStringConvertIANACharSetNameToEncoding(RLStringRef name);

/**
 * The encoding of the Macintosh that is nearest, or kRLStringEncodingInvalidId; it may be one that
 * strings do not know. CF: CFStringGetMostCompatibleMacStringEncoding.
 */
RL_EXPORT RLStringEncoding RLStringGetMostCompatibleMacStringEncoding(RLStringEncoding encoding);

/* --- Mutable strings --- */

/**
 * Makes an empty string that can be changed.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - maxLength: How long it is going to be, or 0; a hint, as in CF for Linux, beyond which it
 *     grows.
 * - Returns: A string that the caller owns.
 * - CF: CFStringCreateMutable.
 */
RL_EXPORT RLMutableStringRef RLStringCreateMutable(RLAllocatorRef allocator,
                                                   RLIndex maxLength) RL_RETURNS_RETAINED;

/**
 * As RLStringCreateMutable, with the characters of another string. CF: CFStringCreateMutableCopy.
 */
RL_EXPORT RLMutableStringRef RLStringCreateMutableCopy(RLAllocatorRef allocator, RLIndex maxLength,
                                                       RLStringRef string) RL_RETURNS_RETAINED;

/** Adds a string, also itself, at the end. O(1) on average for its size. CF: CFStringAppend. */
RL_EXPORT void RLStringAppend(RLMutableStringRef string, RLStringRef appendedString);

/** Adds code units at the end; halves of a pair that meet join. CF: CFStringAppendCharacters. */
RL_EXPORT void RLStringAppendCharacters(RLMutableStringRef string, const UniChar *chars,
                                        RLIndex numChars);

/**
 * Adds a C string at the end, or nothing if it is not valid in the encoding; see
 * RLStringCreateWithCString. CF: CFStringAppendCString.
 */
RL_EXPORT void RLStringAppendCString(RLMutableStringRef string, const char *cStr,
                                     RLStringEncoding encoding);

/**
 * Adds what RLStringCreateWithFormat makes at the end, also of the string itself as it was before.
 * CF: CFStringAppendFormat.
 */
RL_EXPORT void RLStringAppendFormat(RLMutableStringRef string, RLDictionaryRef formatOptions,
                                    RLStringRef format, ...);

/**
 * As RLStringAppendFormat, with the arguments in a list. CF: CFStringAppendFormatAndArguments.
 */
RL_EXPORT void RLStringAppendFormatAndArguments(RLMutableStringRef string,
                                                RLDictionaryRef formatOptions, RLStringRef format,
                                                va_list arguments);

/** Puts a string before the code unit at `index`, or at the end. O(n). CF: CFStringInsert. */
RL_EXPORT void RLStringInsert(RLMutableStringRef string, RLIndex index, RLStringRef insertedString);

/**
 * Removes a range; a pair of surrogates that is cut leaves half of it. O(n). CF: CFStringDelete.
 */
RL_EXPORT void RLStringDelete(RLMutableStringRef string, RLRange range);

/** Puts a string into the place of a range. O(n). CF: CFStringReplace. */
RL_EXPORT void RLStringReplace(RLMutableStringRef string, RLRange range, RLStringRef replacement);

/** Gives the string other characters. CF: CFStringReplaceAll. */
RL_EXPORT void RLStringReplaceAll(RLMutableStringRef string, RLStringRef replacement);

/**
 * Puts a string into all places that RLStringCreateArrayWithFindResults finds. O(n).
 *
 * - Returns: How many there were.
 * - CF: CFStringFindAndReplace.
 */
RL_EXPORT RLIndex RLStringFindAndReplace(RLMutableStringRef string, RLStringRef stringToFind,
                                         RLStringRef replacementString, RLRange rangeToSearch,
                                         RLStringCompareFlags compareOptions);

/**
 * Gives the string a length: cuts it, or adds another string over and over.
 *
 * - Parameters:
 *   - string: The string.
 *   - padString: What to add; may be null if there is nothing to add.
 *   - length: The length in code units.
 *   - indexIntoPad: At which code unit of `padString` to begin.
 * - CF: CFStringPad.
 */
RL_EXPORT void RLStringPad(RLMutableStringRef string, RLStringRef padString, RLIndex length,
                           RLIndex indexIntoPad);

/** Removes a string from both ends as often as it is there. CF: CFStringTrim. */
RL_EXPORT void RLStringTrim(RLMutableStringRef string, RLStringRef trimString);

/** Removes white space and line ends from both ends. CF: CFStringTrimWhitespace. */
RL_EXPORT void RLStringTrimWhitespace(RLMutableStringRef string);

/**
 * Makes letters small, one by one, by the C library's table; what would become several stays as it
 * is. `locale` is null. CF: CFStringLowercase.
 */
RL_EXPORT void RLStringLowercase(RLMutableStringRef string, RLLocaleRef locale);

/** Makes letters capital, as RLStringLowercase makes them small. CF: CFStringUppercase. */
RL_EXPORT void RLStringUppercase(RLMutableStringRef string, RLLocaleRef locale);

/**
 * Makes the first letter of each word capital and the others small, as RLStringLowercase does.
 * CF: CFStringCapitalize.
 */
RL_EXPORT void RLStringCapitalize(RLMutableStringRef string, RLLocaleRef locale);

/* --- Surrogates, and reading in order --- */

/** Whether a code unit is the first half of a pair. CF: CFStringIsSurrogateHighCharacter. */
__attribute__((unused)) static inline Boolean RLStringIsSurrogateHighCharacter(UniChar character)
{
    return character >= 0xD800 && character <= 0xDBFF;
}

/** Whether a code unit is the second half of a pair. CF: CFStringIsSurrogateLowCharacter. */
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
    /** Where the window begins and ends in that range. */
    RLIndex bufferedRangeStart;
    /** @see bufferedRangeStart */
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
 * Prints what a string is and its characters to standard error; `(null)` for null.
 * CF: CFShowStr.
 */
RL_EXPORT void RLShowStr(RLStringRef string);

/**
 * The reference functions that Swift calls for a string, also with null, which they ignore; C uses
 * RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_string(RLStringRef string);
/** @see rl_swift_retain_string */
RL_EXPORT void rl_swift_release_string(RLStringRef string);

RL_EXTERN_C_END

#endif
