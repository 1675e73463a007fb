/*
 * Immutable strings, as far as mode names and descriptions need them.
 *
 * All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLSTRING_H
#define CRUNLOOP_RLSTRING_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

/** The encoding of bytes. CF: CFStringEncoding. */
typedef UInt32 RLStringEncoding;

enum {
    /** UTF-8. CF: kCFStringEncodingUTF8. */
    kRLStringEncodingUTF8 = 0x08000100,
    /** ASCII, a subset of UTF-8 here. CF: kCFStringEncodingASCII. */
    kRLStringEncodingASCII = 0x0600
};

/** The eight bytes with which a constant string begins; see RLSTR. */
#define RL_CONSTANT_STRING_MARK "\x7FRL\xA5STR\x01"

/**
 * A constant string made from a string literal. It costs nothing at run time, may stand in a
 * static initializer, lives for ever, and need be neither retained nor released.
 *
 * The object is the literal itself, led by a mark that RL functions recognize.
 *
 * - CF: CFSTR.
 */
#define RLSTR(literal) ((RLStringRef)(const void *)(RL_CONSTANT_STRING_MARK "" literal ""))

/** The type number of strings. CF: CFStringGetTypeID. */
RL_EXPORT RLTypeID RLStringGetTypeID(void);

/**
 * Makes a string from a C string, which is copied.
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

/** The reference functions that Swift calls for a string, also with null, which they ignore; C uses RLRetain and RLRelease. */
RL_EXPORT void rl_swift_retain_string(RLStringRef string);
/** @see rl_swift_retain_string */
RL_EXPORT void rl_swift_release_string(RLStringRef string);

RL_EXTERN_C_END

#endif
