/*
 * The scalar types of the API, and the macros that tell compilers about export,
 * nullability and ownership.
 */

#ifndef CRUNLOOP_RLBASE_H
#define CRUNLOOP_RLBASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define RL_EXTERN_C_BEGIN extern "C" {
#define RL_EXTERN_C_END }
#else
#define RL_EXTERN_C_BEGIN
#define RL_EXTERN_C_END
#endif

/** Marks what the engine exports. */
#define RL_EXPORT extern __attribute__((visibility("default")))

#if defined(__clang__)
/** Makes Swift manage the references of an opaque struct by the two named functions. */
#define RL_SWIFT_REFERENCE(retainFunction, releaseFunction)                                        \
    __attribute__((swift_attr("import_reference")))                                                \
    __attribute__((swift_attr("retain:" #retainFunction)))                                         \
    __attribute__((swift_attr("release:" #releaseFunction)))
/** The name of a declaration in Swift. */
#define RL_SWIFT_NAME(name) __attribute__((swift_name(#name)))
/** The caller owns the result and releases it with RLRelease (Swift does so by itself). */
#define RL_RETURNS_RETAINED __attribute__((swift_attr("returns_retained")))
/** The caller does not own the result; retain it to keep it. */
#define RL_RETURNS_NOT_RETAINED __attribute__((swift_attr("returns_unretained")))
/** Left to the CoreRunLoop module, which gives Swift a declaration of this name with better types. */
#define RL_REFINED_FOR_SWIFT __attribute__((swift_private))
/** Blocks its thread: not to be called in Swift's async functions. */
#define RL_SWIFT_BLOCKING __attribute__((swift_attr("@available(*, noasync)")))
/** A block that may be called on another thread than the one that made it. */
#define RL_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
/** A set of flags: imported as an option set. */
#define RL_OPTIONS_ATTRIBUTES __attribute__((flag_enum))
/** A closed set of values: imported as a Swift enumeration. */
#define RL_CLOSED_ENUM_ATTRIBUTES __attribute__((enum_extensibility(closed)))
#else
#define RL_SWIFT_REFERENCE(retainFunction, releaseFunction)
#define RL_SWIFT_NAME(name)
#define RL_RETURNS_RETAINED
#define RL_RETURNS_NOT_RETAINED
#define RL_REFINED_FOR_SWIFT
#define RL_SWIFT_BLOCKING
#define RL_SWIFT_SENDABLE
#define RL_OPTIONS_ATTRIBUTES
#define RL_CLOSED_ENUM_ATTRIBUTES
#endif

/*
 * Swift gives the structure behind a reference the name that C gives the pointer. A typedef of the
 * same name would hide it from Swift modules built on others (Swift 6.3), so that for Swift the
 * names of the pointers are macros.
 */

RL_EXTERN_C_BEGIN

#ifndef CRUNLOOP_MAC_TYPES
#define CRUNLOOP_MAC_TYPES
#if defined(__swift__)
/** A truth value of one byte; Apple's MacTypes `Boolean`, which Swift sees as Bool. */
typedef bool Boolean;
#else
/** A truth value of one byte; Apple's MacTypes `Boolean`. */
typedef unsigned char Boolean;
#endif
/** Apple's MacTypes spellings of the fixed-size integers. */
typedef uint8_t UInt8;
/** @see UInt8 */
typedef int8_t SInt8;
/** @see UInt8 */
typedef uint16_t UInt16;
/** @see UInt8 */
typedef int16_t SInt16;
/** @see UInt8 */
typedef uint32_t UInt32;
/** @see UInt8 */
typedef int32_t SInt32;
/** @see UInt8 */
typedef uint64_t UInt64;
/** @see UInt8 */
typedef int64_t SInt64;
#endif

#if !defined(TRUE)
/** The true Boolean. */
#define TRUE 1
#endif
#if !defined(FALSE)
/** The false Boolean. */
#define FALSE 0
#endif

/** A signed count or index of pointer size. CF: CFIndex. */
typedef long RLIndex;
/** A set of flags of pointer size. CF: CFOptionFlags. */
typedef unsigned long RLOptionFlags;
/** A hash value of pointer size. CF: CFHashCode. */
typedef unsigned long RLHashCode;
/** The number of an object's type; unique within the process. CF: CFTypeID. */
typedef unsigned long RLTypeID;

/** Any RL object. CF: CFTypeRef. */
typedef const void *RLTypeRef;

/**
 * How to allocate. Only the default exists: every allocator argument is accepted and
 * ignored, as objects always come from malloc. CF: CFAllocatorRef.
 */
typedef const struct RLOpaqueAllocator *RLAllocatorRef;

/** The default allocator; a null reference as in CF. CF: kCFAllocatorDefault. */
RL_EXPORT const RLAllocatorRef kRLAllocatorDefault;
/** The same as kRLAllocatorDefault. CF: kCFAllocatorSystemDefault. */
RL_EXPORT const RLAllocatorRef kRLAllocatorSystemDefault;

RL_EXTERN_C_END

#endif
