/*
 * Mutable strings.
 *
 * Several threads may read and change a mutable string at the same time: each call is atomic.
 * Before a thread reads the length and then characters, it must copy the string with
 * RLStringCreateCopy. A range or an index out of bounds, and a change of an immutable string, stop
 * the process with a message.
 */

#ifndef CRUNLOOP_RLMUTABLESTRING_H
#define CRUNLOOP_RLMUTABLESTRING_H

#include <CRunLoop/RLString.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
#define RLMutableStringRef struct RLOpaqueString *
#else
/** A reference to a mutable string. CF: CFMutableStringRef. */
typedef struct __CFString *RLMutableStringRef;
#endif

/** A locale. Locales are not supported: always null. CF: CFLocaleRef. */
typedef const struct __CFLocale *RLLocaleRef;

/**
 * Creates an empty mutable string.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - maxLength: The expected length, or 0. As in CF for Linux, this is a hint: the string may
 *     become longer.
 * - Returns: A string that the caller owns.
 * - CF: CFStringCreateMutable.
 */
RL_EXPORT RLMutableStringRef RLStringCreateMutable(RLAllocatorRef allocator,
                                                   RLIndex maxLength) RL_RETURNS_RETAINED;

/**
 * Creates a mutable string like RLStringCreateMutable, with the characters of another string.
 * CF: CFStringCreateMutableCopy.
 */
RL_EXPORT RLMutableStringRef RLStringCreateMutableCopy(RLAllocatorRef allocator, RLIndex maxLength,
                                                       RLStringRef string) RL_RETURNS_RETAINED;

/**
 * Appends a string, which may be `string` itself. Amortized O(n) in the length of the appended
 * string. CF: CFStringAppend.
 */
RL_EXPORT void RLStringAppend(RLMutableStringRef string, RLStringRef appendedString);

/**
 * Appends UTF-16 code units. A high surrogate at the end of the string and an appended low
 * surrogate become a pair. CF: CFStringAppendCharacters.
 */
RL_EXPORT void RLStringAppendCharacters(RLMutableStringRef string, const UniChar *chars,
                                        RLIndex numChars);

/**
 * Appends a C string, or nothing if the bytes are invalid in the encoding. See
 * RLStringCreateWithCString. CF: CFStringAppendCString.
 */
RL_EXPORT void RLStringAppendCString(RLMutableStringRef string, const char *cStr,
                                     RLStringEncoding encoding);

/**
 * Appends a formatted string, like RLStringCreateWithFormat. The string itself may be an argument.
 * CF: CFStringAppendFormat.
 */
RL_EXPORT void RLStringAppendFormat(RLMutableStringRef string, RLDictionaryRef formatOptions,
                                    RLStringRef format, ...);

/**
 * Appends a formatted string like RLStringAppendFormat, with the arguments in a va_list.
 * CF: CFStringAppendFormatAndArguments.
 */
RL_EXPORT void RLStringAppendFormatAndArguments(RLMutableStringRef string,
                                                RLDictionaryRef formatOptions, RLStringRef format,
                                                va_list arguments);

/** Inserts a string before the code unit at `index`, or at the end. O(n). CF: CFStringInsert. */
RL_EXPORT void RLStringInsert(RLMutableStringRef string, RLIndex index, RLStringRef insertedString);

/**
 * Removes a range. If the range cuts a surrogate pair, an unpaired surrogate remains. O(n).
 * CF: CFStringDelete.
 */
RL_EXPORT void RLStringDelete(RLMutableStringRef string, RLRange range);

/** Replaces a range with a string. O(n). CF: CFStringReplace. */
RL_EXPORT void RLStringReplace(RLMutableStringRef string, RLRange range, RLStringRef replacement);

/** Replaces all characters. CF: CFStringReplaceAll. */
RL_EXPORT void RLStringReplaceAll(RLMutableStringRef string, RLStringRef replacement);

/**
 * Replaces all occurrences, as RLStringCreateArrayWithFindResults finds them. O(n).
 *
 * - Returns: The number of replacements.
 * - CF: CFStringFindAndReplace.
 */
RL_EXPORT RLIndex RLStringFindAndReplace(RLMutableStringRef string, RLStringRef stringToFind,
                                         RLStringRef replacementString, RLRange rangeToSearch,
                                         RLStringCompareFlags compareOptions);

/**
 * Sets the length of the string in UTF-16 code units: truncates the string, or appends `padString`
 * repeatedly, from its code unit `indexIntoPad` on. `padString` may be null if there is nothing to
 * append. CF: CFStringPad.
 */
RL_EXPORT void RLStringPad(RLMutableStringRef string, RLStringRef padString, RLIndex length,
                           RLIndex indexIntoPad);

/** Removes all occurrences of a string at both ends. CF: CFStringTrim. */
RL_EXPORT void RLStringTrim(RLMutableStringRef string, RLStringRef trimString);

/** Removes white space and line ends from both ends. CF: CFStringTrimWhitespace. */
RL_EXPORT void RLStringTrimWhitespace(RLMutableStringRef string);

/**
 * Converts letters to lower case, one by one, with the C library's table. A letter whose lower case
 * has several characters is unchanged. `locale` is null. CF: CFStringLowercase.
 */
RL_EXPORT void RLStringLowercase(RLMutableStringRef string, RLLocaleRef locale);

/** Converts letters to upper case, like RLStringLowercase. CF: CFStringUppercase. */
RL_EXPORT void RLStringUppercase(RLMutableStringRef string, RLLocaleRef locale);

/**
 * Converts the first letter of each word to upper case and all other letters to lower case, like
 * RLStringLowercase. CF: CFStringCapitalize.
 */
RL_EXPORT void RLStringCapitalize(RLMutableStringRef string, RLLocaleRef locale);

RL_EXTERN_C_END

#endif
