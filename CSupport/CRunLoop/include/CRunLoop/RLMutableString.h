/*
 * Strings that can be changed, and that grow.
 *
 * Threads may read and change a mutable string at once: each call sees it as it is between two
 * changes. A thread that needs the length and then reads must copy the string first, by
 * RLStringCreateCopy. A range or an index that is not within the string, and a change of an
 * immutable string, stop the process with one line.
 */

#ifndef CRUNLOOP_RLMUTABLESTRING_H
#define CRUNLOOP_RLMUTABLESTRING_H

#include <CRunLoop/RLString.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
#define RLMutableStringRef struct RLOpaqueString *
#else
/** A reference to a string that can be changed. CF: CFMutableStringRef. */
typedef struct __CFString *RLMutableStringRef;
#endif

/** A locale; there are none here, so that it is always null. CF: CFLocaleRef. */
typedef const struct __CFLocale *RLLocaleRef;

/**
 * Makes an empty string that can be changed.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - maxLength: The expected length, or 0; a hint, as in CF for Linux: the string grows beyond it.
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

/**
 * Adds a string, which may be the same one, at the end. O(1) on average for its size. CF:
 * CFStringAppend.
 */
RL_EXPORT void RLStringAppend(RLMutableStringRef string, RLStringRef appendedString);

/**
 * Adds code units at the end; two surrogates that meet become a pair. CF: CFStringAppendCharacters.
 */
RL_EXPORT void RLStringAppendCharacters(RLMutableStringRef string, const UniChar *chars,
                                        RLIndex numChars);

/**
 * Adds a C string at the end, or nothing if it is not valid in the encoding; see
 * RLStringCreateWithCString. CF: CFStringAppendCString.
 */
RL_EXPORT void RLStringAppendCString(RLMutableStringRef string, const char *cStr,
                                     RLStringEncoding encoding);

/**
 * Adds formatted text, as RLStringCreateWithFormat makes it, at the end; the string itself may be
 * an argument. CF: CFStringAppendFormat.
 */
RL_EXPORT void RLStringAppendFormat(RLMutableStringRef string, RLDictionaryRef formatOptions,
                                    RLStringRef format, ...);

/**
 * As RLStringAppendFormat, with the arguments in a list. CF: CFStringAppendFormatAndArguments.
 */
RL_EXPORT void RLStringAppendFormatAndArguments(RLMutableStringRef string,
                                                RLDictionaryRef formatOptions, RLStringRef format,
                                                va_list arguments);

/** Inserts a string before the code unit at `index`, or at the end. O(n). CF: CFStringInsert. */
RL_EXPORT void RLStringInsert(RLMutableStringRef string, RLIndex index, RLStringRef insertedString);

/**
 * Removes a range; a surrogate pair that is cut leaves an unpaired surrogate. O(n). CF:
 * CFStringDelete.
 */
RL_EXPORT void RLStringDelete(RLMutableStringRef string, RLRange range);

/** Replaces a range by a string. O(n). CF: CFStringReplace. */
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
 * Sets the length of the string: cuts it, or appends another string repeatedly.
 *
 * - Parameters:
 *   - string: The string.
 *   - padString: The string to append; may be null if there is nothing to append.
 *   - length: The length in code units.
 *   - indexIntoPad: The first code unit of `padString` to append.
 * - CF: CFStringPad.
 */
RL_EXPORT void RLStringPad(RLMutableStringRef string, RLStringRef padString, RLIndex length,
                           RLIndex indexIntoPad);

/** Removes all occurrences of a string at both ends. CF: CFStringTrim. */
RL_EXPORT void RLStringTrim(RLMutableStringRef string, RLStringRef trimString);

/** Removes white space and line ends from both ends. CF: CFStringTrimWhitespace. */
RL_EXPORT void RLStringTrimWhitespace(RLMutableStringRef string);

/**
 * Converts letters to lower case, one by one, by the C library's table; letters that would become
 * several stay. `locale` is null. CF: CFStringLowercase.
 */
RL_EXPORT void RLStringLowercase(RLMutableStringRef string, RLLocaleRef locale);

/**
 * Converts letters to upper case, as RLStringLowercase does to lower case. CF: CFStringUppercase.
 */
RL_EXPORT void RLStringUppercase(RLMutableStringRef string, RLLocaleRef locale);

/**
 * Converts the first letter of each word to upper case and the others to lower case, as
 * RLStringLowercase does. CF: CFStringCapitalize.
 */
RL_EXPORT void RLStringCapitalize(RLMutableStringRef string, RLLocaleRef locale);

RL_EXTERN_C_END

#endif
