/*
 * Immutable strings of Unicode characters. The character NUL ends a string.
 *
 * All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLSTRING_H
#define CRUNLOOP_RLSTRING_H

#include <CRunLoop/RLData.h>
#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLObject.h>
#include <stdarg.h>

RL_EXTERN_C_BEGIN

/** The encoding of bytes. CF: CFStringEncoding. */
typedef UInt32 RLStringEncoding;

enum {
    /** UTF-8. CF: kCFStringEncodingUTF8. */
    kRLStringEncodingUTF8 = 0x08000100,
    /** ASCII, a subset of UTF-8 here. CF: kCFStringEncodingASCII. */
    kRLStringEncodingASCII = 0x0600
};

/** How to compare strings. CF: CFStringCompareFlags. */
RL_OPTIONS(RLOptionFlags, RLStringCompareFlags) {
    /** Letters are equal to their lower case, one by one. CF: kCFCompareCaseInsensitive. */
    kRLCompareCaseInsensitive = 1,
    /** Sequences of ASCII digits are compared as numbers. CF: kCFCompareNumerically. */
    kRLCompareNumerically = 64
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
 *   - encoding: kRLStringEncodingUTF8 or kRLStringEncodingASCII; any other yields null, and so do
 *     bytes that are not valid in it.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateWithCString.
 */
RL_EXPORT RLStringRef RLStringCreateWithCString(RLAllocatorRef allocator, const char *characters,
                                                RLStringEncoding encoding) RL_RETURNS_RETAINED;

/**
 * Makes a string from bytes, which are copied. A byte order mark at the beginning is left out.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - bytes: The bytes; may be null if `count` is 0.
 *   - count: How many; a negative number yields null.
 *   - encoding: kRLStringEncodingUTF8 or kRLStringEncodingASCII; any other yields null, and so do
 *     bytes that are not valid in it, or a NUL among them.
 *   - isExternalRepresentation: Ignored.
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
 *   - encoding: kRLStringEncodingUTF8 or kRLStringEncodingASCII; any other yields null, and so do
 *     bytes that are not valid in it, or a NUL among them.
 * - Returns: A string that the caller owns, or null.
 * - CF: CFStringCreateFromExternalRepresentation.
 */
RL_EXPORT RLStringRef RLStringCreateFromExternalRepresentation(
    RLAllocatorRef allocator, RLDataRef data, RLStringEncoding encoding) RL_RETURNS_RETAINED;

/**
 * The characters of a string as data, without a NUL and without a byte order mark.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - string: The string.
 *   - encoding: kRLStringEncodingUTF8 or kRLStringEncodingASCII; any other yields null.
 *   - lossByte: What stands for each UTF-16 code unit that the encoding does not have; 0 if null is
 *     to be the answer then.
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
 * - Returns: A string that the caller owns, or null if the range cuts a character in two.
 * - CF: CFStringCreateWithSubstring.
 */
RL_EXPORT RLStringRef RLStringCreateWithSubstring(RLAllocatorRef allocator, RLStringRef string,
                                                  RLRange range) RL_RETURNS_RETAINED;

/** The string itself, retained: strings do not change. CF: CFStringCreateCopy. */
RL_EXPORT RLStringRef RLStringCreateCopy(RLAllocatorRef allocator,
                                         RLStringRef string) RL_RETURNS_RETAINED;

/**
 * The characters as a C string, valid as long as the string lives; null if `encoding` is neither
 * UTF-8 nor ASCII, or if it is ASCII and the string is not.
 *
 * - CF: CFStringGetCStringPtr.
 */
RL_EXPORT const char *RLStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding);

/**
 * Copies the characters and a terminating NUL into a buffer.
 *
 * - Parameters:
 *   - string: The string.
 *   - buffer: Where to write.
 *   - size: The size of the buffer in bytes, the NUL included.
 *   - encoding: As for RLStringGetCStringPtr.
 * - Returns: Whether it fit; if not, the buffer is left untouched.
 * - CF: CFStringGetCString.
 */
RL_EXPORT Boolean RLStringGetCString(RLStringRef string, char *buffer, RLIndex size,
                                     RLStringEncoding encoding);

/** The number of UTF-16 code units, as CF counts. O(n). CF: CFStringGetLength. */
RL_EXPORT RLIndex RLStringGetLength(RLStringRef string);

/**
 * How many bytes so many UTF-16 code units take at most, without a terminating NUL; kRLNotFound for
 * a negative or too large number and for an unknown encoding.
 *
 * - CF: CFStringGetMaximumSizeForEncoding.
 */
RL_EXPORT RLIndex RLStringGetMaximumSizeForEncoding(RLIndex length, RLStringEncoding encoding);

/**
 * The UTF-16 code unit at `index`; an index out of range stops the process. O(n).
 * CF: CFStringGetCharacterAtIndex.
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
 *   - options: kRLCompareCaseInsensitive, kRLCompareNumerically, both or 0; others are ignored.
 * - CF: CFStringCompare.
 */
RL_EXPORT RLComparisonResult RLStringCompare(RLStringRef firstString, RLStringRef secondString,
                                             RLStringCompareFlags options);

/** Whether a string begins with another one, which is not empty. CF: CFStringHasPrefix. */
RL_EXPORT Boolean RLStringHasPrefix(RLStringRef string, RLStringRef prefix);

/** Whether a string ends with another one, which is not empty. CF: CFStringHasSuffix. */
RL_EXPORT Boolean RLStringHasSuffix(RLStringRef string, RLStringRef suffix);

/**
 * The reference functions that Swift calls for a string, also with null, which they ignore; C uses
 * RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_string(RLStringRef string);
/** @see rl_swift_retain_string */
RL_EXPORT void rl_swift_release_string(RLStringRef string);

RL_EXTERN_C_END

#endif
