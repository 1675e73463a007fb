/*
 * Numbers and Booleans as objects.
 *
 * The objects are immutable. All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLNUMBER_H
#define CRUNLOOP_RLNUMBER_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A number. CF: CFNumberRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_number, rl_swift_release_number)
    RL_SWIFT_NAME(RLNumberRef) RLOpaqueNumber {
    uintptr_t _reserved;
};

/** A Boolean. CF: CFBooleanRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_boolean, rl_swift_release_boolean)
    RL_SWIFT_NAME(RLBooleanRef) RLOpaqueBoolean {
    uintptr_t _reserved;
};

#define RLNumberRef const struct RLOpaqueNumber *
#define RLBooleanRef const struct RLOpaqueBoolean *
#else
/** A reference to a number. CF: CFNumberRef. */
typedef const struct __CFNumber *RLNumberRef;
/** A reference to a Boolean. CF: CFBooleanRef. */
typedef const struct __CFBoolean *RLBooleanRef;
#endif

/** The C type of a number. CF: CFNumberType. */
RL_CLOSED_ENUM(RLIndex, RLNumberType) {
    /** A signed 8-bit integer. CF: kCFNumberSInt8Type. */
    kRLNumberSInt8Type = 1,
    /** A signed 16-bit integer. CF: kCFNumberSInt16Type. */
    kRLNumberSInt16Type = 2,
    /** A signed 32-bit integer. CF: kCFNumberSInt32Type. */
    kRLNumberSInt32Type = 3,
    /** A signed 64-bit integer. CF: kCFNumberSInt64Type. */
    kRLNumberSInt64Type = 4,
    /** A 32-bit floating-point number. CF: kCFNumberFloat32Type. */
    kRLNumberFloat32Type = 5,
    /** A 64-bit floating-point number. CF: kCFNumberFloat64Type. */
    kRLNumberFloat64Type = 6,
    /** C's `char`, treated as signed. CF: kCFNumberCharType. */
    kRLNumberCharType = 7,
    /** C's `short`. CF: kCFNumberShortType. */
    kRLNumberShortType = 8,
    /** C's `int`. CF: kCFNumberIntType. */
    kRLNumberIntType = 9,
    /** C's `long`. CF: kCFNumberLongType. */
    kRLNumberLongType = 10,
    /** C's `long long`. CF: kCFNumberLongLongType. */
    kRLNumberLongLongType = 11,
    /** C's `float`. CF: kCFNumberFloatType. */
    kRLNumberFloatType = 12,
    /** C's `double`. CF: kCFNumberDoubleType. */
    kRLNumberDoubleType = 13,
    /** An RLIndex. CF: kCFNumberCFIndexType. */
    kRLNumberRLIndexType = 14,
    /** An integer of pointer size. CF: kCFNumberNSIntegerType. */
    kRLNumberNSIntegerType = 15,
    /** A `double`, as on all 64-bit systems. CF: kCFNumberCGFloatType. */
    kRLNumberCGFloatType = 16,
    /** The greatest value of RLNumberType. CF: kCFNumberMaxType. */
    kRLNumberMaxType = 16
};

/** The true Boolean. It need not be retained or released. CF: kCFBooleanTrue. */
RL_EXPORT RLBooleanRef const kRLBooleanTrue;
/** The false Boolean. It need not be retained or released. CF: kCFBooleanFalse. */
RL_EXPORT RLBooleanRef const kRLBooleanFalse;

/** Returns the type ID of Booleans. CF: CFBooleanGetTypeID. */
RL_EXPORT RLTypeID RLBooleanGetTypeID(void);

/** Returns whether the object is kRLBooleanTrue. CF: CFBooleanGetValue. */
RL_EXPORT Boolean RLBooleanGetValue(RLBooleanRef boolean);

/** Positive infinity, greater than all other numbers. CF: kCFNumberPositiveInfinity. */
RL_EXPORT RLNumberRef const kRLNumberPositiveInfinity;
/** Negative infinity, smaller than all other numbers. CF: kCFNumberNegativeInfinity. */
RL_EXPORT RLNumberRef const kRLNumberNegativeInfinity;
/** NaN (not a number). CF: kCFNumberNaN. */
RL_EXPORT RLNumberRef const kRLNumberNaN;

/** Returns the type ID of numbers. CF: CFNumberGetTypeID. */
RL_EXPORT RLTypeID RLNumberGetTypeID(void);

/**
 * Creates a number, which the caller owns, from a copy of the value at `valuePtr`. An unknown type
 * stops the process. `allocator` is ignored. CF: CFNumberCreate.
 */
RL_EXPORT RLNumberRef RLNumberCreate(RLAllocatorRef allocator, RLNumberType theType,
                                     const void *valuePtr) RL_RETURNS_RETAINED;

/**
 * Returns the type in which the value is stored: one of the first six types, which have a fixed
 * size. The type is equivalent to the type that the number was created with. (CF stores integers
 * from -1 to 12 as SInt32.) CF: CFNumberGetType.
 */
RL_EXPORT RLNumberType RLNumberGetType(RLNumberRef number);

/** Returns the size in bytes of the type that RLNumberGetType returns. CF: CFNumberGetByteSize. */
RL_EXPORT RLIndex RLNumberGetByteSize(RLNumberRef number);

/** Returns whether the number is stored as a floating-point number. CF: CFNumberIsFloatType. */
RL_EXPORT Boolean RLNumberIsFloatType(RLNumberRef number);

/**
 * Converts the number to a C type, and stores it at `valuePtr`. Returns whether the exact value was
 * stored. Otherwise, an approximation was stored: the low bits of an integer; the integer part of a
 * floating-point number, or the nearest limit. An unknown type stops the process.
 * CF: CFNumberGetValue.
 */
RL_EXPORT Boolean RLNumberGetValue(RLNumberRef number, RLNumberType theType, void *valuePtr);

/**
 * Compares two numbers by their values, exactly, whatever their types. Minus zero is less than
 * zero; NaN is less than all numbers and equal to NaN. `context` is ignored, so that the function
 * is an RLComparatorFunction. CF: CFNumberCompare.
 */
RL_EXPORT RLComparisonResult RLNumberCompare(RLNumberRef number, RLNumberRef otherNumber,
                                             void *context);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_number(RLNumberRef number);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_number(RLNumberRef number);
/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_boolean(RLBooleanRef boolean);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_boolean(RLBooleanRef boolean);

RL_EXTERN_C_END

#endif
