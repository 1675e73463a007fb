/*
 * The scalar types of the API, and the macros that declare export,
 * nullability and ownership.
 */

#ifndef CRUNLOOP_RLBASE_H
#define CRUNLOOP_RLBASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
/*
 * Inline functions use C's implicit conversions, about which a program may want warnings in its own
 * code only.
 */
#define RL_EXTERN_C_BEGIN                                                                          \
    _Pragma("GCC diagnostic push")                                                                 \
        _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"") extern "C"                          \
    {
#define RL_EXTERN_C_END                                                                            \
    }                                                                                              \
    _Pragma("GCC diagnostic pop")
#else
#define RL_EXTERN_C_BEGIN
#define RL_EXTERN_C_END
#endif

/** Exports a symbol of the engine. */
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
/** The caller does not own the result, and retains it to keep it. */
#define RL_RETURNS_NOT_RETAINED __attribute__((swift_attr("returns_unretained")))
/**
 * Hidden from Swift: the CoreRunLoop module declares this name with better types.
 */
#define RL_REFINED_FOR_SWIFT __attribute__((swift_private))
/** If Swift could call either, CoreRunLoop's declaration of the same name is preferred. */
#define RL_SWIFT_SECOND_CHOICE __attribute__((swift_attr("@_disfavoredOverload")))
/** Blocks its thread: Swift warns about calls in async functions. */
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
#define RL_SWIFT_SECOND_CHOICE
#define RL_SWIFT_BLOCKING
#define RL_SWIFT_SENDABLE
#define RL_OPTIONS_ATTRIBUTES
#define RL_CLOSED_ENUM_ATTRIBUTES
#endif

/*
 * Enumerations: `RL_ENUM(type, name) { ... };`, and `RL_ENUM_CONSTANTS(type) { ... };` for one
 * without a name. In C++ and with clang an enumeration has a fixed underlying type. For other
 * compilers the name is that integer type and the values are constants; the size in memory and in
 * calls is the same. In C++ sets of options are always made in that way, so that `|` of two of them
 * is again one. CF's macros of these names do the same.
 */
#if defined(__cplusplus) || defined(__clang__)
#define RL_FIXED_ENUM(attributes, type, name)                                                      \
    __extension__ enum attributes name : type;                                                     \
    typedef enum name name;                                                                        \
    __extension__ enum name : type
/** An enumeration without a name. CF: CF_ENUM with one argument. */
#define RL_ENUM_CONSTANTS(type) __extension__ enum : type
#else
#define RL_FIXED_ENUM(attributes, type, name)                                                      \
    typedef type name;                                                                             \
    enum
#define RL_ENUM_CONSTANTS(type) enum
#endif
/** An enumeration that may gain values later. CF: CF_ENUM. */
#define RL_ENUM(type, name) RL_FIXED_ENUM(, type, name)
/** An enumeration that has all its values. CF: CF_CLOSED_ENUM. */
#define RL_CLOSED_ENUM(type, name) RL_FIXED_ENUM(RL_CLOSED_ENUM_ATTRIBUTES, type, name)
/** A set of flags. CF: CF_OPTIONS. */
#if defined(__cplusplus) && !defined(__swift__)
#define RL_OPTIONS(type, name)                                                                     \
    typedef type name;                                                                             \
    enum RL_OPTIONS_ATTRIBUTES : type
#else
#define RL_OPTIONS(type, name) RL_FIXED_ENUM(RL_OPTIONS_ATTRIBUTES, type, name)
#endif

/*
 * Swift gives the structure behind a reference the name that C gives the pointer. A typedef of the
 * same name would hide it from Swift modules built on others (Swift 6.3), so that for Swift the
 * names of the pointers are macros.
 *
 * In C and C++ the structures have CF's own tags and no members, so that a pointer that a program
 * declares in advance, as `typedef struct __CFRunLoop *CFRunLoopRef;`, is the same type.
 *
 * A mutable object is a pointer to the same structure that is not const, so that C converts it to
 * the immutable reference by itself; Swift sees one class for both.
 */

RL_EXTERN_C_BEGIN

#ifndef CRUNLOOP_MAC_TYPES
#define CRUNLOOP_MAC_TYPES
#if defined(__swift__)
/** A Boolean of one byte; Apple's MacTypes `Boolean`, which Swift sees as Bool. */
typedef bool Boolean;
#else
/** A Boolean of one byte; Apple's MacTypes `Boolean`. */
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
/** A code unit of UTF-16; Apple's MacTypes `UniChar`. */
typedef uint16_t UniChar;

#if !defined(__swift__)
/* The rest of MacTypes, which Swift has in CFCompatibility. */

