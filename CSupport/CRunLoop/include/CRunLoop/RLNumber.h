/*
 * Numbers and Booleans as objects.
 *
 * They never change; all functions may be called from any thread.
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
    /** An integer of 8 bits with a sign. CF: kCFNumberSInt8Type. */
    kRLNumberSInt8Type = 1,
    /** An integer of 16 bits with a sign. CF: kCFNumberSInt16Type. */
    kRLNumberSInt16Type = 2,
    /** An integer of 32 bits with a sign. CF: kCFNumberSInt32Type. */
    kRLNumberSInt32Type = 3,
    /** An integer of 64 bits with a sign. CF: kCFNumberSInt64Type. */
    kRLNumberSInt64Type = 4,
    /** A floating-point number of 32 bits. CF: kCFNumberFloat32Type. */
    kRLNumberFloat32Type = 5,
    /** A floating-point number of 64 bits. CF: kCFNumberFloat64Type. */
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
    /** The last of the types. CF: kCFNumberMaxType. */
    kRLNumberMaxType = 16
};

/** The Boolean that is true; need be neither retained nor released. CF: kCFBooleanTrue. */
RL_EXPORT RLBooleanRef const kRLBooleanTrue;
/** The Boolean that is false; need be neither retained nor released. CF: kCFBooleanFalse. */
RL_EXPORT RLBooleanRef const kRLBooleanFalse;

/** The type number of Booleans. CF: CFBooleanGetTypeID. */
RL_EXPORT RLTypeID RLBooleanGetTypeID(void);

/** Whether the object is kRLBooleanTrue. CF: CFBooleanGetValue. */
RL_EXPORT Boolean RLBooleanGetValue(RLBooleanRef boolean);

/** Positive infinity, greater than all other numbers. CF: kCFNumberPositiveInfinity. */
RL_EXPORT RLNumberRef const kRLNumberPositiveInfinity;
/** Negative infinity, smaller than all other numbers. CF: kCFNumberNegativeInfinity. */
RL_EXPORT RLNumberRef const kRLNumberNegativeInfinity;
/** Not a number. CF: kCFNumberNaN. */
RL_EXPORT RLNumberRef const kRLNumberNaN;

/** The type number of numbers. CF: CFNumberGetTypeID. */
RL_EXPORT RLTypeID RLNumberGetTypeID(void);

/**
 * Makes a number.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - theType: The type of the value; an unknown one stops the process.
 *   - valuePtr: The value, which is copied.
 * - Returns: A number that the caller owns.
 * - CF: CFNumberCreate.
 */
RL_EXPORT RLNumberRef RLNumberCreate(RLAllocatorRef allocator, RLNumberType theType,
                                     const void *valuePtr) RL_RETURNS_RETAINED;

/**
 * The type in which the value is stored: the fixed-size type, one of the first six, that is
 * equivalent to the type of its creation. (CF keeps integers from -1 to 12 as SInt32.)
 *
 * - CF: CFNumberGetType.
 */
RL_EXPORT RLNumberType RLNumberGetType(RLNumberRef number);

/** The size in bytes of the type that RLNumberGetType returns. CF: CFNumberGetByteSize. */
RL_EXPORT RLIndex RLNumberGetByteSize(RLNumberRef number);

/** Whether the number is stored as a floating-point number. CF: CFNumberIsFloatType. */
RL_EXPORT Boolean RLNumberIsFloatType(RLNumberRef number);

/**
 * Converts the number to a C type.
 *
 * - Parameters:
 *   - number: The number.
 *   - theType: The type of the result; an unknown one stops the process.
 *   - valuePtr: Receives the value.
 * - Returns: Whether the exact value was stored. Otherwise an approximation was: the low bits of an
 *   integer, the integer part or the nearest limit of a floating-point number.
 * - CF: CFNumberGetValue.
 */
RL_EXPORT Boolean RLNumberGetValue(RLNumberRef number, RLNumberType theType, void *valuePtr);

/**
 * Compares two numbers by their values, exactly, whatever their types. Minus zero is less than
 * zero; NaN is less than all numbers and equal to NaN.
 *
 * - Parameters:
 *   - number: The first number.
 *   - otherNumber: The second one.
 *   - context: Ignored, so that the function is an RLComparatorFunction.
 * - CF: CFNumberCompare.
 */
RL_EXPORT RLComparisonResult RLNumberCompare(RLNumberRef number, RLNumberRef otherNumber,
                                             void *context);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_number(RLNumberRef number);
/** @see rl_swift_retain_number */
RL_EXPORT void rl_swift_release_number(RLNumberRef number);
/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_boolean(RLBooleanRef boolean);
/** @see rl_swift_retain_boolean */
RL_EXPORT void rl_swift_release_boolean(RLBooleanRef boolean);

RL_EXTERN_C_END

#endif
