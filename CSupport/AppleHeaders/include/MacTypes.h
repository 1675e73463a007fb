/*
 * The types of Apple's MacTypes.h beyond those that CoreFoundation's headers use, which come from
 * CRunLoop/RLBase.h, and the numbers of errors.
 */

#ifndef CRUNLOOP_APPLE_MACTYPES_H
#define CRUNLOOP_APPLE_MACTYPES_H
#define __MACTYPES__

#include <CRunLoop/RLBase.h>
#include <MacErrors.h>

/** No identifier; a macro, as programs ask by #ifdef. */
#define kInvalidID 0

enum {
    /** A type or creator of which nothing is known: '????'. */
    kUnknownType = 0x3F3F3F3F,
    /** The length of an array at the end of a structure. */
    kVariableLengthArray = 1
};

/* --- Memory ----------------------------------------------------------------------------------- */

/** A pointer to bytes. */
typedef char *Ptr;
/** A pointer to such a pointer. */
typedef Ptr *Handle;
/** A number of bytes. */
typedef long Size;
/** An address. */
typedef void *LogicalAddress;
/** @see LogicalAddress */
typedef const void *ConstLogicalAddress;
/** A pointer to bytes without a sign. */
typedef UInt8 *BytePtr;
/** A number of bytes. */
typedef unsigned long ByteCount;
/** A distance in bytes. */
typedef unsigned long ByteOffset;
/** A number of elements. */
typedef unsigned long ItemCount;
/** A function of which nothing is known. */
typedef long (*ProcPtr)(void);
/** @see ProcPtr */
typedef ProcPtr UniversalProcPtr;

/* --- Numbers ---------------------------------------------------------------------------------- */

/** A number of 16 bits before the point and 16 after it. */
typedef SInt32 Fixed;
/** @see Fixed */
typedef UInt32 UnsignedFixed;
/** A number of 2 bits before the point and 30 after it. */
typedef SInt32 Fract;
/** A number of 8 bits before the point and 8 after it. */
typedef SInt16 ShortFixed;
/** A set of flags. */
typedef UInt32 OptionBits;
/** A version of a block of parameters. */
typedef UInt32 PBVersion;
/** The type of a resource. */
typedef OSType ResType;
/** @see OSType */
typedef OSType *OSTypePtr;

/** A number of 64 bits in two parts. */
typedef struct wide {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    SInt32 hi;
    UInt32 lo;
#else
    UInt32 lo;
    SInt32 hi;
#endif
} wide;

/** A number of 64 bits without a sign in two parts. */
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

/** A time of the system's clock. */
typedef UnsignedWide AbsoluteTime;
/** Milliseconds if positive, microseconds if negative. */
typedef SInt32 Duration;
/** A time in units of a TimeScale. */
typedef SInt32 TimeValue;
/** Units in a second. */
typedef SInt32 TimeScale;

enum {
    /** A Duration of nothing. */
    kDurationImmediate = 0,
    /** A Duration of one millisecond. */
    kDurationMillisecond = 1,
    /** A Duration of one microsecond. */
    kDurationMicrosecond = -1,
    /** A Duration without an end. */
    kDurationForever = 0x7FFFFFFF
};

/* --- Strings ---------------------------------------------------------------------------------- */

/** Code units of UTF-16. */
typedef UniChar *UniCharPtr;
/** @see UniCharPtr */
typedef const UniChar *ConstUniCharPtr;
/** Room for a string of at most 15 bytes whose first byte is its length. */
typedef unsigned char Str15[16];
/** The same for 27. */
typedef unsigned char Str27[28];
/** The same for 31. */
typedef unsigned char Str31[32];
/** The same for 32. */
typedef unsigned char Str32[33];
/** The same for 63. */
typedef unsigned char Str63[64];
/** Such a string as a parameter. */
typedef const unsigned char *ConstStr31Param;
/** @see ConstStr31Param */
typedef const unsigned char *ConstStr63Param;

/* --- Others ----------------------------------------------------------------------------------- */

/** A point on a plane. */
typedef struct Point {
    /** Downwards. */
    short v;
    /** To the right. */
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