/** A number of code units of UTF-16. */
typedef unsigned long UniCharCount;
/** A code unit of UTF-32. */
typedef UInt32 UTF32Char;
/** A code unit of UTF-16. */
typedef UInt16 UTF16Char;
/** A code unit of UTF-8. */
typedef UInt8 UTF8Char;
/** A floating-point number of 32 bits. */
typedef float Float32;
/** A floating-point number of 64 bits. */
typedef double Float64;
/** A byte without a sign. */
typedef UInt8 Byte;
/** A byte with a sign. */
typedef SInt8 SignedByte;
/** The result of a system function: 0 for success. */
typedef SInt32 OSStatus;
#if !defined(__swift__)
enum {
    /** An OSStatus or OSErr of success. */
    noErr = 0,
    /** Options of which none is set. */
    kNilOptions = 0
};
#endif
/** As OSStatus, in 16 bits. */
typedef SInt16 OSErr;
/** Four characters as a number. */
typedef UInt32 FourCharCode;
/** @see FourCharCode */
typedef FourCharCode OSType;
/** A string whose first byte is its length. */
typedef unsigned char *StringPtr;
/** @see StringPtr */
typedef const unsigned char *ConstStringPtr;
/** A buffer for a string of at most 255 bytes whose first byte is its length. */
typedef unsigned char Str255[256];
/** Such a string as a parameter. */
typedef const unsigned char *ConstStr255Param;
/** The number of a region. */
typedef SInt16 RegionCode;
/** The number of a language. */
typedef SInt16 LangCode;
/** The number of a script. */
typedef SInt16 ScriptCode;
#endif
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
 * A string, data, a number, a Boolean, a date, or a collection of these. CF: CFPropertyListRef.
 */
typedef RLTypeRef RLPropertyListRef;

/** A range of indices, which count from 0. CF: CFRange. */
typedef struct {
    /** The first index. */
    RLIndex location;
    /** The number of elements. */
    RLIndex length;
} RLRange;

/** Makes a range. CF: CFRangeMake. */
__attribute__((unused)) static inline RLRange RLRangeMake(RLIndex location, RLIndex length)
{
    RLRange range = {location, length};
    return range;
}

enum {
    /** Returned instead of an index when nothing was found. CF: kCFNotFound. */
    kRLNotFound = -1
};

/** The order of two values. CF: CFComparisonResult. */
RL_CLOSED_ENUM(RLIndex, RLComparisonResult) {
    /** The first one is smaller. CF: kCFCompareLessThan. */
    kRLCompareLessThan = -1,
    /** They are equal. CF: kCFCompareEqualTo. */
    kRLCompareEqualTo = 0,
    /** The first one is greater. CF: kCFCompareGreaterThan. */
    kRLCompareGreaterThan = 1
};

/** Compares two values; `context` is the argument of its caller. CF: CFComparatorFunction. */
typedef RLComparisonResult (*RLComparatorFunction)(const void *first, const void *second,
                                                   void *context);

#if defined(__swift__)
/** An allocator. CF: CFAllocatorRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_allocator, rl_swift_release_allocator)
    RL_SWIFT_NAME(RLAllocatorRef) RLOpaqueAllocator {
    uintptr_t _reserved;
};

#define RLAllocatorRef const struct RLOpaqueAllocator *
#else
/**
 * An allocator. Objects always come from malloc, whatever the allocator. Memory that an object
 * takes over is freed by its own allocator (RLDataCreateWithBytesNoCopy). See RLAllocator.h. CF:
 * CFAllocatorRef.
 */
typedef const struct __CFAllocator *RLAllocatorRef;
#endif

/** The default allocator; a null reference as in CF. CF: kCFAllocatorDefault. */
RL_EXPORT RLAllocatorRef const kRLAllocatorDefault;
/** The allocator behind kRLAllocatorDefault, malloc. CF: kCFAllocatorSystemDefault. */
RL_EXPORT RLAllocatorRef const kRLAllocatorSystemDefault;
/** The same as kRLAllocatorSystemDefault in effect. CF: kCFAllocatorMalloc. */
RL_EXPORT RLAllocatorRef const kRLAllocatorMalloc;
/**
 * The allocator of memory that must not be freed; ignored for any other argument. CF:
 * kCFAllocatorNull.
 */
RL_EXPORT RLAllocatorRef const kRLAllocatorNull;

/** The same as kRLAllocatorMalloc in effect. CF: kCFAllocatorMallocZone. */
RL_EXPORT RLAllocatorRef const kRLAllocatorMallocZone;

/**
 * The default allocator of the calling thread: kRLAllocatorSystemDefault unless
 * RLAllocatorSetDefault has set another one. CF: CFAllocatorGetDefault.
 */
RL_EXPORT RLAllocatorRef RLAllocatorGetDefault(void) RL_RETURNS_NOT_RETAINED;

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_allocator(RLAllocatorRef allocator);
/** @see rl_swift_retain_allocator */
RL_EXPORT void rl_swift_release_allocator(RLAllocatorRef allocator);

RL_EXTERN_C_END

#endif
