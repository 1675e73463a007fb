/*
 * Bytes: immutable, and mutable ones that grow.
 *
 * An immutable object may be used from any thread. A mutable one is used by one thread at a time,
 * as in CF; that too may be any thread. A range or an index that is not within the bytes, and a
 * change of an immutable object, stop the process with one line.
 */

#ifndef CRUNLOOP_RLDATA_H
#define CRUNLOOP_RLDATA_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** Bytes. CF: CFDataRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_data, rl_swift_release_data) RL_SWIFT_NAME(RLDataRef)
    RLOpaqueData {
    uintptr_t _reserved;
};

#define RLDataRef const struct RLOpaqueData *
#define RLMutableDataRef struct RLOpaqueData *
#else
/** A reference to bytes. CF: CFDataRef. */
typedef const struct __CFData *RLDataRef;
/** A reference to bytes that can be changed. CF: CFMutableDataRef. */
typedef struct __CFData *RLMutableDataRef;
#endif

/** The type number of bytes, mutable or not. CF: CFDataGetTypeID. */
RL_EXPORT RLTypeID RLDataGetTypeID(void);

/**
 * Makes an object that holds a copy of bytes.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - bytes: The bytes; may be null if `length` is 0.
 *   - length: The number of bytes; a negative number yields null.
 * - Returns: An object that the caller owns, or null.
 * - CF: CFDataCreate.
 */
RL_EXPORT RLDataRef RLDataCreate(RLAllocatorRef allocator, const UInt8 *bytes,
                                 RLIndex length) RL_RETURNS_RETAINED;

/**
 * Makes an object that refers to bytes without copying them.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - bytes: The bytes, which must not change; may be null if `length` is 0.
 *   - length: The number of bytes; a negative number yields null.
 *   - bytesDeallocator: Frees the bytes when the object is destroyed; null for the thread's default
 *     allocator. With kRLAllocatorNull they are not freed, and must outlive the object.
 * - Returns: An object that the caller owns, or null.
 * - CF: CFDataCreateWithBytesNoCopy.
 */
RL_EXPORT RLDataRef RLDataCreateWithBytesNoCopy(RLAllocatorRef allocator, const UInt8 *bytes,
                                                RLIndex length, RLAllocatorRef bytesDeallocator)
    RL_RETURNS_RETAINED;

/**
 * Returns an immutable copy, which the caller owns; for an immutable object, the object itself. CF:
 * CFDataCreateCopy.
 */
RL_EXPORT RLDataRef RLDataCreateCopy(RLAllocatorRef allocator, RLDataRef data) RL_RETURNS_RETAINED;

/**
 * Makes an empty object that can be changed.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The greatest number of bytes, or 0 for no limit. Exceeding it stops the process, as
 *     in CF. A negative number yields null.
 * - Returns: An object that the caller owns, or null.
 * - CF: CFDataCreateMutable.
 */
RL_EXPORT RLMutableDataRef RLDataCreateMutable(RLAllocatorRef allocator,
                                               RLIndex capacity) RL_RETURNS_RETAINED;

/**
 * As RLDataCreateMutable, with the initial bytes of another object. CF: CFDataCreateMutableCopy.
 */
RL_EXPORT RLMutableDataRef RLDataCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity,
                                                   RLDataRef data) RL_RETURNS_RETAINED;

/** The number of bytes. CF: CFDataGetLength. */
RL_EXPORT RLIndex RLDataGetLength(RLDataRef data);

/**
 * The bytes, valid until the object is changed or destroyed; never null.
 *
 * - CF: CFDataGetBytePtr.
 */
RL_EXPORT const UInt8 *RLDataGetBytePtr(RLDataRef data);

/**
 * As RLDataGetBytePtr, for writing; the pointer is valid for RLDataGetLength bytes.
 * CF: CFDataGetMutableBytePtr.
 */
RL_EXPORT UInt8 *RLDataGetMutableBytePtr(RLMutableDataRef data);

/** Copies the bytes of a range into a buffer, which must be large enough. CF: CFDataGetBytes. */
RL_EXPORT void RLDataGetBytes(RLDataRef data, RLRange range, UInt8 *buffer);

/** Sets the number of bytes: removes bytes at the end, or appends zeros. CF: CFDataSetLength. */
RL_EXPORT void RLDataSetLength(RLMutableDataRef data, RLIndex length);

/**
 * Appends `extraLength` zero bytes. A negative number removes as many bytes at the end; more than
 * there are, or more than a limit of RLDataCreateMutable allows, stop the process. O(n) in the
 * appended bytes, amortized. CF: CFDataIncreaseLength.
 */
RL_EXPORT void RLDataIncreaseLength(RLMutableDataRef data, RLIndex extraLength);

/**
 * Appends bytes; they may be the object's own. O(1) for a byte on average.
 *
 * - CF: CFDataAppendBytes.
 */
RL_EXPORT void RLDataAppendBytes(RLMutableDataRef data, const UInt8 *bytes, RLIndex length);

/**
 * Replaces a range by `newLength` bytes, which may be the object's own. CF: CFDataReplaceBytes.
 */
RL_EXPORT void RLDataReplaceBytes(RLMutableDataRef data, RLRange range, const UInt8 *newBytes,
                                  RLIndex newLength);

/** Removes the bytes of a range. CF: CFDataDeleteBytes. */
RL_EXPORT void RLDataDeleteBytes(RLMutableDataRef data, RLRange range);

/** Options for finding bytes. CF: CFDataSearchFlags. */
RL_OPTIONS(RLOptionFlags, RLDataSearchFlags) {
    /** Search from the end. CF: kCFDataSearchBackwards. */
    kRLDataSearchBackwards = 1,
    /**
     * Find only at the beginning of the range or, backwards, at its end. CF: kCFDataSearchAnchored.
     */
    kRLDataSearchAnchored = 2
};

/**
 * Finds the bytes of data in a range of other data. Returns a location of kRLNotFound and a length
 * of 0 if they are not there; empty data is never found.
 *
 * - Parameters:
 *   - theData: The data to search.
 *   - dataToFind: The data to find.
 *   - searchRange: The range.
 *   - compareOptions: Flags, or 0.
 * - CF: CFDataFind.
 */
RL_EXPORT RLRange RLDataFind(RLDataRef theData, RLDataRef dataToFind, RLRange searchRange,
                             RLDataSearchFlags compareOptions);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_data(RLDataRef data);
/** @see rl_swift_retain_data */
RL_EXPORT void rl_swift_release_data(RLDataRef data);

RL_EXTERN_C_END

#endif
