/*
 * The scalar types of the API, and the macros for exported symbols, ownership, enumerations and the
 * import into Swift.
 */

#ifndef CRUNLOOP_RLBASE_H
#define CRUNLOOP_RLBASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
/*
 * Inline functions use C casts, for which C++ compilers may warn. The pragmas disable this warning
 * in these headers only.
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
/**
 * Imports an opaque struct into Swift as a class. Swift calls the two functions to retain and
 * release its objects.
 */
#define RL_SWIFT_REFERENCE(retainFunction, releaseFunction)                                        \
    __attribute__((swift_attr("import_reference")))                                                \
    __attribute__((swift_attr("retain:" #retainFunction)))                                         \
    __attribute__((swift_attr("release:" #releaseFunction)))
/** Sets the name of a declaration in Swift. */
#define RL_SWIFT_NAME(name) __attribute__((swift_name(#name)))
/** The caller owns the result and releases it with RLRelease. Swift releases it automatically. */
#define RL_RETURNS_RETAINED __attribute__((swift_attr("returns_retained")))
/** The caller does not own the result. To keep the result, the caller must retain it. */
#define RL_RETURNS_NOT_RETAINED __attribute__((swift_attr("returns_unretained")))
/** Hides a declaration from Swift: the CoreRunLoop module declares its name with better types. */
#define RL_REFINED_FOR_SWIFT __attribute__((swift_private))
/**
 * If a call in Swift matches this declaration and an overload of CoreRunLoop, Swift calls the
 * overload.
 */
#define RL_SWIFT_SECOND_CHOICE __attribute__((swift_attr("@_disfavoredOverload")))
/** Marks a function that blocks the calling thread: Swift diagnoses calls in async functions. */
#define RL_SWIFT_BLOCKING __attribute__((swift_attr("@available(*, noasync)")))
/** Marks a block that may be called on any thread, or a type that any thread may use. */
#define RL_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
/** Marks a set of flags, which Swift imports as an option set. */
#define RL_OPTIONS_ATTRIBUTES __attribute__((flag_enum))
/** Marks a closed set of values, which Swift imports as an enumeration. */
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
 * Enumerations are declared by `RL_ENUM(type, name) { ... };` or, without a name, by
 * `RL_ENUM_CONSTANTS(type) { ... };`. In C++ and with clang, an enumeration has a fixed underlying
 * type. With other compilers, the name is a typedef of the integer type and the values are
 * constants; the size and the calling convention are the same. In C++, sets of options are always
 * such typedefs, so that the result of `|` has the type of the options. CF's macros do the same.
 */
#if defined(__cplusplus) || defined(__clang__)
#define RL_FIXED_ENUM(attributes, type, name)                                                      \
    __extension__ enum attributes name : type;                                                     \
    typedef enum name name;                                                                        \
    __extension__ enum name : type
/** Declares an enumeration without a name. CF: CF_ENUM with one argument. */
#define RL_ENUM_CONSTANTS(type) __extension__ enum : type
#else
#define RL_FIXED_ENUM(attributes, type, name)                                                      \
    typedef type name;                                                                             \
    enum
#define RL_ENUM_CONSTANTS(type) enum
#endif
/** Declares an enumeration that may gain values in later versions. CF: CF_ENUM. */
#define RL_ENUM(type, name) RL_FIXED_ENUM(, type, name)
/** Declares an enumeration that never gains values. CF: CF_CLOSED_ENUM. */
#define RL_CLOSED_ENUM(type, name) RL_FIXED_ENUM(RL_CLOSED_ENUM_ATTRIBUTES, type, name)
/** Declares a set of flags. CF: CF_OPTIONS. */
#if defined(__cplusplus) && !defined(__swift__)
#define RL_OPTIONS(type, name)                                                                     \
    typedef type name;                                                                             \
    enum RL_OPTIONS_ATTRIBUTES : type
#else
#define RL_OPTIONS(type, name) RL_FIXED_ENUM(RL_OPTIONS_ATTRIBUTES, type, name)
#endif

/*
 * In Swift, the structure behind a reference has the name that the pointer has in C. In Swift 6.3,
 * a typedef of this name would hide the structure from Swift modules that import other modules. So
 * for Swift, the names of the pointers are macros.
 *
 * In C and C++, the structures have CF's tags and no members. So a program's forward declaration,
 * such as `typedef struct __CFRunLoop *CFRunLoopRef;`, declares the same type.
 *
 * A reference to a mutable object is a pointer to the same structure without const. C converts such
 * a reference implicitly to a reference to an immutable object. In Swift, both references are one
 * class.
 */

RL_EXTERN_C_BEGIN

#ifndef CRUNLOOP_MAC_TYPES
#define CRUNLOOP_MAC_TYPES
#if defined(__swift__)
/** A Boolean of one byte, as in Apple's MacTypes. Swift imports it as Bool. */
typedef bool Boolean;
#else
/** A Boolean of one byte, as in Apple's MacTypes. */
typedef unsigned char Boolean;
#endif
/** An unsigned 8-bit integer. This type and the following types are Apple's MacTypes. */
typedef uint8_t UInt8;
/** A signed 8-bit integer. */
typedef int8_t SInt8;
/** An unsigned 16-bit integer. */
typedef uint16_t UInt16;
/** A signed 16-bit integer. */
typedef int16_t SInt16;
/** An unsigned 32-bit integer. */
typedef uint32_t UInt32;
/** A signed 32-bit integer. */
typedef int32_t SInt32;
/** An unsigned 64-bit integer. */
typedef uint64_t UInt64;
/** A signed 64-bit integer. */
typedef int64_t SInt64;
/** A UTF-16 code unit, as in Apple's MacTypes. */
typedef uint16_t UniChar;

#if !defined(__swift__)
/* The other types of MacTypes. Swift has them in the module CFCompatibility. */

/** A number of UTF-16 code units. */
typedef unsigned long UniCharCount;
/** A UTF-32 code unit. */
typedef UInt32 UTF32Char;
/** A UTF-16 code unit. */
typedef UInt16 UTF16Char;
/** A UTF-8 code unit. */
typedef UInt8 UTF8Char;
/** A 32-bit floating-point number. */
typedef float Float32;
/** A 64-bit floating-point number. */
typedef double Float64;
/** An unsigned byte. */
typedef UInt8 Byte;
/** A signed byte. */
typedef SInt8 SignedByte;
/** The result of a system function: 0 for success. */
typedef SInt32 OSStatus;
#if !defined(__swift__)
enum {
    /** The OSStatus or OSErr of success. */
    noErr = 0,
    /** No options. */
    kNilOptions = 0
};
#endif
/** The 16-bit result of a system function: 0 for success. */
typedef SInt16 OSErr;
/** A code of four characters. */
typedef UInt32 FourCharCode;
/** A code of four characters that identifies a type. */
typedef FourCharCode OSType;
/** A Pascal string: its first byte is its length. */
typedef unsigned char *StringPtr;
/** A constant Pascal string: its first byte is its length. */
typedef const unsigned char *ConstStringPtr;
/** A buffer for a Pascal string of at most 255 bytes. */
typedef unsigned char Str255[256];
/** A Str255 as a parameter. */
typedef const unsigned char *ConstStr255Param;
/** A region code. */
typedef SInt16 RegionCode;
/** A language code. */
typedef SInt16 LangCode;
/** A script code. */
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
/** The ID of an object's type, unique within the process. CF: CFTypeID. */
typedef unsigned long RLTypeID;

/** Any RL object. CF: CFTypeRef. */
typedef const void *RLTypeRef;
/**
 * A property list: a string, data, a number, a Boolean, a date, or a collection of these.
 * CF: CFPropertyListRef.
 */
typedef RLTypeRef RLPropertyListRef;

/** A range of indices, which begin at 0. CF: CFRange. */
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
    /** The first value is less than the second. CF: kCFCompareLessThan. */
    kRLCompareLessThan = -1,
    /** The values are equal. CF: kCFCompareEqualTo. */
    kRLCompareEqualTo = 0,
    /** The first value is greater than the second. CF: kCFCompareGreaterThan. */
    kRLCompareGreaterThan = 1
};

/**
 * Compares two values. `context` is the pointer that was passed together with the function.
 * CF: CFComparatorFunction.
 */
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
 * A reference to an allocator. Objects are always allocated by malloc, whichever allocator they are
 * created with. An allocator frees memory that a client transfers to an object
 * (RLDataCreateWithBytesNoCopy). See RLAllocator.h. CF: CFAllocatorRef.
 */
typedef const struct __CFAllocator *RLAllocatorRef;
#endif

/** The default allocator: null, as in CF. CF: kCFAllocatorDefault. */
RL_EXPORT RLAllocatorRef const kRLAllocatorDefault;
/**
 * The allocator that kRLAllocatorDefault stands for unless the thread sets a default: malloc.
 * CF: kCFAllocatorSystemDefault.
 */
RL_EXPORT RLAllocatorRef const kRLAllocatorSystemDefault;
/** An allocator with the same effect as kRLAllocatorSystemDefault. CF: kCFAllocatorMalloc. */
RL_EXPORT RLAllocatorRef const kRLAllocatorMalloc;
/**
 * An allocator that provides and frees no memory. As a deallocator, it leaves the memory to the
 * client. CF: kCFAllocatorNull.
 */
RL_EXPORT RLAllocatorRef const kRLAllocatorNull;

/** An allocator with the same effect as kRLAllocatorMalloc. CF: kCFAllocatorMallocZone. */
RL_EXPORT RLAllocatorRef const kRLAllocatorMallocZone;

/**
 * Returns the default allocator of the calling thread: kRLAllocatorSystemDefault unless
 * RLAllocatorSetDefault has set another allocator. CF: CFAllocatorGetDefault.
 */
RL_EXPORT RLAllocatorRef RLAllocatorGetDefault(void) RL_RETURNS_NOT_RETAINED;

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_allocator(RLAllocatorRef allocator);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_allocator(RLAllocatorRef allocator);

RL_EXTERN_C_END

#endif
