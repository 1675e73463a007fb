/*
 * URLs of files, for functions that take one: a path as an object.
 *
 * The objects are immutable. All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLURL_H
#define CRUNLOOP_RLURL_H

#include <CRunLoop/RLString.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** The URL of a file. CF: CFURLRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_url, rl_swift_release_url) RL_SWIFT_NAME(RLURLRef)
    RLOpaqueURL {
    uintptr_t _reserved;
};

#define RLURLRef const struct RLOpaqueURL *
#else
/** A reference to the URL of a file. CF: CFURLRef. */
typedef const struct __CFURL *RLURLRef;
#endif

/** The style of a path. CF: CFURLPathStyle. */
RL_ENUM(RLIndex, RLURLPathStyle) {
    /** With slashes, the only style here. CF: kCFURLPOSIXPathStyle. */
    kRLURLPOSIXPathStyle = 0
};

/** The type number of URLs. CF: CFURLGetTypeID. */
RL_EXPORT RLTypeID RLURLGetTypeID(void);

/**
 * Makes the URL of a file from its path.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - filePath: The path; copied. An empty one yields null. A relative one starts at the directory
 *     that is current when the URL is used.
 *   - pathStyle: kRLURLPOSIXPathStyle; any other yields null.
 *   - isDirectory: Whether it is a directory; the URL then ends with a slash.
 * - Returns: A URL that the caller owns, or null.
 * - CF: CFURLCreateWithFileSystemPath.
 */
RL_EXPORT RLURLRef RLURLCreateWithFileSystemPath(RLAllocatorRef allocator, RLStringRef filePath,
                                                 RLURLPathStyle pathStyle,
                                                 Boolean isDirectory) RL_RETURNS_RETAINED;

/**
 * As RLURLCreateWithFileSystemPath, with a path of `bufLen` bytes, which need not be UTF-8. CF:
 * CFURLCreateFromFileSystemRepresentation.
 */
RL_EXPORT RLURLRef RLURLCreateFromFileSystemRepresentation(RLAllocatorRef allocator,
                                                           const UInt8 *buffer, RLIndex bufLen,
                                                           Boolean isDirectory) RL_RETURNS_RETAINED;

/**
 * Makes the URL of a file from its text, such as `file:///tmp/a%20file`.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - URLString: The text. Any scheme but `file` yields null, and so does invalid text.
 *   - baseURL: Null, as URLs of files have no base here; any other yields null.
 * - Returns: A URL that the caller owns, or null.
 * - CF: CFURLCreateWithString.
 */
RL_EXPORT RLURLRef RLURLCreateWithString(RLAllocatorRef allocator, RLStringRef URLString,
                                         RLURLRef baseURL) RL_RETURNS_RETAINED;

/** Returns the text of a URL, not retained. CF: CFURLGetString. */
RL_EXPORT RLStringRef RLURLGetString(RLURLRef anURL) RL_RETURNS_NOT_RETAINED;

/**
 * Returns the path of a URL, without a slash at its end, which the caller owns; null for a style
 * that is not kRLURLPOSIXPathStyle, and for a path that is not UTF-8. CF: CFURLCopyFileSystemPath.
 */
RL_EXPORT RLStringRef RLURLCopyFileSystemPath(RLURLRef anURL,
                                              RLURLPathStyle pathStyle) RL_RETURNS_RETAINED;

/**
 * Copies the bytes of the path of a URL, with a NUL, into a buffer.
 *
 * - Parameters:
 *   - url: The URL.
 *   - resolveAgainstBase: Ignored: a relative path always starts at the current directory.
 *   - buffer: Receives the path.
 *   - maxBufLen: The size of the buffer in bytes, the NUL included.
 * - Returns: Whether it fits.
 * - CF: CFURLGetFileSystemRepresentation.
 */
RL_EXPORT Boolean RLURLGetFileSystemRepresentation(RLURLRef url, Boolean resolveAgainstBase,
                                                   UInt8 *buffer, RLIndex maxBufLen);

/** Whether a URL ends with a slash, as that of a directory. CF: CFURLHasDirectoryPath. */
RL_EXPORT Boolean RLURLHasDirectoryPath(RLURLRef anURL);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_url(RLURLRef url);
/** @see rl_swift_retain_url */
RL_EXPORT void rl_swift_release_url(RLURLRef url);

RL_EXTERN_C_END

#endif
