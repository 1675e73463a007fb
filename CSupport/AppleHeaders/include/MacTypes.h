/*
 * The types of Apple's MacTypes.h that CoreFoundation's headers do not use, and the error codes of
 * MacErrors.h. CRunLoop/RLBase.h defines the other types.
 */

#ifndef CRUNLOOP_APPLE_MACTYPES_H
#define CRUNLOOP_APPLE_MACTYPES_H
#define __MACTYPES__

#include <CRunLoop/RLBase.h>
#include <MacErrors.h>

/** An invalid identifier. This is a macro, because programs test it with #ifdef. */
#define kInvalidID 0

enum {
    /** An unknown type or creator: '????'. */
    kUnknownType = 0x3F3F3F3F,
    /** The declared length of a variable-length array at the end of a structure. */
    kVariableLengthArray = 1
};

/* --- Memory ----------------------------------------------------------------------------------- */

/** A pointer to bytes. */
typedef char *Ptr;
/** A pointer to a Ptr. */
typedef Ptr *Handle;
/** A number of bytes. */
typedef long Size;
/** An address. */
typedef void *LogicalAddress;
/** @see LogicalAddress */
typedef const void *ConstLogicalAddress;
/** A pointer to unsigned bytes. */
typedef UInt8 *BytePtr;
/** A number of bytes. */
typedef unsigned long ByteCount;
/** A distance in bytes. */
typedef unsigned long ByteOffset;
/** A number of elements. */
typedef unsigned long ItemCount;
/** A pointer to a function whose parameters are unknown. */
typedef long (*ProcPtr)(void);
/** @see ProcPtr */
typedef ProcPtr UniversalProcPtr;

/* --- Numbers ---------------------------------------------------------------------------------- */

/** A fixed-point number: 16 integer bits, 16 fraction bits. */
typedef SInt32 Fixed;
/** @see Fixed */
typedef UInt32 UnsignedFixed;
/** A fixed-point number: 2 integer bits, 30 fraction bits. */
typedef SInt32 Fract;
/** A fixed-point number: 8 integer bits, 8 fraction bits. */
typedef SInt16 ShortFixed;
/** A set of flags. */
typedef UInt32 OptionBits;
/** The version of a parameter block. */
typedef UInt32 PBVersion;
/** The type of a resource. */
typedef OSType ResType;
/** @see OSType */
typedef OSType *OSTypePtr;

/** A signed 64-bit integer as two halves. */
typedef struct wide {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    SInt32 hi;
    UInt32 lo;
#else
    UInt32 lo;
    SInt32 hi;
#endif
} wide;

/** An unsigned 64-bit integer as two halves. */
typedef struct UnsignedWide {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    UInt32 hi;
    UInt32 lo;
#else
    UInt32 lo;
    UInt32 hi;
#endif
} UnsignedWide;

/* --- Time ------------------------------------------------------------------------------------- */

/** A time of the system clock. */
typedef UnsignedWide AbsoluteTime;
/** A duration: milliseconds if positive, microseconds if negative. */
typedef SInt32 Duration;
/** A time, in units of a TimeScale. */
typedef SInt32 TimeValue;
/** The number of units per second. */
typedef SInt32 TimeScale;

enum {
    /** A Duration of 0. */
    kDurationImmediate = 0,
    /** A Duration of one millisecond. */
    kDurationMillisecond = 1,
    /** A Duration of one microsecond. */
    kDurationMicrosecond = -1,
    /** A Duration that never ends. */
    kDurationForever = 0x7FFFFFFF
};

/* --- Strings ---------------------------------------------------------------------------------- */

/** A pointer to UTF-16 code units. */
typedef UniChar *UniCharPtr;
/** @see UniCharPtr */
typedef const UniChar *ConstUniCharPtr;
/** A Pascal string of at most 15 bytes. The first byte is the length. */
typedef unsigned char Str15[16];
/** A Pascal string of at most 27 bytes. */
typedef unsigned char Str27[28];
/** A Pascal string of at most 31 bytes. */
typedef unsigned char Str31[32];
/** A Pascal string of at most 32 bytes. */
typedef unsigned char Str32[33];
/** A Pascal string of at most 63 bytes. */
typedef unsigned char Str63[64];
/** A Pascal string as a parameter. */
typedef const unsigned char *ConstStr31Param;
/** @see ConstStr31Param */
typedef const unsigned char *ConstStr63Param;

/* --- Others ----------------------------------------------------------------------------------- */

/** A point on a plane. */
typedef struct Point {
    /** The vertical coordinate, which increases downwards. */
    short v;
    /** The horizontal coordinate, which increases to the right. */
    short h;
} Point;

/** A rectangle. */
typedef struct Rect {
    /** The upper edge. */
    short top;
    /** The left edge. */
    short left;
    /** The lower edge. */
    short bottom;
    /** The right edge. */
    short right;
} Rect;

/** The number of a process. */
typedef struct ProcessSerialNumber {
    /** The upper half. */
    UInt32 highLongOfPSN;
    /** The lower half. */
    UInt32 lowLongOfPSN;
} ProcessSerialNumber;

#endif
