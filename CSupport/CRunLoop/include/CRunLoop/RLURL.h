/*
 * URLs of files, for functions that take a URL.
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
    /** A path with slashes. This is the only supported style. CF: kCFURLPOSIXPathStyle. */
    kRLURLPOSIXPathStyle = 0
};

/** Returns the type ID of URLs. CF: CFURLGetTypeID. */
RL_EXPORT RLTypeID RLURLGetTypeID(void);

/**
 * Creates the URL of a file from its path.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - filePath: The path; copied. An empty path yields null. A relative path starts at the
 *     directory that is current when the URL is used.
 *   - pathStyle: kRLURLPOSIXPathStyle; any other style yields null.
 *   - isDirectory: Whether the path names a directory; the URL then ends with a slash.
 * - Returns: A URL that the caller owns, or null.
 * - CF: CFURLCreateWithFileSystemPath.
 */
RL_EXPORT RLURLRef RLURLCreateWithFileSystemPath(RLAllocatorRef allocator, RLStringRef filePath,
                                                 RLURLPathStyle pathStyle,
                                                 Boolean isDirectory) RL_RETURNS_RETAINED;

/**
 * Creates the URL of a file like RLURLCreateWithFileSystemPath, from a path of `bufLen` bytes,
 * which need not be UTF-8. CF: CFURLCreateFromFileSystemRepresentation.
 */
RL_EXPORT RLURLRef RLURLCreateFromFileSystemRepresentation(RLAllocatorRef allocator,
                                                           const UInt8 *buffer, RLIndex bufLen,
                                                           Boolean isDirectory) RL_RETURNS_RETAINED;

/**
 * Creates the URL of a file from its text, such as `file:///tmp/a%20file`.
 *
 * - Parameters:
 *  - allocator: Ignored.
 *  - URLString: The text. Any scheme except `file` yields null, and so does invalid text.
 *  - baseURL: Null, because base URLs are not supported; any URL yields null.
 * - Returns: A URL that the caller owns, or null.
 * - CF: CFURLCreateWithString.
 */
RL_EXPORT RLURLRef RLURLCreateWithString(RLAllocatorRef allocator, RLStringRef URLString,
                                         RLURLRef baseURL) RL_RETURNS_RETAINED;

/** Returns the text of a URL, not retained. CF: CFURLGetString. */
RL_EXPORT RLStringRef RLURLGetString(RLURLRef anURL) RL_RETURNS_NOT_RETAINED;

/**
 * Returns the path of a URL without a slash at its end. The caller owns the string. Returns null
 * for a style other than kRLURLPOSIXPathStyle, and for a path that is not UTF-8.
 * CF: CFURLCopyFileSystemPath.
 */
RL_EXPORT RLStringRef RLURLCopyFileSystemPath(RLURLRef anURL,
                                              RLURLPathStyle pathStyle) RL_RETURNS_RETAINED;

/**
 * Copies the bytes of the path of a URL, with a NUL, into a buffer of `maxBufLen` bytes. Returns
 * whether the path fits. A relative path always starts at the current directory:
 * `resolveAgainstBase` is ignored. CF: CFURLGetFileSystemRepresentation.
 */
RL_EXPORT Boolean RLURLGetFileSystemRepresentation(RLURLRef url, Boolean resolveAgainstBase,
                                                   UInt8 *buffer, RLIndex maxBufLen);

/**
 * Returns whether a URL ends with a slash, like the URL of a directory. CF: CFURLHasDirectoryPath.
 */
RL_EXPORT Boolean RLURLHasDirectoryPath(RLURLRef anURL);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_url(RLURLRef url);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_url(RLURLRef url);

RL_EXTERN_C_END

#endif
