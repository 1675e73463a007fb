/*
 * Immutable and mutable data: bytes as an object.
 *
 * An immutable object may be used from any thread. A mutable object may be used by one thread at a
 * time, as in CF. A range or an index out of bounds, and a change of an immutable object, stop the
 * process with a message.
 */

#ifndef CRUNLOOP_RLDATA_H
#define CRUNLOOP_RLDATA_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** Data: bytes as an object. CF: CFDataRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_data, rl_swift_release_data) RL_SWIFT_NAME(RLDataRef)
    RLOpaqueData {
    uintptr_t _reserved;
};

#define RLDataRef const struct RLOpaqueData *
#define RLMutableDataRef struct RLOpaqueData *
#else
/** A reference to data. CF: CFDataRef. */
typedef const struct __CFData *RLDataRef;
/** A reference to mutable data. CF: CFMutableDataRef. */
typedef struct __CFData *RLMutableDataRef;
#endif

/** Returns the type ID of data, mutable or not. CF: CFDataGetTypeID. */
RL_EXPORT RLTypeID RLDataGetTypeID(void);

/**
 * Creates a data object with a copy of bytes.
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
 * Creates a data object that refers to bytes without copying them.
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
 * Returns an immutable copy, which the caller owns; for an immutable object, the object itself.
 * CF: CFDataCreateCopy.
 */
RL_EXPORT RLDataRef RLDataCreateCopy(RLAllocatorRef allocator, RLDataRef data) RL_RETURNS_RETAINED;

/**
 * Creates an empty mutable object.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - capacity: The greatest number of bytes, or 0 for no limit. Exceeding the limit stops the
 *     process, as in CF. A negative number yields null.
 * - Returns: An object that the caller owns, or null.
 * - CF: CFDataCreateMutable.
 */
RL_EXPORT RLMutableDataRef RLDataCreateMutable(RLAllocatorRef allocator,
                                               RLIndex capacity) RL_RETURNS_RETAINED;

/**
 * Creates a mutable object like RLDataCreateMutable, with a copy of the bytes of another object.
 * CF: CFDataCreateMutableCopy.
 */
RL_EXPORT RLMutableDataRef RLDataCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity,
                                                   RLDataRef data) RL_RETURNS_RETAINED;

/** Returns the number of bytes. CF: CFDataGetLength. */
RL_EXPORT RLIndex RLDataGetLength(RLDataRef data);

/**
 * Returns the bytes, valid until the object is changed or destroyed; never null.
 * CF: CFDataGetBytePtr.
 */
RL_EXPORT const UInt8 *RLDataGetBytePtr(RLDataRef data);

/**
 * Returns the bytes like RLDataGetBytePtr, for writing. The pointer is valid for RLDataGetLength
 * bytes. CF: CFDataGetMutableBytePtr.
 */
RL_EXPORT UInt8 *RLDataGetMutableBytePtr(RLMutableDataRef data);

/** Copies the bytes of a range into a buffer, which must be large enough. CF: CFDataGetBytes. */
RL_EXPORT void RLDataGetBytes(RLDataRef data, RLRange range, UInt8 *buffer);

/** Sets the number of bytes: removes bytes at the end, or appends zeros. CF: CFDataSetLength. */
RL_EXPORT void RLDataSetLength(RLMutableDataRef data, RLIndex length);

/**
 * Appends `extraLength` zero bytes. A negative number removes bytes at the end. Removing more bytes
 * than the object has, or exceeding the limit of RLDataCreateMutable, stops the process. Amortized
 * O(n) in the number of appended bytes. CF: CFDataIncreaseLength.
 */
RL_EXPORT void RLDataIncreaseLength(RLMutableDataRef data, RLIndex extraLength);

/**
 * Appends bytes, which may be the object's own bytes. Amortized O(1) for each byte.
 * CF: CFDataAppendBytes.
 */
RL_EXPORT void RLDataAppendBytes(RLMutableDataRef data, const UInt8 *bytes, RLIndex length);

/**
 * Replaces a range with `newLength` bytes, which may be the object's own bytes.
 * CF: CFDataReplaceBytes.
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
     * Find only at the beginning of the range or, with kRLDataSearchBackwards, at its end.
     * CF: kCFDataSearchAnchored.
     */
    kRLDataSearchAnchored = 2
};

/**
 * Finds the bytes of `dataToFind` in a range of `theData`. Returns a location of kRLNotFound and a
 * length of 0 if the bytes are not found. Empty data is never found. CF: CFDataFind.
 */
RL_EXPORT RLRange RLDataFind(RLDataRef theData, RLDataRef dataToFind, RLRange searchRange,
                             RLDataSearchFlags compareOptions);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_data(RLDataRef data);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_data(RLDataRef data);

RL_EXTERN_C_END

#endif
