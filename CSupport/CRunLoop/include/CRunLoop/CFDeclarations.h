/*
 * CF's names for Swift, for the module CFCompatibility. In C, these names are macros. The
 * declarations have the engine's symbols, so Swift's importer gives the names Apple's types, and no
 * code forwards calls. `.ci/names write` generates this file from the engine's headers.
 *
 * The umbrella header does not include this file, and the file is empty in C.
 */

#ifndef CRUNLOOP_CFDECLARATIONS_H
#define CRUNLOOP_CFDECLARATIONS_H

#if defined(__swift__)

#include <CRunLoop/CRunLoop.h>

/* Apple's importer has a separate type for pointers to Boolean. */
/** A Boolean of one byte, as in C. */
typedef struct {
    /** Nonzero if true. */
    unsigned char _value;
} CFDarwinBoolean RL_SWIFT_NAME(DarwinBoolean);

/* The generated lines may be too long for clang-format. */
/* clang-format off */
/** A date in seconds since 2001-01-01 00:00:00 UTC. */
typedef RLAbsoluteTime CFAbsoluteTime;
/** Adds a span to a date and returns the sum. */
extern RLAbsoluteTime CFAbsoluteTimeAddGregorianUnits(RLAbsoluteTime at, RLTimeZoneRef tz, RLGregorianUnits units) __asm__("RLAbsoluteTimeAddGregorianUnits");
/** Returns the current date by the wall clock. */
extern RLAbsoluteTime CFAbsoluteTimeGetCurrent(void) __asm__("RLAbsoluteTimeGetCurrent");
/** Returns the day of the week, from 1 for Monday to 7. */
extern SInt32 CFAbsoluteTimeGetDayOfWeek(RLAbsoluteTime at, RLTimeZoneRef tz) __asm__("RLAbsoluteTimeGetDayOfWeek");
/** Returns the day of the year, from 1 to 366. */
extern SInt32 CFAbsoluteTimeGetDayOfYear(RLAbsoluteTime at, RLTimeZoneRef tz) __asm__("RLAbsoluteTimeGetDayOfYear");
/** Returns the span from `at2` to `at1` in the parts of `unitFlags`. */
extern RLGregorianUnits CFAbsoluteTimeGetDifferenceAsGregorianUnits(RLAbsoluteTime at1, RLAbsoluteTime at2, RLTimeZoneRef tz, RLOptionFlags unitFlags) __asm__("RLAbsoluteTimeGetDifferenceAsGregorianUnits");
/** Returns the Gregorian date of a number of seconds since 2001. */
extern RLGregorianDate CFAbsoluteTimeGetGregorianDate(RLAbsoluteTime at, RLTimeZoneRef tz) __asm__("RLAbsoluteTimeGetGregorianDate");
/** Returns the week of the year by ISO 8601, from 1 to 53. */
extern SInt32 CFAbsoluteTimeGetWeekOfYear(RLAbsoluteTime at, RLTimeZoneRef tz) __asm__("RLAbsoluteTimeGetWeekOfYear");
/** Allocates `size` bytes. */
extern void *CFAllocatorAllocate(RLAllocatorRef allocator, RLIndex size, RLOptionFlags hint) __asm__("RLAllocatorAllocate");
/** Allocates `allocSize` bytes, at least 1. */
typedef RLAllocatorAllocateCallBack CFAllocatorAllocateCallBack;
/** The functions of an allocator. */
typedef RLAllocatorContext CFAllocatorContext;
/** Describes an allocator's info in a string that the caller owns. */
typedef RLAllocatorCopyDescriptionCallBack CFAllocatorCopyDescriptionCallBack;
/** Creates an allocator from a client's functions. */
extern RLAllocatorRef CFAllocatorCreate(RLAllocatorRef allocator, RLAllocatorContext *context) __asm__("RLAllocatorCreate") RL_RETURNS_RETAINED;
/** Frees memory that the allocator provided. */
extern void CFAllocatorDeallocate(RLAllocatorRef allocator, void *ptr) __asm__("RLAllocatorDeallocate");
/** Frees memory. */
typedef RLAllocatorDeallocateCallBack CFAllocatorDeallocateCallBack;
/** Copies the context that the allocator was created with. */
extern void CFAllocatorGetContext(RLAllocatorRef allocator, RLAllocatorContext *context) __asm__("RLAllocatorGetContext");
/** Returns the default allocator of the calling thread: kCFAllocatorSystemDefault unless CFAllocatorSetDefault has set another allocator. */
extern RLAllocatorRef CFAllocatorGetDefault(void) __asm__("RLAllocatorGetDefault") RL_RETURNS_NOT_RETAINED;
/** Returns the number of bytes, at least `size`, that an allocator would provide for `size` bytes. */
extern RLIndex CFAllocatorGetPreferredSizeForSize(RLAllocatorRef allocator, RLIndex size, RLOptionFlags hint) __asm__("RLAllocatorGetPreferredSizeForSize");
/** Returns the type ID of allocators. */
extern RLTypeID CFAllocatorGetTypeID(void) __asm__("RLAllocatorGetTypeID");
/** Returns the number of bytes, at least `size`, that the allocator would provide for `size` bytes. */
typedef RLAllocatorPreferredSizeCallBack CFAllocatorPreferredSizeCallBack;
/** Resizes memory to `newsize` bytes and keeps its contents. */
extern void *CFAllocatorReallocate(RLAllocatorRef allocator, void *ptr, RLIndex newsize, RLOptionFlags hint) __asm__("RLAllocatorReallocate");
/** Resizes memory to `newsize` bytes, at least 1, and keeps the contents of `ptr`, which is not null. */
typedef RLAllocatorReallocateCallBack CFAllocatorReallocateCallBack;
/** A reference to an allocator. */
typedef RLAllocatorRef CFAllocator;
/** Releases an allocator's info. */
typedef RLAllocatorReleaseCallBack CFAllocatorReleaseCallBack;
/** Retains an allocator's info and returns the info to store. */
typedef RLAllocatorRetainCallBack CFAllocatorRetainCallBack;
/** Sets the default allocator of the calling thread. */
extern void CFAllocatorSetDefault(RLAllocatorRef allocator) __asm__("RLAllocatorSetDefault");
/** Appends the elements of a range of another array or of the same array. */
extern void CFArrayAppendArray(RLMutableArrayRef array, RLArrayRef otherArray, RLRange otherRange) __asm__("RLArrayAppendArray");
/** Appends an element. */
extern void CFArrayAppendValue(RLMutableArrayRef array, const void *value) __asm__("RLArrayAppendValue");
/** The function that CFArrayApplyFunction calls for each element. */
typedef RLArrayApplierFunction CFArrayApplierFunction;
/** Calls a function for each element of a range, in order. */
extern void CFArrayApplyFunction(RLArrayRef array, RLRange range, RLArrayApplierFunction applier, void *context) __asm__("RLArrayApplyFunction");
/** Returns the index of the first element that is not less than `value` in a range that is sorted in ascending order. */
extern RLIndex CFArrayBSearchValues(RLArrayRef array, RLRange range, const void *value, RLComparatorFunction comparator, void *context) __asm__("RLArrayBSearchValues");
/** The callbacks of an array for its elements. */
typedef RLArrayCallBacks CFArrayCallBacks;
/** Returns whether an element of a range is equal to `value`. */
extern Boolean CFArrayContainsValue(RLArrayRef array, RLRange range, const void *value) __asm__("RLArrayContainsValue");
/** Describes an element in a string that the caller owns. */
typedef RLArrayCopyDescriptionCallBack CFArrayCopyDescriptionCallBack;
/** Creates an array. */
extern RLArrayRef CFArrayCreate(RLAllocatorRef allocator, const void **values, RLIndex count, const RLArrayCallBacks *callBacks) __asm__("RLArrayCreate") RL_RETURNS_RETAINED;
/** Returns an immutable array with the same elements and callbacks, which the caller owns. */
extern RLArrayRef CFArrayCreateCopy(RLAllocatorRef allocator, RLArrayRef array) __asm__("RLArrayCreateCopy") RL_RETURNS_RETAINED;
/** Creates an empty mutable array. */
extern RLMutableArrayRef CFArrayCreateMutable(RLAllocatorRef allocator, RLIndex capacity, const RLArrayCallBacks *callBacks) __asm__("RLArrayCreateMutable") RL_RETURNS_RETAINED;
/** Creates a mutable array like CFArrayCreateMutable, with the elements and callbacks of another array. */
extern RLMutableArrayRef CFArrayCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity, RLArrayRef array) __asm__("RLArrayCreateMutableCopy") RL_RETURNS_RETAINED;
/** Returns whether two elements are equal. */
typedef RLArrayEqualCallBack CFArrayEqualCallBack;
/** Exchanges two elements. */
extern void CFArrayExchangeValuesAtIndices(RLMutableArrayRef array, RLIndex first, RLIndex second) __asm__("RLArrayExchangeValuesAtIndices");
/** Returns the number of elements. */
extern RLIndex CFArrayGetCount(RLArrayRef array) __asm__("RLArrayGetCount");
/** Returns the number of elements of a range that are equal to `value`. */
extern RLIndex CFArrayGetCountOfValue(RLArrayRef array, RLRange range, const void *value) __asm__("RLArrayGetCountOfValue");
/** Returns the index of the first element of a range that is equal to `value`, or kCFNotFound. */
extern RLIndex CFArrayGetFirstIndexOfValue(RLArrayRef array, RLRange range, const void *value) __asm__("RLArrayGetFirstIndexOfValue");
/** Returns the index of the last element of a range that is equal to `value`, or kCFNotFound. */
extern RLIndex CFArrayGetLastIndexOfValue(RLArrayRef array, RLRange range, const void *value) __asm__("RLArrayGetLastIndexOfValue");
/** Returns the type ID of arrays, mutable or not. */
extern RLTypeID CFArrayGetTypeID(void) __asm__("RLArrayGetTypeID");
/** Returns the element at `index`, not retained. */
extern const void *CFArrayGetValueAtIndex(RLArrayRef array, RLIndex index) __asm__("RLArrayGetValueAtIndex");
/** Copies the elements of a range to `values`, which must be large enough. */
extern void CFArrayGetValues(RLArrayRef array, RLRange range, const void **values) __asm__("RLArrayGetValues");
/** Inserts an element before the element at `index`, or at the end if `index` is the count. */
extern void CFArrayInsertValueAtIndex(RLMutableArrayRef array, RLIndex index, const void *value) __asm__("RLArrayInsertValueAtIndex");
/** A reference to an array. */
typedef RLArrayRef CFArray;
/** Releases an element. */
typedef RLArrayReleaseCallBack CFArrayReleaseCallBack;
/** Removes all elements. */
extern void CFArrayRemoveAllValues(RLMutableArrayRef array) __asm__("RLArrayRemoveAllValues");
/** Removes the element at `index`. */
extern void CFArrayRemoveValueAtIndex(RLMutableArrayRef array, RLIndex index) __asm__("RLArrayRemoveValueAtIndex");
/** Replaces the elements of a range with `newCount` other elements. */
extern void CFArrayReplaceValues(RLMutableArrayRef array, RLRange range, const void **newValues, RLIndex newCount) __asm__("RLArrayReplaceValues");
/** Retains an element and returns the pointer to store. */
typedef RLArrayRetainCallBack CFArrayRetainCallBack;
/** Replaces the element at `index`, or appends an element if `index` is the count. */
extern void CFArraySetValueAtIndex(RLMutableArrayRef array, RLIndex index, const void *value) __asm__("RLArraySetValueAtIndex");
/** Sorts the elements of a range into ascending order. */
extern void CFArraySortValues(RLMutableArrayRef array, RLRange range, RLComparatorFunction comparator, void *context) __asm__("RLArraySortValues");
/** Returns the type ID of Booleans. */
extern RLTypeID CFBooleanGetTypeID(void) __asm__("RLBooleanGetTypeID");
/** Returns whether the object is kCFBooleanTrue. */
extern Boolean CFBooleanGetValue(RLBooleanRef boolean) __asm__("RLBooleanGetValue");
/** A reference to a Boolean. */
typedef RLBooleanRef CFBoolean;
/** Compares two values. */
typedef RLComparatorFunction CFComparatorFunction;
/** The order of two values. */
typedef RLComparisonResult CFComparisonResult;
/** Returns the name of a type, such as `CFString`, in a string that the caller owns. */
extern RLStringRef CFCopyTypeIDDescription(RLTypeID typeID) __asm__("RLCopyTypeIDDescription") RL_RETURNS_RETAINED;
/** Appends bytes, which may be the object's own bytes. */
extern void CFDataAppendBytes(RLMutableDataRef data, const UInt8 *bytes, RLIndex length) __asm__("RLDataAppendBytes");
/** Creates a data object with a copy of bytes. */
extern RLDataRef CFDataCreate(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex length) __asm__("RLDataCreate") RL_RETURNS_RETAINED;
/** Returns an immutable copy, which the caller owns. */
extern RLDataRef CFDataCreateCopy(RLAllocatorRef allocator, RLDataRef data) __asm__("RLDataCreateCopy") RL_RETURNS_RETAINED;
/** Creates an empty mutable object. */
extern RLMutableDataRef CFDataCreateMutable(RLAllocatorRef allocator, RLIndex capacity) __asm__("RLDataCreateMutable") RL_RETURNS_RETAINED;
/** Creates a mutable object like CFDataCreateMutable, with a copy of the bytes of another object. */
extern RLMutableDataRef CFDataCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity, RLDataRef data) __asm__("RLDataCreateMutableCopy") RL_RETURNS_RETAINED;
/** Creates a data object that refers to bytes without copying them. */
extern RLDataRef CFDataCreateWithBytesNoCopy(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex length, RLAllocatorRef bytesDeallocator) __asm__("RLDataCreateWithBytesNoCopy") RL_RETURNS_RETAINED;
/** Removes the bytes of a range. */
extern void CFDataDeleteBytes(RLMutableDataRef data, RLRange range) __asm__("RLDataDeleteBytes");
/** Finds the bytes of `dataToFind` in a range of `theData`. */
extern RLRange CFDataFind(RLDataRef theData, RLDataRef dataToFind, RLRange searchRange, RLDataSearchFlags compareOptions) __asm__("RLDataFind");
/** Returns the bytes, valid until the object is changed or destroyed. */
extern const UInt8 *CFDataGetBytePtr(RLDataRef data) __asm__("RLDataGetBytePtr");
/** Copies the bytes of a range into a buffer, which must be large enough. */
extern void CFDataGetBytes(RLDataRef data, RLRange range, UInt8 *buffer) __asm__("RLDataGetBytes");
/** Returns the number of bytes. */
extern RLIndex CFDataGetLength(RLDataRef data) __asm__("RLDataGetLength");
/** Returns the bytes like CFDataGetBytePtr, for writing. */
extern UInt8 *CFDataGetMutableBytePtr(RLMutableDataRef data) __asm__("RLDataGetMutableBytePtr");
/** Returns the type ID of data, mutable or not. */
extern RLTypeID CFDataGetTypeID(void) __asm__("RLDataGetTypeID");
/** Appends `extraLength` zero bytes. */
extern void CFDataIncreaseLength(RLMutableDataRef data, RLIndex extraLength) __asm__("RLDataIncreaseLength");
/** A reference to data. */
typedef RLDataRef CFData;
/** Replaces a range with `newLength` bytes, which may be the object's own bytes. */
extern void CFDataReplaceBytes(RLMutableDataRef data, RLRange range, const UInt8 *newBytes, RLIndex newLength) __asm__("RLDataReplaceBytes");
/** Options for finding bytes. */
typedef RLDataSearchFlags CFDataSearchFlags;
/** Sets the number of bytes: removes bytes at the end, or appends zeros. */
extern void CFDataSetLength(RLMutableDataRef data, RLIndex length) __asm__("RLDataSetLength");
/** Compares two dates. */
extern RLComparisonResult CFDateCompare(RLDateRef theDate, RLDateRef otherDate, void *context) __asm__("RLDateCompare");
/** Creates a date that the caller owns. */
extern RLDateRef CFDateCreate(RLAllocatorRef allocator, RLAbsoluteTime at) __asm__("RLDateCreate") RL_RETURNS_RETAINED;
/** Returns the seconds of a date since 2001-01-01 00:00:00 UTC. */
extern RLAbsoluteTime CFDateGetAbsoluteTime(RLDateRef theDate) __asm__("RLDateGetAbsoluteTime");
/** Returns the seconds from `otherDate` to `theDate`. */
extern RLTimeInterval CFDateGetTimeIntervalSinceDate(RLDateRef theDate, RLDateRef otherDate) __asm__("RLDateGetTimeIntervalSinceDate");
/** Returns the type ID of dates. */
extern RLTypeID CFDateGetTypeID(void) __asm__("RLDateGetTypeID");
/** A reference to a date. */
typedef RLDateRef CFDate;
/** Adds an entry, unless the dictionary has the key. */
extern void CFDictionaryAddValue(RLMutableDictionaryRef dictionary, const void *key, const void *value) __asm__("RLDictionaryAddValue");
/** The function that CFDictionaryApplyFunction calls for each entry. */
typedef RLDictionaryApplierFunction CFDictionaryApplierFunction;
/** Calls a function, which must not change the dictionary, for each entry. */
extern void CFDictionaryApplyFunction(RLDictionaryRef dictionary, RLDictionaryApplierFunction applier, void *context) __asm__("RLDictionaryApplyFunction");
/** Returns whether there is a key equal to `key`. */
extern Boolean CFDictionaryContainsKey(RLDictionaryRef dictionary, const void *key) __asm__("RLDictionaryContainsKey");
/** Returns whether there is a value equal to `value`. */
extern Boolean CFDictionaryContainsValue(RLDictionaryRef dictionary, const void *value) __asm__("RLDictionaryContainsValue");
/** Describes a key or a value in a string that the caller owns. */
typedef RLDictionaryCopyDescriptionCallBack CFDictionaryCopyDescriptionCallBack;
/** Creates a dictionary. */
extern RLDictionaryRef CFDictionaryCreate(RLAllocatorRef allocator, const void **keys, const void **values, RLIndex count, const RLDictionaryKeyCallBacks *keyCallBacks, const RLDictionaryValueCallBacks *valueCallBacks) __asm__("RLDictionaryCreate") RL_RETURNS_RETAINED;
/** Returns an immutable dictionary with the same entries and callbacks, which the caller owns. */
extern RLDictionaryRef CFDictionaryCreateCopy(RLAllocatorRef allocator, RLDictionaryRef dictionary) __asm__("RLDictionaryCreateCopy") RL_RETURNS_RETAINED;
/** Creates an empty mutable dictionary. */
extern RLMutableDictionaryRef CFDictionaryCreateMutable( RLAllocatorRef allocator, RLIndex capacity, const RLDictionaryKeyCallBacks *keyCallBacks, const RLDictionaryValueCallBacks *valueCallBacks) __asm__("RLDictionaryCreateMutable") RL_RETURNS_RETAINED;
/** Creates a mutable dictionary like CFDictionaryCreateMutable, with the entries and callbacks of another dictionary. */
extern RLMutableDictionaryRef CFDictionaryCreateMutableCopy( RLAllocatorRef allocator, RLIndex capacity, RLDictionaryRef dictionary) __asm__("RLDictionaryCreateMutableCopy") RL_RETURNS_RETAINED;
/** Returns whether two keys, or two values, are equal. */
typedef RLDictionaryEqualCallBack CFDictionaryEqualCallBack;
/** Returns the number of entries. */
extern RLIndex CFDictionaryGetCount(RLDictionaryRef dictionary) __asm__("RLDictionaryGetCount");
/** Returns 1 if there is a key equal to `key`, otherwise 0. */
extern RLIndex CFDictionaryGetCountOfKey(RLDictionaryRef dictionary, const void *key) __asm__("RLDictionaryGetCountOfKey");
/** Returns the number of values that are equal to `value`. */
extern RLIndex CFDictionaryGetCountOfValue(RLDictionaryRef dictionary, const void *value) __asm__("RLDictionaryGetCountOfValue");
/** Returns whether there is a key equal to `key`. */
extern Boolean CFDictionaryGetKeyIfPresent(RLDictionaryRef dictionary, const void *key, const void **actualKey) __asm__("RLDictionaryGetKeyIfPresent");
/** Copies all keys to `keys` and all values to `values`, in the same order. */
extern void CFDictionaryGetKeysAndValues(RLDictionaryRef dictionary, const void **keys, const void **values) __asm__("RLDictionaryGetKeysAndValues");
/** Returns the type ID of dictionaries, mutable or not. */
extern RLTypeID CFDictionaryGetTypeID(void) __asm__("RLDictionaryGetTypeID");
/** Returns the value of a key, not retained, or null if there is no such key. */
extern const void *CFDictionaryGetValue(RLDictionaryRef dictionary, const void *key) __asm__("RLDictionaryGetValue");
/** Returns whether there is a key equal to `key`. */
extern Boolean CFDictionaryGetValueIfPresent(RLDictionaryRef dictionary, const void *key, const void **value) __asm__("RLDictionaryGetValueIfPresent");
/** Returns the hash of a key. */
typedef RLDictionaryHashCallBack CFDictionaryHashCallBack;
/** The callbacks of a dictionary for its keys. */
typedef RLDictionaryKeyCallBacks CFDictionaryKeyCallBacks;
/** A reference to a dictionary. */
typedef RLDictionaryRef CFDictionary;
/** Releases a key or a value. */
typedef RLDictionaryReleaseCallBack CFDictionaryReleaseCallBack;
/** Removes all entries. */
extern void CFDictionaryRemoveAllValues(RLMutableDictionaryRef dictionary) __asm__("RLDictionaryRemoveAllValues");
/** Removes the entry of a key, if there is one. */
extern void CFDictionaryRemoveValue(RLMutableDictionaryRef dictionary, const void *key) __asm__("RLDictionaryRemoveValue");
/** Replaces the key and value of an existing entry. */
extern void CFDictionaryReplaceValue(RLMutableDictionaryRef dictionary, const void *key, const void *value) __asm__("RLDictionaryReplaceValue");
/** Retains a key or a value and returns the pointer to store. */
typedef RLDictionaryRetainCallBack CFDictionaryRetainCallBack;
/** Adds an entry, or replaces the key and value of the existing entry. */
extern void CFDictionarySetValue(RLMutableDictionaryRef dictionary, const void *key, const void *value) __asm__("RLDictionarySetValue");
/** The callbacks of a dictionary for its values. */
typedef RLDictionaryValueCallBacks CFDictionaryValueCallBacks;
/** Returns a description of the error for the user. */
extern RLStringRef CFErrorCopyDescription(RLErrorRef err) __asm__("RLErrorCopyDescription") RL_RETURNS_RETAINED;
/** Returns the reason of the failure. */
extern RLStringRef CFErrorCopyFailureReason(RLErrorRef err) __asm__("RLErrorCopyFailureReason") RL_RETURNS_RETAINED;
/** Returns the recovery suggestion. */
extern RLStringRef CFErrorCopyRecoverySuggestion(RLErrorRef err) __asm__("RLErrorCopyRecoverySuggestion") RL_RETURNS_RETAINED;
/** Returns the user info, which may be empty. */
extern RLDictionaryRef CFErrorCopyUserInfo(RLErrorRef err) __asm__("RLErrorCopyUserInfo") RL_RETURNS_RETAINED;
/** Creates an error. */
extern RLErrorRef CFErrorCreate(RLAllocatorRef allocator, RLErrorDomain domain, RLIndex code, RLDictionaryRef userInfo) __asm__("RLErrorCreate") RL_RETURNS_RETAINED;
/** Creates an error like CFErrorCreate, with the user info in two lists: the keys are strings, and the values are objects. */
extern RLErrorRef CFErrorCreateWithUserInfoKeysAndValues( RLAllocatorRef allocator, RLErrorDomain domain, RLIndex code, const void *const *userInfoKeys, const void *const *userInfoValues, RLIndex numUserInfoValues) __asm__("RLErrorCreateWithUserInfoKeysAndValues") RL_RETURNS_RETAINED;
/** The name of a domain of error codes. */
typedef RLErrorDomain CFErrorDomain;
/** Returns the code of an error. */
extern RLIndex CFErrorGetCode(RLErrorRef err) __asm__("RLErrorGetCode");
/** Returns the domain of an error, not retained. */
extern RLErrorDomain CFErrorGetDomain(RLErrorRef err) __asm__("RLErrorGetDomain") RL_RETURNS_NOT_RETAINED;
/** Returns the type ID of errors. */
extern RLTypeID CFErrorGetTypeID(void) __asm__("RLErrorGetTypeID");
/** A reference to an error. */
typedef RLErrorRef CFError;
/** The callback of a descriptor. */
typedef RLFileDescriptorCallBack CFFileDescriptorCallBack;
/** The client data of a descriptor. */
typedef RLFileDescriptorContext CFFileDescriptorContext;
/** Creates an object for a descriptor, with no callback enabled. */
extern RLFileDescriptorRef CFFileDescriptorCreate(RLAllocatorRef allocator, RLFileDescriptorNativeDescriptor descriptor, Boolean closeOnInvalidate, RLFileDescriptorCallBack callout, const RLFileDescriptorContext *context) __asm__("RLFileDescriptorCreate") RL_RETURNS_RETAINED;
/** Returns the run loop source of the object: a version-2 source that the caller owns, or null if the object is invalid. */
extern RLRunLoopSourceRef CFFileDescriptorCreateRunLoopSource(RLAllocatorRef allocator, RLFileDescriptorRef descriptor, RLIndex order) __asm__("RLFileDescriptorCreateRunLoopSource") RL_RETURNS_RETAINED;
/** Disables callbacks that were enabled. */
extern void CFFileDescriptorDisableCallBacks(RLFileDescriptorRef descriptor, RLOptionFlags callBackTypes) __asm__("RLFileDescriptorDisableCallBacks");
/** Enables types of callbacks, each for one call. */
extern void CFFileDescriptorEnableCallBacks(RLFileDescriptorRef descriptor, RLOptionFlags callBackTypes) __asm__("RLFileDescriptorEnableCallBacks");
/** Copies the client data and the version to `context`, which must not be null. */
extern void CFFileDescriptorGetContext(RLFileDescriptorRef descriptor, RLFileDescriptorContext *context) __asm__("RLFileDescriptorGetContext");
/** Returns the descriptor. */
extern RLFileDescriptorNativeDescriptor CFFileDescriptorGetNativeDescriptor(RLFileDescriptorRef descriptor) __asm__("RLFileDescriptorGetNativeDescriptor");
/** Returns the type ID of descriptors. */
extern RLTypeID CFFileDescriptorGetTypeID(void) __asm__("RLFileDescriptorGetTypeID");
/** Invalidates the object permanently: invalidates its source, closes the descriptor if `closeOnInvalidate` was set, releases the info, and wakes the loops that its source was in. */
extern void CFFileDescriptorInvalidate(RLFileDescriptorRef descriptor) __asm__("RLFileDescriptorInvalidate");
/** Returns whether the object is valid: false after an invalidation. */
extern Boolean CFFileDescriptorIsValid(RLFileDescriptorRef descriptor) __asm__("RLFileDescriptorIsValid");
/** The system's type of a descriptor. */
typedef RLFileDescriptorNativeDescriptor CFFileDescriptorNativeDescriptor;
/** A reference to a descriptor with callbacks. */
typedef RLFileDescriptorRef CFFileDescriptor;
/** A date of the Gregorian calendar, which is extended to all earlier dates. */
typedef RLGregorianDate CFGregorianDate;
/** Returns the seconds since 2001 of a Gregorian date. */
extern RLAbsoluteTime CFGregorianDateGetAbsoluteTime(RLGregorianDate gdate, RLTimeZoneRef tz) __asm__("RLGregorianDateGetAbsoluteTime");
/** Returns whether the parts of a date in `unitFlags` are valid and the year is greater than 0. */
extern Boolean CFGregorianDateIsValid(RLGregorianDate gdate, RLOptionFlags unitFlags) __asm__("RLGregorianDateIsValid");
/** The parts of dates and spans. */
typedef RLGregorianUnitFlags CFGregorianUnitFlags;
/** A span of time. */
typedef RLGregorianUnits CFGregorianUnits;
/** A hash value of pointer size. */
typedef RLHashCode CFHashCode;
/** Cancels the current resolution if its kind is `info`: a blocking call fails, and the client is not called. */
extern void CFHostCancelInfoResolution(RLHostRef theHost, RLHostInfoType info) __asm__("RLHostCancelInfoResolution");
/** The callback of a host, called when a resolution of `typeInfo` has ended, unless the resolution was canceled. */
typedef RLHostClientCallBack CFHostClientCallBack;
/** The client data of a host. */
typedef RLHostClientContext CFHostClientContext;
/** Creates a copy of a host with its resolved information, without its client. */
extern RLHostRef CFHostCreateCopy(RLAllocatorRef alloc, RLHostRef host) __asm__("RLHostCreateCopy") RL_RETURNS_RETAINED;
/** Creates a host, which the caller owns, from a sockaddr_in or sockaddr_in6. */
extern RLHostRef CFHostCreateWithAddress(RLAllocatorRef allocator, RLDataRef addr) __asm__("RLHostCreateWithAddress") RL_RETURNS_RETAINED;
/** Creates a host from a name, or from a numeric address as text. */
extern RLHostRef CFHostCreateWithName(RLAllocatorRef allocator, RLStringRef hostname) __asm__("RLHostCreateWithName") RL_RETURNS_RETAINED;
/** Returns the addresses of a host as an array of data, each a sockaddr with port 0, valid until the next resolution of addresses ends. */
extern RLArrayRef CFHostGetAddressing(RLHostRef theHost, Boolean *hasBeenResolved) __asm__("RLHostGetAddressing") RL_RETURNS_NOT_RETAINED RL_SWIFT_SECOND_CHOICE;
/** Returns the addresses of a host as an array of data, each a sockaddr with port 0, valid until the next resolution of addresses ends. */
extern RLArrayRef CFHostGetAddressingWithDarwinBoolean(RLHostRef theHost, CFDarwinBoolean *hasBeenResolved) __asm__("RLHostGetAddressing") RL_RETURNS_NOT_RETAINED RL_SWIFT_NAME(CFHostGetAddressing(_:_:));
/** Returns the names of a host as an array of strings. */
extern RLArrayRef CFHostGetNames(RLHostRef theHost, Boolean *hasBeenResolved) __asm__("RLHostGetNames") RL_RETURNS_NOT_RETAINED RL_SWIFT_SECOND_CHOICE;
/** Returns the names of a host as an array of strings. */
extern RLArrayRef CFHostGetNamesWithDarwinBoolean(RLHostRef theHost, CFDarwinBoolean *hasBeenResolved) __asm__("RLHostGetNames") RL_RETURNS_NOT_RETAINED RL_SWIFT_NAME(CFHostGetNames(_:_:));
/** Returns the type ID of hosts. */
extern RLTypeID CFHostGetTypeID(void) __asm__("RLHostGetTypeID");
/** The kinds of information about a host. */
typedef RLHostInfoType CFHostInfoType;
/** A reference to a host. */
typedef RLHostRef CFHost;
/** Schedules the host in a mode of a loop, in addition to other modes. */
extern void CFHostScheduleWithRunLoop(RLHostRef theHost, RLRunLoopRef runLoop, RLStringRef runLoopMode) __asm__("RLHostScheduleWithRunLoop");
/** Sets the client, which is called at the end of resolutions. */
extern Boolean CFHostSetClient(RLHostRef theHost, RLHostClientCallBack clientCB, RLHostClientContext *clientContext) __asm__("RLHostSetClient");
/** Resolves the names or addresses of a host: in the background if the host has a client, otherwise before the call returns. */
extern Boolean CFHostStartInfoResolution(RLHostRef theHost, RLHostInfoType info, RLStreamError *error) __asm__("RLHostStartInfoResolution");
/** Unschedules the host from a mode of a loop. */
extern void CFHostUnscheduleFromRunLoop(RLHostRef theHost, RLRunLoopRef runLoop, RLStringRef runLoopMode) __asm__("RLHostUnscheduleFromRunLoop");
/** A signed count or index of pointer size. */
typedef RLIndex CFIndex;
/** A locale. */
typedef RLLocaleRef CFLocale;
/** Writes a message like CFLog, without format specifiers. */
extern void CFLog1(RLLogLevel level, RLStringRef message) __asm__("RLLog1");
/** The importance of a message. */
typedef RLLogLevel CFLogLevel;
/** Receives a message, on the thread of the loop that serves the port. */
typedef RLMachPortCallBack CFMachPortCallBack;
/** The client data of a port. */
typedef RLMachPortContext CFMachPortContext;
/** Creates a port with a receiving and a sending end. */
extern RLMachPortRef CFMachPortCreate(RLAllocatorRef allocator, RLMachPortCallBack callout, const RLMachPortContext *context, Boolean *shouldFreeInfo) __asm__("RLMachPortCreate") RL_RETURNS_RETAINED RL_SWIFT_SECOND_CHOICE;
/** Creates a port with a receiving and a sending end. */
extern RLMachPortRef CFMachPortCreateWithDarwinBoolean(RLAllocatorRef allocator, RLMachPortCallBack callout, const RLMachPortContext *context, CFDarwinBoolean *shouldFreeInfo) __asm__("RLMachPortCreate") RL_RETURNS_RETAINED RL_SWIFT_NAME(CFMachPortCreate(_:_:_:_:));
/** Returns the run loop source of the port: a version-2 source that the caller owns, or null if the port is invalid. */
extern RLRunLoopSourceRef CFMachPortCreateRunLoopSource(RLAllocatorRef allocator, RLMachPortRef port, RLIndex order) __asm__("RLMachPortCreateRunLoopSource") RL_RETURNS_RETAINED;
/** Creates a port that receives from a descriptor. */
extern RLMachPortRef CFMachPortCreateWithPort(RLAllocatorRef allocator, RLMachPortName port, RLMachPortCallBack callout, const RLMachPortContext *context, Boolean *shouldFreeInfo) __asm__("RLMachPortCreateWithPort") RL_RETURNS_RETAINED RL_SWIFT_SECOND_CHOICE;
/** Creates a port that receives from a descriptor. */
extern RLMachPortRef CFMachPortCreateWithPortWithDarwinBoolean(RLAllocatorRef allocator, RLMachPortName port, RLMachPortCallBack callout, const RLMachPortContext *context, CFDarwinBoolean *shouldFreeInfo) __asm__("RLMachPortCreateWithPort") RL_RETURNS_RETAINED RL_SWIFT_NAME(CFMachPortCreateWithPort(_:_:_:_:_:));
/** Copies the client data and the version to `context`, which must not be null. */
extern void CFMachPortGetContext(RLMachPortRef port, RLMachPortContext *context) __asm__("RLMachPortGetContext");
/** Returns the invalidation callback, or null. */
extern RLMachPortInvalidationCallBack CFMachPortGetInvalidationCallBack(RLMachPortRef port) __asm__("RLMachPortGetInvalidationCallBack");
/** Returns the descriptor to send to. */
extern RLMachPortName CFMachPortGetPort(RLMachPortRef port) __asm__("RLMachPortGetPort");
/** Returns the type ID of Mach ports. */
extern RLTypeID CFMachPortGetTypeID(void) __asm__("RLMachPortGetTypeID");
/** Invalidates the port permanently: calls the invalidation callback, invalidates the source, closes the receiving end if the port created it, and releases the info. */
extern void CFMachPortInvalidate(RLMachPortRef port) __asm__("RLMachPortInvalidate");
/** Called once, when the port has become invalid. */
typedef RLMachPortInvalidationCallBack CFMachPortInvalidationCallBack;
/** Returns whether the port can receive. */
extern Boolean CFMachPortIsValid(RLMachPortRef port) __asm__("RLMachPortIsValid");
/** A reference to a Mach port. */
typedef RLMachPortRef CFMachPort;
/** Sets the invalidation callback, which is called when the port has become invalid. */
extern void CFMachPortSetInvalidationCallBack(RLMachPortRef port, RLMachPortInvalidationCallBack callout) __asm__("RLMachPortSetInvalidationCallBack");
/** Receives a message and returns the reply, which the port releases, or null for an empty reply. */
typedef RLMessagePortCallBack CFMessagePortCallBack;
/** The client data of a local port. */
typedef RLMessagePortContext CFMessagePortContext;
/** Creates a local port, which receives, or returns this process's existing local port of the name. */
extern RLMessagePortRef CFMessagePortCreateLocal(RLAllocatorRef allocator, RLStringRef name, RLMessagePortCallBack callback, RLMessagePortContext *context, Boolean *shouldFreeInfo) __asm__("RLMessagePortCreateLocal") RL_RETURNS_RETAINED RL_SWIFT_SECOND_CHOICE;
/** Creates a local port, which receives, or returns this process's existing local port of the name. */
extern RLMessagePortRef CFMessagePortCreateLocalWithDarwinBoolean(RLAllocatorRef allocator, RLStringRef name, RLMessagePortCallBack callback, RLMessagePortContext *context, CFDarwinBoolean *shouldFreeInfo) __asm__("RLMessagePortCreateLocal") RL_RETURNS_RETAINED RL_SWIFT_NAME(CFMessagePortCreateLocal(_:_:_:_:_:));
/** Creates a remote port, which sends, or returns this process's existing remote port of the name. */
extern RLMessagePortRef CFMessagePortCreateRemote(RLAllocatorRef allocator, RLStringRef name) __asm__("RLMessagePortCreateRemote") RL_RETURNS_RETAINED;
/** Returns the run loop source of a local port: a version-2 source that the caller owns, or null for a remote or invalid port. */
extern RLRunLoopSourceRef CFMessagePortCreateRunLoopSource(RLAllocatorRef allocator, RLMessagePortRef local, RLIndex order) __asm__("RLMessagePortCreateRunLoopSource") RL_RETURNS_RETAINED;
/** Copies the context. */
extern void CFMessagePortGetContext(RLMessagePortRef port, RLMessagePortContext *context) __asm__("RLMessagePortGetContext");
/** Returns the invalidation callback, or null. */
extern RLMessagePortInvalidationCallBack CFMessagePortGetInvalidationCallBack(RLMessagePortRef port) __asm__("RLMessagePortGetInvalidationCallBack");
/** Returns the name, valid until the port is destroyed or renamed. */
extern RLStringRef CFMessagePortGetName(RLMessagePortRef port) __asm__("RLMessagePortGetName") RL_RETURNS_NOT_RETAINED;
/** Returns the type ID of message ports. */
extern RLTypeID CFMessagePortGetTypeID(void) __asm__("RLMessagePortGetTypeID");
/** Invalidates the port permanently: frees its name, calls its invalidation callback on the calling thread, releases its context, invalidates its source and closes its connections, in this order. */
extern void CFMessagePortInvalidate(RLMessagePortRef port) __asm__("RLMessagePortInvalidate");
/** Called once, when the port has become invalid. */
typedef RLMessagePortInvalidationCallBack CFMessagePortInvalidationCallBack;
/** Returns whether the port is a remote port. */
extern Boolean CFMessagePortIsRemote(RLMessagePortRef port) __asm__("RLMessagePortIsRemote");
/** Returns whether the port is valid. */
extern Boolean CFMessagePortIsValid(RLMessagePortRef port) __asm__("RLMessagePortIsValid");
/** A reference to a message port. */
typedef RLMessagePortRef CFMessagePort;
/** Sends a message, and waits for the reply if `replyMode` is not null. */
extern SInt32 CFMessagePortSendRequest(RLMessagePortRef remote, SInt32 messageID, RLDataRef data, RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout, RLStringRef replyMode, RLDataRef *returnData) __asm__("RLMessagePortSendRequest") RL_SWIFT_BLOCKING;
/** Sets the invalidation callback, which is called when the port becomes invalid. */
extern void CFMessagePortSetInvalidationCallBack(RLMessagePortRef port, RLMessagePortInvalidationCallBack callback) __asm__("RLMessagePortSetInvalidationCallBack");
/** Renames a local port. */
extern Boolean CFMessagePortSetName(RLMessagePortRef port, RLStringRef name) __asm__("RLMessagePortSetName");
/** The callback of an observer, called with a notification. */
typedef RLNotificationCallback CFNotificationCallback;
/** Adds an observer. */
extern void CFNotificationCenterAddObserver(RLNotificationCenterRef center, const void *observer, RLNotificationCallback callBack, RLStringRef name, const void *object, RLNotificationSuspensionBehavior suspensionBehavior) __asm__("RLNotificationCenterAddObserver");
/** Returns Darwin's center, for the processes of the user. */
extern RLNotificationCenterRef CFNotificationCenterGetDarwinNotifyCenter(void) __asm__("RLNotificationCenterGetDarwinNotifyCenter") RL_RETURNS_NOT_RETAINED;
/** Returns the distributed center, for the processes of the user. */
extern RLNotificationCenterRef CFNotificationCenterGetDistributedCenter(void) __asm__("RLNotificationCenterGetDistributedCenter") RL_RETURNS_NOT_RETAINED;
/** Returns the local center, for the code of this process. */
extern RLNotificationCenterRef CFNotificationCenterGetLocalCenter(void) __asm__("RLNotificationCenterGetLocalCenter") RL_RETURNS_NOT_RETAINED;
/** Returns the type ID of notification centers. */
extern RLTypeID CFNotificationCenterGetTypeID(void) __asm__("RLNotificationCenterGetTypeID");
/** A reference to a notification center. */
typedef RLNotificationCenterRef CFNotificationCenter;
/** Removes all registrations of an observer. */
extern void CFNotificationCenterRemoveEveryObserver(RLNotificationCenterRef center, const void *observer) __asm__("RLNotificationCenterRemoveEveryObserver");
/** The behavior of an observer while the distributed center is suspended. */
typedef RLNotificationSuspensionBehavior CFNotificationSuspensionBehavior;
/** Returns the type ID of kCFNull. */
extern RLTypeID CFNullGetTypeID(void) __asm__("RLNullGetTypeID");
/** A reference to the null object. */
typedef RLNullRef CFNull;
/** Compares two numbers by their values, exactly, whatever their types. */
extern RLComparisonResult CFNumberCompare(RLNumberRef number, RLNumberRef otherNumber, void *context) __asm__("RLNumberCompare");
/** Creates a number, which the caller owns, from a copy of the value at `valuePtr`. */
extern RLNumberRef CFNumberCreate(RLAllocatorRef allocator, RLNumberType theType, const void *valuePtr) __asm__("RLNumberCreate") RL_RETURNS_RETAINED;
/** Returns the size in bytes of the type that CFNumberGetType returns. */
extern RLIndex CFNumberGetByteSize(RLNumberRef number) __asm__("RLNumberGetByteSize");
/** Returns the type in which the value is stored: one of the first six types, which have a fixed size. */
extern RLNumberType CFNumberGetType(RLNumberRef number) __asm__("RLNumberGetType");
/** Returns the type ID of numbers. */
extern RLTypeID CFNumberGetTypeID(void) __asm__("RLNumberGetTypeID");
/** Converts the number to a C type, and stores it at `valuePtr`. */
extern Boolean CFNumberGetValue(RLNumberRef number, RLNumberType theType, void *valuePtr) __asm__("RLNumberGetValue");
/** Returns whether the number is stored as a floating-point number. */
extern Boolean CFNumberIsFloatType(RLNumberRef number) __asm__("RLNumberIsFloatType");
/** A reference to a number. */
typedef RLNumberRef CFNumber;
/** The C type of a number. */
typedef RLNumberType CFNumberType;
/** A set of flags of pointer size. */
typedef RLOptionFlags CFOptionFlags;
/** A range of indices, which begin at 0. */
typedef RLRange CFRange;
/** The callback of a read stream, called with one event at a time. */
typedef RLReadStreamClientCallBack CFReadStreamClientCallBack;
/** Closes the stream, removes it from all loops, and ends its events. */
extern void CFReadStreamClose(RLReadStreamRef stream) __asm__("RLReadStreamClose");
/** Returns the error with which the stream failed, or null if the stream did not fail. */
extern RLErrorRef CFReadStreamCopyError(RLReadStreamRef stream) __asm__("RLReadStreamCopyError") RL_RETURNS_RETAINED;
/** Creates a stream that reads bytes in memory. */
extern RLReadStreamRef CFReadStreamCreateWithBytesNoCopy(RLAllocatorRef alloc, const UInt8 *bytes, RLIndex length, RLAllocatorRef bytesDeallocator) __asm__("RLReadStreamCreateWithBytesNoCopy") RL_RETURNS_RETAINED;
/** Creates a stream that reads the file of a URL. */
extern RLReadStreamRef CFReadStreamCreateWithFile(RLAllocatorRef alloc, RLURLRef fileURL) __asm__("RLReadStreamCreateWithFile") RL_RETURNS_RETAINED;
/** Reads bytes without copying them, if the stream reads bytes in memory. */
extern const UInt8 *CFReadStreamGetBuffer(RLReadStreamRef stream, RLIndex maxBytesToRead, RLIndex *numBytesRead) __asm__("RLReadStreamGetBuffer");
/** Returns the error with which the stream failed. */
extern RLStreamError CFReadStreamGetError(RLReadStreamRef stream) __asm__("RLReadStreamGetError");
/** Returns the status of the stream. */
extern RLStreamStatus CFReadStreamGetStatus(RLReadStreamRef stream) __asm__("RLReadStreamGetStatus");
/** Returns the type ID of read streams. */
extern RLTypeID CFReadStreamGetTypeID(void) __asm__("RLReadStreamGetTypeID");
/** Returns whether reading would not block: bytes, EOF or an error are pending. */
extern Boolean CFReadStreamHasBytesAvailable(RLReadStreamRef stream) __asm__("RLReadStreamHasBytesAvailable");
/** Opens the stream, or begins to open it. */
extern Boolean CFReadStreamOpen(RLReadStreamRef stream) __asm__("RLReadStreamOpen");
/** Reads the available bytes, and blocks if there are none. */
extern RLIndex CFReadStreamRead(RLReadStreamRef stream, UInt8 *buffer, RLIndex bufferLength) __asm__("RLReadStreamRead") RL_SWIFT_BLOCKING;
/** A reference to a read stream. */
typedef RLReadStreamRef CFReadStream;
/** Schedules the stream in a mode of a loop, in addition to other modes: the loop delivers events to the client, including pending events. */
extern void CFReadStreamScheduleWithRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop, RLRunLoopMode runLoopMode) __asm__("RLReadStreamScheduleWithRunLoop") RL_SWIFT_SECOND_CHOICE;
/** Sets the client that receives the stream's events, and returns true. */
extern Boolean CFReadStreamSetClient(RLReadStreamRef stream, RLOptionFlags streamEvents, RLReadStreamClientCallBack clientCB, RLStreamClientContext *clientContext) __asm__("RLReadStreamSetClient");
/** Unschedules the stream from a mode of a loop. */
extern void CFReadStreamUnscheduleFromRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop, RLRunLoopMode runLoopMode) __asm__("RLReadStreamUnscheduleFromRunLoop") RL_SWIFT_SECOND_CHOICE;
/** The activities of a loop, for observers. */
typedef RLRunLoopActivity CFRunLoopActivity;
/** Adds a mode to the common modes permanently. */
extern void CFRunLoopAddCommonMode(RLRunLoopRef loop, RLRunLoopMode mode) __asm__("RLRunLoopAddCommonMode") RL_SWIFT_SECOND_CHOICE;
/** Adds an observer to a mode, or to all common modes, and retains it. */
extern void CFRunLoopAddObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer, RLRunLoopMode mode) __asm__("RLRunLoopAddObserver") RL_SWIFT_SECOND_CHOICE;
/** Adds a source to a mode, or to all common modes, and retains it. */
extern void CFRunLoopAddSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode) __asm__("RLRunLoopAddSource") RL_SWIFT_SECOND_CHOICE;
/** Adds a timer to a mode, or to all common modes, and retains it. */
extern void CFRunLoopAddTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode) __asm__("RLRunLoopAddTimer") RL_SWIFT_SECOND_CHOICE;
/** Returns whether the observer is in the mode or, for kCFRunLoopCommonModes, among the common items. */
extern Boolean CFRunLoopContainsObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer, RLRunLoopMode mode) __asm__("RLRunLoopContainsObserver") RL_SWIFT_SECOND_CHOICE;
/** Returns whether the source, or an equal source, is in the mode or, for kCFRunLoopCommonModes, among the common items. */
extern Boolean CFRunLoopContainsSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode) __asm__("RLRunLoopContainsSource") RL_SWIFT_SECOND_CHOICE;
/** Returns whether the timer is in the mode or, for kCFRunLoopCommonModes, among the common items. */
extern Boolean CFRunLoopContainsTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode) __asm__("RLRunLoopContainsTimer") RL_SWIFT_SECOND_CHOICE;
/** Returns the names of all modes of the loop, in no particular order. */
extern RLArrayRef CFRunLoopCopyAllModes(RLRunLoopRef loop) __asm__("RLRunLoopCopyAllModes") RL_RETURNS_RETAINED;
/** Returns the calling thread's loop, which the first call creates. */
extern RLRunLoopRef CFRunLoopGetCurrent(void) __asm__("RLRunLoopGetCurrent") RL_RETURNS_NOT_RETAINED;
/** Returns the main thread's loop, not retained. */
extern RLRunLoopRef CFRunLoopGetMain(void) __asm__("RLRunLoopGetMain") RL_RETURNS_NOT_RETAINED;
/** Returns the date at which the first timer of the mode is due, or 0 if the mode has no timer. */
extern RLAbsoluteTime CFRunLoopGetNextTimerFireDate(RLRunLoopRef loop, RLRunLoopMode mode) __asm__("RLRunLoopGetNextTimerFireDate") RL_SWIFT_SECOND_CHOICE;
/** Returns the type ID of loops. */
extern RLTypeID CFRunLoopGetTypeID(void) __asm__("RLRunLoopGetTypeID");
/** Returns whether the loop is asleep or busy-polling. */
extern Boolean CFRunLoopIsWaiting(RLRunLoopRef loop) __asm__("RLRunLoopIsWaiting");
/** The callback of an observer. */
typedef RLRunLoopObserverCallBack CFRunLoopObserverCallBack;
/** The client data of an observer. */
typedef RLRunLoopObserverContext CFRunLoopObserverContext;
/** Creates an observer. */
extern RLRunLoopObserverRef CFRunLoopObserverCreate( RLAllocatorRef allocator, RLOptionFlags activities, Boolean repeats, RLIndex order, RLRunLoopObserverCallBack callout, RLRunLoopObserverContext *context) __asm__("RLRunLoopObserverCreate") RL_RETURNS_RETAINED;
/** Creates an observer like CFRunLoopObserverCreate, but with a block, which is copied, and released at invalidation. */
extern RLRunLoopObserverRef CFRunLoopObserverCreateWithHandler( RLAllocatorRef allocator, RLOptionFlags activities, Boolean repeats, RLIndex order, void(^ block)(RLRunLoopObserverRef observer, RLRunLoopActivity activity)) __asm__("RLRunLoopObserverCreateWithHandler") RL_RETURNS_RETAINED;
/** Returns whether the observer is called more than once. */
extern Boolean CFRunLoopObserverDoesRepeat(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverDoesRepeat");
/** Returns the activities that the observer was created with. */
extern RLOptionFlags CFRunLoopObserverGetActivities(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverGetActivities");
/** Copies the observer's context. */
extern void CFRunLoopObserverGetContext(RLRunLoopObserverRef observer, RLRunLoopObserverContext *context) __asm__("RLRunLoopObserverGetContext");
/** Returns the order that the observer was created with. */
extern RLIndex CFRunLoopObserverGetOrder(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverGetOrder");
/** Returns the type ID of observers. */
extern RLTypeID CFRunLoopObserverGetTypeID(void) __asm__("RLRunLoopObserverGetTypeID");
/** Invalidates the observer permanently, removes it from all modes and releases its info. */
extern void CFRunLoopObserverInvalidate(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverInvalidate");
/** Returns whether the observer is valid. */
extern Boolean CFRunLoopObserverIsValid(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverIsValid");
/** A reference to an observer. */
typedef RLRunLoopObserverRef CFRunLoopObserver;
/** A reference to a run loop. */
typedef RLRunLoopRef CFRunLoop;
/** Removes an observer from a mode or from all common modes. */
extern void CFRunLoopRemoveObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer, RLRunLoopMode mode) __asm__("RLRunLoopRemoveObserver") RL_SWIFT_SECOND_CHOICE;
/** Removes a source from a mode or from all common modes, and calls `cancel` of a version-0 source. */
extern void CFRunLoopRemoveSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode) __asm__("RLRunLoopRemoveSource") RL_SWIFT_SECOND_CHOICE;
/** Removes a timer from a mode or from all common modes. */
extern void CFRunLoopRemoveTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode) __asm__("RLRunLoopRemoveTimer") RL_SWIFT_SECOND_CHOICE;
/** Runs the calling thread's loop in the default mode until the loop is stopped or the mode has no source, timer or block. */
extern void CFRunLoopRun(void) __asm__("RLRunLoopRun") RL_SWIFT_BLOCKING;
/** Runs the calling thread's loop in a mode. */
extern RLRunLoopRunResult CFRunLoopRunInMode(RLRunLoopMode mode, RLTimeInterval seconds, Boolean returnAfterSourceHandled) __asm__("RLRunLoopRunInMode") RL_SWIFT_BLOCKING RL_SWIFT_SECOND_CHOICE;
/** The reason why a run ended. */
typedef RLRunLoopRunResult CFRunLoopRunResult;
/** The context of a version-0 source: its client signals the source and wakes the loop. */
typedef RLRunLoopSourceContext CFRunLoopSourceContext;
/** The context of a version-1 source, which waits for a port. */
typedef RLRunLoopSourceContext1 CFRunLoopSourceContext1;
/** Creates a source that is valid, not signaled, and in no loop. */
extern RLRunLoopSourceRef CFRunLoopSourceCreate( RLAllocatorRef allocator, RLIndex order, RLRunLoopSourceContext *context) __asm__("RLRunLoopSourceCreate") RL_RETURNS_RETAINED;
/** Copies the source's context. */
extern void CFRunLoopSourceGetContext(RLRunLoopSourceRef source, RLRunLoopSourceContext *context) __asm__("RLRunLoopSourceGetContext");
/** Returns the order that the source was created with. */
extern RLIndex CFRunLoopSourceGetOrder(RLRunLoopSourceRef source) __asm__("RLRunLoopSourceGetOrder");
/** Returns the type ID of sources. */
extern RLTypeID CFRunLoopSourceGetTypeID(void) __asm__("RLRunLoopSourceGetTypeID");
/** Invalidates the source permanently and removes it from all loops. */
extern void CFRunLoopSourceInvalidate(RLRunLoopSourceRef source) __asm__("RLRunLoopSourceInvalidate");
/** Returns whether the source is signaled. */
extern Boolean CFRunLoopSourceIsSignalled(RLRunLoopSourceRef source) __asm__("RLRunLoopSourceIsSignalled");
/** Returns whether the source is valid. */
extern Boolean CFRunLoopSourceIsValid(RLRunLoopSourceRef source) __asm__("RLRunLoopSourceIsValid");
/** A reference to a source. */
typedef RLRunLoopSourceRef CFRunLoopSource;
/** Signals a source. */
extern void CFRunLoopSourceSignal(RLRunLoopSourceRef source) __asm__("RLRunLoopSourceSignal");
/** Wakes the loop, and makes its innermost run return kCFRunLoopRunStopped at the end of the pass. */
extern void CFRunLoopStop(RLRunLoopRef loop) __asm__("RLRunLoopStop");
/** The callback of a timer. */
typedef RLRunLoopTimerCallBack CFRunLoopTimerCallBack;
/** The client data of a timer. */
typedef RLRunLoopTimerContext CFRunLoopTimerContext;
/** Creates a timer that is in no loop. */
extern RLRunLoopTimerRef CFRunLoopTimerCreate(RLAllocatorRef allocator, RLAbsoluteTime fireDate, RLTimeInterval interval, RLOptionFlags flags, RLIndex order, RLRunLoopTimerCallBack callout, RLRunLoopTimerContext *context) __asm__("RLRunLoopTimerCreate") RL_RETURNS_RETAINED;
/** Creates a timer like CFRunLoopTimerCreate, but with a block, which is copied, and released at invalidation. */
extern RLRunLoopTimerRef CFRunLoopTimerCreateWithHandler( RLAllocatorRef allocator, RLAbsoluteTime fireDate, RLTimeInterval interval, RLOptionFlags flags, RLIndex order, void(^ block)(RLRunLoopTimerRef timer)) __asm__("RLRunLoopTimerCreateWithHandler") RL_RETURNS_RETAINED;
/** Returns whether the timer repeats: its interval is greater than 0. */
extern Boolean CFRunLoopTimerDoesRepeat(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerDoesRepeat");
/** Copies the timer's context. */
extern void CFRunLoopTimerGetContext(RLRunLoopTimerRef timer, RLRunLoopTimerContext *context) __asm__("RLRunLoopTimerGetContext");
/** Returns the seconds between firings. */
extern RLTimeInterval CFRunLoopTimerGetInterval(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerGetInterval");
/** Returns the date of the next firing, or 0 if the timer is invalid. */
extern RLAbsoluteTime CFRunLoopTimerGetNextFireDate(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerGetNextFireDate");
/** Returns the order that the timer was created with. */
extern RLIndex CFRunLoopTimerGetOrder(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerGetOrder");
/** Returns the tolerance: the greatest delay of a firing, in seconds. */
extern RLTimeInterval CFRunLoopTimerGetTolerance(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerGetTolerance");
/** Returns the type ID of timers. */
extern RLTypeID CFRunLoopTimerGetTypeID(void) __asm__("RLRunLoopTimerGetTypeID");
/** Invalidates the timer permanently, removes it from all modes and releases its info. */
extern void CFRunLoopTimerInvalidate(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerInvalidate");
/** Returns whether the timer is valid. */
extern Boolean CFRunLoopTimerIsValid(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerIsValid");
/** A reference to a timer. */
typedef RLRunLoopTimerRef CFRunLoopTimer;
/** Sets the date of the next firing. */
extern void CFRunLoopTimerSetNextFireDate(RLRunLoopTimerRef timer, RLAbsoluteTime fireDate) __asm__("RLRunLoopTimerSetNextFireDate");
/** Sets the tolerance: the greatest delay of a firing, in seconds. */
extern void CFRunLoopTimerSetTolerance(RLRunLoopTimerRef timer, RLTimeInterval tolerance) __asm__("RLRunLoopTimerSetTolerance");
/** Wakes a sleeping loop. */
extern void CFRunLoopWakeUp(RLRunLoopRef loop) __asm__("RLRunLoopWakeUp");
/** Adds an element, unless the set has an equal element. */
extern void CFSetAddValue(RLMutableSetRef set, const void *value) __asm__("RLSetAddValue");
/** The function that CFSetApplyFunction calls for each element. */
typedef RLSetApplierFunction CFSetApplierFunction;
/** Calls a function, which must not change the set, for each element. */
extern void CFSetApplyFunction(RLSetRef set, RLSetApplierFunction applier, void *context) __asm__("RLSetApplyFunction");
/** The callbacks of a set for its elements. */
typedef RLSetCallBacks CFSetCallBacks;
/** Returns whether an element is equal to `value`. */
extern Boolean CFSetContainsValue(RLSetRef set, const void *value) __asm__("RLSetContainsValue");
/** Describes an element in a string that the caller owns. */
typedef RLSetCopyDescriptionCallBack CFSetCopyDescriptionCallBack;
/** Creates a set. */
extern RLSetRef CFSetCreate(RLAllocatorRef allocator, const void **values, RLIndex count, const RLSetCallBacks *callBacks) __asm__("RLSetCreate") RL_RETURNS_RETAINED;
/** Returns an immutable set with the same elements and callbacks, which the caller owns. */
extern RLSetRef CFSetCreateCopy(RLAllocatorRef allocator, RLSetRef set) __asm__("RLSetCreateCopy") RL_RETURNS_RETAINED;
/** Creates an empty mutable set. */
extern RLMutableSetRef CFSetCreateMutable(RLAllocatorRef allocator, RLIndex capacity, const RLSetCallBacks *callBacks) __asm__("RLSetCreateMutable") RL_RETURNS_RETAINED;
/** Creates a mutable set like CFSetCreateMutable, with the elements and callbacks of another set. */
extern RLMutableSetRef CFSetCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity, RLSetRef set) __asm__("RLSetCreateMutableCopy") RL_RETURNS_RETAINED;
/** Returns whether two elements are equal. */
typedef RLSetEqualCallBack CFSetEqualCallBack;
/** Returns the number of elements. */
extern RLIndex CFSetGetCount(RLSetRef set) __asm__("RLSetGetCount");
/** Returns 1 if an element is equal to `value`, otherwise 0. */
extern RLIndex CFSetGetCountOfValue(RLSetRef set, const void *value) __asm__("RLSetGetCountOfValue");
/** Returns the type ID of sets, mutable or not. */
extern RLTypeID CFSetGetTypeID(void) __asm__("RLSetGetTypeID");
/** Returns the element that is equal to `value`, not retained, or null. */
extern const void *CFSetGetValue(RLSetRef set, const void *value) __asm__("RLSetGetValue");
/** Returns whether an element is equal to `candidate`. */
extern Boolean CFSetGetValueIfPresent(RLSetRef set, const void *candidate, const void **value) __asm__("RLSetGetValueIfPresent");
/** Copies all elements to `values`, which must be large enough. */
extern void CFSetGetValues(RLSetRef set, const void **values) __asm__("RLSetGetValues");
/** Returns the hash of an element. */
typedef RLSetHashCallBack CFSetHashCallBack;
/** A reference to a set. */
typedef RLSetRef CFSet;
/** Releases an element. */
typedef RLSetReleaseCallBack CFSetReleaseCallBack;
/** Removes all elements. */
extern void CFSetRemoveAllValues(RLMutableSetRef set) __asm__("RLSetRemoveAllValues");
/** Removes the element that is equal to `value`, if there is one. */
extern void CFSetRemoveValue(RLMutableSetRef set, const void *value) __asm__("RLSetRemoveValue");
/** Replaces the element that is equal to `value` with `value`. */
extern void CFSetReplaceValue(RLMutableSetRef set, const void *value) __asm__("RLSetReplaceValue");
/** Retains an element and returns the pointer to store. */
typedef RLSetRetainCallBack CFSetRetainCallBack;
/** Adds an element, or replaces the equal element. */
extern void CFSetSetValue(RLMutableSetRef set, const void *value) __asm__("RLSetSetValue");
/** Prints a string's representation and characters to standard error. */
extern void CFShowStr(RLStringRef string) __asm__("RLShowStr");
/** The callback of a socket, called with one type at a time. */
typedef RLSocketCallBack CFSocketCallBack;
/** The types of callbacks. */
typedef RLSocketCallBackType CFSocketCallBackType;
/** Connects a socket to an address. */
extern RLSocketError CFSocketConnectToAddress(RLSocketRef socket, RLDataRef address, RLTimeInterval timeout) __asm__("RLSocketConnectToAddress") RL_SWIFT_BLOCKING;
/** The client data of a socket. */
typedef RLSocketContext CFSocketContext;
/** Returns the local address, which the caller owns, or null if there is none. */
extern RLDataRef CFSocketCopyAddress(RLSocketRef socket) __asm__("RLSocketCopyAddress") RL_RETURNS_RETAINED;
/** Returns the peer's address, which the caller owns, or null if the socket is not connected. */
extern RLDataRef CFSocketCopyPeerAddress(RLSocketRef socket) __asm__("RLSocketCopyPeerAddress") RL_RETURNS_RETAINED;
/** Always fails, because there is no registry to look up a signature. */
extern RLSocketError CFSocketCopyRegisteredSocketSignature( const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name, RLSocketSignature *signature, RLDataRef *nameServerAddress) __asm__("RLSocketCopyRegisteredSocketSignature");
/** Creates a socket. */
extern RLSocketRef CFSocketCreate(RLAllocatorRef allocator, SInt32 protocolFamily, SInt32 socketType, SInt32 protocol, RLOptionFlags callBackTypes, RLSocketCallBack callout, const RLSocketContext *context) __asm__("RLSocketCreate") RL_RETURNS_RETAINED;
/** Creates a socket and connects it to the signature's address, as CFSocketConnectToAddress does. */
extern RLSocketRef CFSocketCreateConnectedToSocketSignature( RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes, RLSocketCallBack callout, const RLSocketContext *context, RLTimeInterval timeout) __asm__("RLSocketCreateConnectedToSocketSignature") RL_RETURNS_RETAINED;
/** Returns the run loop source of the socket: a version-2 source that the caller owns, or null if the socket is invalid. */
extern RLRunLoopSourceRef CFSocketCreateRunLoopSource(RLAllocatorRef allocator, RLSocketRef socket, RLIndex order) __asm__("RLSocketCreateRunLoopSource") RL_RETURNS_RETAINED;
/** Creates a socket from a native handle. */
extern RLSocketRef CFSocketCreateWithNative(RLAllocatorRef allocator, RLSocketNativeHandle sock, RLOptionFlags callBackTypes, RLSocketCallBack callout, const RLSocketContext *context) __asm__("RLSocketCreateWithNative") RL_RETURNS_RETAINED;
/** Creates a socket and binds it to the signature's address, as CFSocketSetAddress does. */
extern RLSocketRef CFSocketCreateWithSocketSignature( RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes, RLSocketCallBack callout, const RLSocketContext *context) __asm__("RLSocketCreateWithSocketSignature") RL_RETURNS_RETAINED;
/** Disables callbacks until CFSocketEnableCallBacks enables them, regardless of the flags. */
extern void CFSocketDisableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes) __asm__("RLSocketDisableCallBacks");
/** Enables callbacks, if the socket was created with their types. */
extern void CFSocketEnableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes) __asm__("RLSocketEnableCallBacks");
/** The result of an operation. */
typedef RLSocketError CFSocketError;
/** Copies the client data and the version to `context`, which must not be null. */
extern void CFSocketGetContext(RLSocketRef socket, RLSocketContext *context) __asm__("RLSocketGetContext");
/** Returns the port that CFSocketSetDefaultNameRegistryPortNumber has set. */
extern UInt16 CFSocketGetDefaultNameRegistryPortNumber(void) __asm__("RLSocketGetDefaultNameRegistryPortNumber");
/** Returns the native handle. */
extern RLSocketNativeHandle CFSocketGetNative(RLSocketRef socket) __asm__("RLSocketGetNative");
/** Returns the flags of a socket: `kCFSocketAutomaticallyReenable…`, kCFSocketLeaveErrors and kCFSocketCloseOnInvalidate. */
extern RLOptionFlags CFSocketGetSocketFlags(RLSocketRef socket) __asm__("RLSocketGetSocketFlags");
/** Returns the type ID of sockets. */
extern RLTypeID CFSocketGetTypeID(void) __asm__("RLSocketGetTypeID");
/** Invalidates a socket permanently: closes its handle if kCFSocketCloseOnInvalidate is set, releases the info, invalidates the source, and wakes the loops that the source was in. */
extern void CFSocketInvalidate(RLSocketRef socket) __asm__("RLSocketInvalidate");
/** Returns whether the socket is valid: false after an invalidation. */
extern Boolean CFSocketIsValid(RLSocketRef socket) __asm__("RLSocketIsValid");
/** The system's type of a socket: a descriptor. */
typedef RLSocketNativeHandle CFSocketNativeHandle;
/** A reference to a socket with callbacks. */
typedef RLSocketRef CFSocket;
/** Always fails, because there is no registry to register a signature in. */
extern RLSocketError CFSocketRegisterSocketSignature( const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name, const RLSocketSignature *signature) __asm__("RLSocketRegisterSocketSignature");
/** Sends bytes. */
extern RLSocketError CFSocketSendData(RLSocketRef socket, RLDataRef address, RLDataRef data, RLTimeInterval timeout) __asm__("RLSocketSendData") RL_SWIFT_BLOCKING;
/** Binds a socket to an address, and listens for connections if the type of the socket supports connections. */
extern RLSocketError CFSocketSetAddress(RLSocketRef socket, RLDataRef address) __asm__("RLSocketSetAddress");
/** Sets the port that CFSocketGetDefaultNameRegistryPortNumber returns, and has no other effect. */
extern void CFSocketSetDefaultNameRegistryPortNumber(UInt16 port) __asm__("RLSocketSetDefaultNameRegistryPortNumber");
/** Sets the flags of a socket. */
extern void CFSocketSetSocketFlags(RLSocketRef socket, RLOptionFlags flags) __asm__("RLSocketSetSocketFlags");
/** The protocol and the address of a socket to bind or to connect. */
typedef RLSocketSignature CFSocketSignature;
/** Always fails, because there is no registry to remove a name from. */
extern RLSocketError CFSocketUnregister(const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name) __asm__("RLSocketUnregister");
/** The client data of a stream. */
typedef RLStreamClientContext CFStreamClientContext;
/** Creates a bound pair: a read stream that reads the bytes that are written to a write stream, through a buffer in memory. */
extern void CFStreamCreateBoundPair(RLAllocatorRef alloc, RLReadStreamRef *readStream, RLWriteStreamRef *writeStream, RLIndex transferBufferSize) __asm__("RLStreamCreateBoundPair");
/** Creates a read stream and a write stream that connect to the signature's address when the first of them is opened. */
extern void CFStreamCreatePairWithPeerSocketSignature(RLAllocatorRef alloc, const RLSocketSignature *signature, RLReadStreamRef *readStream, RLWriteStreamRef *writeStream) __asm__("RLStreamCreatePairWithPeerSocketSignature");
/** Creates a read stream and a write stream over a connected socket. */
extern void CFStreamCreatePairWithSocket(RLAllocatorRef alloc, RLSocketNativeHandle sock, RLReadStreamRef *readStream, RLWriteStreamRef *writeStream) __asm__("RLStreamCreatePairWithSocket");
/** Creates a read stream and a write stream that connect to a host by TCP when the first of them is opened. */
extern void CFStreamCreatePairWithSocketToHost(RLAllocatorRef alloc, RLStringRef host, UInt32 port, RLReadStreamRef *readStream, RLWriteStreamRef *writeStream) __asm__("RLStreamCreatePairWithSocketToHost");
/** The error of a stream. */
typedef RLStreamError CFStreamError;
/** The domain of an error code. */
typedef RLStreamErrorDomain CFStreamErrorDomain;
/** The events of a stream. */
typedef RLStreamEventType CFStreamEventType;
/** The key of a property. */
typedef RLStreamPropertyKey CFStreamPropertyKey;
/** The status of a stream. */
typedef RLStreamStatus CFStreamStatus;
/** Appends a string, which may be `string` itself. */
extern void CFStringAppend(RLMutableStringRef string, RLStringRef appendedString) __asm__("RLStringAppend");
/** Appends a C string, or nothing if the bytes are invalid in the encoding. */
extern void CFStringAppendCString(RLMutableStringRef string, const char *cStr, RLStringEncoding encoding) __asm__("RLStringAppendCString");
/** Appends UTF-16 code units. */
extern void CFStringAppendCharacters(RLMutableStringRef string, const UniChar *chars, RLIndex numChars) __asm__("RLStringAppendCharacters");
/** Converts the first letter of each word to upper case and all other letters to lower case, like CFStringLowercase. */
extern void CFStringCapitalize(RLMutableStringRef string, RLLocaleRef locale) __asm__("RLStringCapitalize");
/** Compares strings by their UTF-16 code units. */
extern RLComparisonResult CFStringCompare(RLStringRef firstString, RLStringRef secondString, RLStringCompareFlags options) __asm__("RLStringCompare");
/** Options for comparing and finding strings. */
typedef RLStringCompareFlags CFStringCompareFlags;
/** Compares a range of the first string with the second string, like CFStringCompare. */
extern RLComparisonResult CFStringCompareWithOptions(RLStringRef firstString, RLStringRef secondString, RLRange rangeToCompare, RLStringCompareFlags options) __asm__("RLStringCompareWithOptions");
/** Returns the IANA name of an encoding, such as utf-8, or null. */
extern RLStringRef CFStringConvertEncodingToIANACharSetName(RLStringEncoding encoding) __asm__("RLStringConvertEncodingToIANACharSetName") RL_RETURNS_NOT_RETAINED;
/** Returns NSString's number for an encoding, or kCFStringEncodingInvalidId if there is none. */
extern unsigned long CFStringConvertEncodingToNSStringEncoding(RLStringEncoding encoding) __asm__("RLStringConvertEncodingToNSStringEncoding");
/** Returns the Windows code page of an encoding, or kCFStringEncodingInvalidId if there is none. */
extern UInt32 CFStringConvertEncodingToWindowsCodepage(RLStringEncoding encoding) __asm__("RLStringConvertEncodingToWindowsCodepage");
/** Returns the encoding of an IANA name, in upper or lower case, or kCFStringEncodingInvalidId if the encoding is not supported. */
extern RLStringEncoding CFStringConvertIANACharSetNameToEncoding(RLStringRef name) __asm__("RLStringConvertIANACharSetNameToEncoding");
/** Returns the encoding for NSString's number, or kCFStringEncodingInvalidId if the encoding is not supported. */
extern RLStringEncoding CFStringConvertNSStringEncodingToEncoding(unsigned long encoding) __asm__("RLStringConvertNSStringEncodingToEncoding");
/** Returns the encoding of a Windows code page, or kCFStringEncodingInvalidId if the encoding is not supported. */
extern RLStringEncoding CFStringConvertWindowsCodepageToEncoding(UInt32 codepage) __asm__("RLStringConvertWindowsCodepageToEncoding");
/** Splits a string at each separator. */
extern RLArrayRef CFStringCreateArrayBySeparatingStrings( RLAllocatorRef alloc, RLStringRef theString, RLStringRef separatorString) __asm__("RLStringCreateArrayBySeparatingStrings") RL_RETURNS_RETAINED;
/** Returns all matches of CFStringFindWithOptions, in order. */
extern RLArrayRef CFStringCreateArrayWithFindResults( RLAllocatorRef alloc, RLStringRef theString, RLStringRef stringToFind, RLRange rangeToSearch, RLStringCompareFlags compareOptions) __asm__("RLStringCreateArrayWithFindResults") RL_RETURNS_RETAINED;
/** Joins the strings of an array, with a separator between two strings, into a string that the caller owns. */
extern RLStringRef CFStringCreateByCombiningStrings( RLAllocatorRef alloc, RLArrayRef theArray, RLStringRef separatorString) __asm__("RLStringCreateByCombiningStrings") RL_RETURNS_RETAINED;
/** Returns an immutable string with the same characters, which the caller owns. */
extern RLStringRef CFStringCreateCopy(RLAllocatorRef allocator, RLStringRef string) __asm__("RLStringCreateCopy") RL_RETURNS_RETAINED;
/** Converts a string to data, without a NUL. */
extern RLDataRef CFStringCreateExternalRepresentation(RLAllocatorRef allocator, RLStringRef string, RLStringEncoding encoding, UInt8 lossByte) __asm__("RLStringCreateExternalRepresentation") RL_RETURNS_RETAINED;
/** Creates a string, which the caller owns, from the bytes of data, which are copied, as CFStringCreateWithBytes does. */
extern RLStringRef CFStringCreateFromExternalRepresentation( RLAllocatorRef allocator, RLDataRef data, RLStringEncoding encoding) __asm__("RLStringCreateFromExternalRepresentation") RL_RETURNS_RETAINED;
/** Creates an empty mutable string. */
extern RLMutableStringRef CFStringCreateMutable(RLAllocatorRef allocator, RLIndex maxLength) __asm__("RLStringCreateMutable") RL_RETURNS_RETAINED;
/** Creates a mutable string like CFStringCreateMutable, with the characters of another string. */
extern RLMutableStringRef CFStringCreateMutableCopy(RLAllocatorRef allocator, RLIndex maxLength, RLStringRef string) __asm__("RLStringCreateMutableCopy") RL_RETURNS_RETAINED;
/** Creates a string from bytes, which are copied. */
extern RLStringRef CFStringCreateWithBytes(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex count, RLStringEncoding encoding, Boolean isExternalRepresentation) __asm__("RLStringCreateWithBytes") RL_RETURNS_RETAINED;
/** Creates a string like CFStringCreateWithBytes, and frees the bytes like CFStringCreateWithCharactersNoCopy. */
extern RLStringRef CFStringCreateWithBytesNoCopy( RLAllocatorRef allocator, const UInt8 *bytes, RLIndex count, RLStringEncoding encoding, Boolean isExternalRepresentation, RLAllocatorRef contentsDeallocator) __asm__("RLStringCreateWithBytesNoCopy") RL_RETURNS_RETAINED;
/** Creates a string from a C string, which is copied. */
extern RLStringRef CFStringCreateWithCString(RLAllocatorRef allocator, const char *characters, RLStringEncoding encoding) __asm__("RLStringCreateWithCString") RL_RETURNS_RETAINED;
/** Creates a string like CFStringCreateWithCString, and frees the characters like CFStringCreateWithCharactersNoCopy. */
extern RLStringRef CFStringCreateWithCStringNoCopy( RLAllocatorRef allocator, const char *characters, RLStringEncoding encoding, RLAllocatorRef contentsDeallocator) __asm__("RLStringCreateWithCStringNoCopy") RL_RETURNS_RETAINED;
/** Creates a string from UTF-16 code units, which are copied. */
extern RLStringRef CFStringCreateWithCharacters(RLAllocatorRef allocator, const UniChar *chars, RLIndex numChars) __asm__("RLStringCreateWithCharacters") RL_RETURNS_RETAINED;
/** Creates a string like CFStringCreateWithCharacters. */
extern RLStringRef CFStringCreateWithCharactersNoCopy(RLAllocatorRef allocator, const UniChar *chars, RLIndex numChars, RLAllocatorRef contentsDeallocator) __asm__("RLStringCreateWithCharactersNoCopy") RL_RETURNS_RETAINED;
/** Creates a string from the name of a file, a C string in UTF-8. */
extern RLStringRef CFStringCreateWithFileSystemRepresentation( RLAllocatorRef allocator, const char *buffer) __asm__("RLStringCreateWithFileSystemRepresentation") RL_RETURNS_RETAINED;
/** Creates a string, which the caller owns, from a range of another string in UTF-16 code units. */
extern RLStringRef CFStringCreateWithSubstring(RLAllocatorRef allocator, RLStringRef string, RLRange range) __asm__("RLStringCreateWithSubstring") RL_RETURNS_RETAINED;
/** Removes a range. */
extern void CFStringDelete(RLMutableStringRef string, RLRange range) __asm__("RLStringDelete");
/** An encoding of strings as bytes. */
typedef RLStringEncoding CFStringEncoding;
/** Finds a string in another string, like CFStringFindWithOptions. */
extern RLRange CFStringFind(RLStringRef theString, RLStringRef stringToFind, RLStringCompareFlags compareOptions) __asm__("RLStringFind");
/** Replaces all occurrences, as CFStringCreateArrayWithFindResults finds them. */
extern RLIndex CFStringFindAndReplace(RLMutableStringRef string, RLStringRef stringToFind, RLStringRef replacementString, RLRange rangeToSearch, RLStringCompareFlags compareOptions) __asm__("RLStringFindAndReplace");
/** Finds a string in a range of another string. */
extern Boolean CFStringFindWithOptions(RLStringRef theString, RLStringRef stringToFind, RLRange rangeToSearch, RLStringCompareFlags searchOptions, RLRange *result) __asm__("RLStringFindWithOptions");
/** Converts the characters of a range into bytes, until the buffer is full or the encoding cannot express a character. */
extern RLIndex CFStringGetBytes(RLStringRef string, RLRange range, RLStringEncoding encoding, UInt8 lossByte, Boolean isExternalRepresentation, UInt8 *buffer, RLIndex maxBufLen, RLIndex *usedBufLen) __asm__("RLStringGetBytes");
/** Copies the characters and a terminating NUL, one byte, into a buffer of `size` bytes. */
extern Boolean CFStringGetCString(RLStringRef string, char *buffer, RLIndex size, RLStringEncoding encoding) __asm__("RLStringGetCString");
/** Returns the characters as a C string, valid as long as the string lives. */
extern const char *CFStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding) __asm__("RLStringGetCStringPtr");
/** Returns the UTF-16 code unit at `index`. */
extern UniChar CFStringGetCharacterAtIndex(RLStringRef string, RLIndex index) __asm__("RLStringGetCharacterAtIndex");
/** Copies the code units of a range into a buffer, which must be large enough. */
extern void CFStringGetCharacters(RLStringRef string, RLRange range, UniChar *buffer) __asm__("RLStringGetCharacters");
/** Returns null, because strings are not stored as UTF-16. */
extern const UniChar *CFStringGetCharactersPtr(RLStringRef string) __asm__("RLStringGetCharactersPtr");
/** Returns the decimal number at the beginning of the string, after blanks. */
extern double CFStringGetDoubleValue(RLStringRef string) __asm__("RLStringGetDoubleValue");
/** Returns the encoding into which a string is converted fastest: ASCII if possible, otherwise UTF-8. */
extern RLStringEncoding CFStringGetFastestEncoding(RLStringRef string) __asm__("RLStringGetFastestEncoding");
/** Copies the string as a file name, in UTF-8 with a NUL. */
extern Boolean CFStringGetFileSystemRepresentation(RLStringRef string, char *buffer, RLIndex maxBufLen) __asm__("RLStringGetFileSystemRepresentation");
/** Returns the integer at the beginning of the string. */
extern SInt32 CFStringGetIntValue(RLStringRef string) __asm__("RLStringGetIntValue");
/** Returns the number of UTF-16 code units, as in CF. */
extern RLIndex CFStringGetLength(RLStringRef string) __asm__("RLStringGetLength");
/** Returns the supported encodings, as a list that ends with kCFStringEncodingInvalidId. */
extern const RLStringEncoding *CFStringGetListOfAvailableEncodings(void) __asm__("RLStringGetListOfAvailableEncodings");
/** Returns the greatest number of bytes that `length` UTF-16 code units need, without a terminating NUL. */
extern RLIndex CFStringGetMaximumSizeForEncoding(RLIndex length, RLStringEncoding encoding) __asm__("RLStringGetMaximumSizeForEncoding");
/** Returns the greatest size in bytes of a buffer for CFStringGetFileSystemRepresentation. */
extern RLIndex CFStringGetMaximumSizeOfFileSystemRepresentation(RLStringRef string) __asm__("RLStringGetMaximumSizeOfFileSystemRepresentation");
/** Returns the most similar Macintosh encoding, which may be unsupported, or kCFStringEncodingInvalidId if there is none. */
extern RLStringEncoding CFStringGetMostCompatibleMacStringEncoding(RLStringEncoding encoding) __asm__("RLStringGetMostCompatibleMacStringEncoding");
/** Returns the display name of an encoding, or null. */
extern RLStringRef CFStringGetNameOfEncoding(RLStringEncoding encoding) __asm__("RLStringGetNameOfEncoding") RL_RETURNS_NOT_RETAINED;
/** Returns the encoding in which a string is shortest: ASCII if possible, otherwise UTF-8. */
extern RLStringEncoding CFStringGetSmallestEncoding(RLStringRef string) __asm__("RLStringGetSmallestEncoding");
/** Returns the encoding of the system's texts: kCFStringEncodingUTF8. */
extern RLStringEncoding CFStringGetSystemEncoding(void) __asm__("RLStringGetSystemEncoding");
/** Returns the type ID of strings. */
extern RLTypeID CFStringGetTypeID(void) __asm__("RLStringGetTypeID");
/** Returns whether a string begins with `prefix`. */
extern Boolean CFStringHasPrefix(RLStringRef string, RLStringRef prefix) __asm__("RLStringHasPrefix");
/** Returns whether a string ends with `suffix`. */
extern Boolean CFStringHasSuffix(RLStringRef string, RLStringRef suffix) __asm__("RLStringHasSuffix");
/** A buffer of code units, for reading a range of a string in order. */
typedef RLStringInlineBuffer CFStringInlineBuffer;
/** Inserts a string before the code unit at `index`, or at the end. */
extern void CFStringInsert(RLMutableStringRef string, RLIndex index, RLStringRef insertedString) __asm__("RLStringInsert");
/** Returns whether an encoding is supported. */
extern Boolean CFStringIsEncodingAvailable(RLStringEncoding encoding) __asm__("RLStringIsEncodingAvailable");
/** Converts letters to lower case, one by one, with the C library's table. */
extern void CFStringLowercase(RLMutableStringRef string, RLLocaleRef locale) __asm__("RLStringLowercase");
/** Sets the length of the string in UTF-16 code units: truncates the string, or appends `padString` repeatedly, from its code unit `indexIntoPad` on. */
extern void CFStringPad(RLMutableStringRef string, RLStringRef padString, RLIndex length, RLIndex indexIntoPad) __asm__("RLStringPad");
/** A reference to an immutable string. */
typedef RLStringRef CFString;
/** Replaces a range with a string. */
extern void CFStringReplace(RLMutableStringRef string, RLRange range, RLStringRef replacement) __asm__("RLStringReplace");
/** Replaces all characters. */
extern void CFStringReplaceAll(RLMutableStringRef string, RLStringRef replacement) __asm__("RLStringReplaceAll");
/** Removes all occurrences of a string at both ends. */
extern void CFStringTrim(RLMutableStringRef string, RLStringRef trimString) __asm__("RLStringTrim");
/** Removes white space and line ends from both ends. */
extern void CFStringTrimWhitespace(RLMutableStringRef string) __asm__("RLStringTrimWhitespace");
/** Converts letters to upper case, like CFStringLowercase. */
extern void CFStringUppercase(RLMutableStringRef string, RLLocaleRef locale) __asm__("RLStringUppercase");
/** A time interval in seconds. */
typedef RLTimeInterval CFTimeInterval;
/** Returns the zone of the system. */
extern RLTimeZoneRef CFTimeZoneCopyDefault(void) __asm__("RLTimeZoneCopyDefault") RL_RETURNS_RETAINED;
/** Returns the zone of the system (`TZ` or /etc/localtime), or GMT. */
extern RLTimeZoneRef CFTimeZoneCopySystem(void) __asm__("RLTimeZoneCopySystem") RL_RETURNS_RETAINED;
/** Creates a zone without daylight saving time. */
extern RLTimeZoneRef CFTimeZoneCreateWithTimeIntervalFromGMT( RLAllocatorRef allocator, RLTimeInterval ti) __asm__("RLTimeZoneCreateWithTimeIntervalFromGMT") RL_RETURNS_RETAINED;
/** Returns the offset of a zone from GMT at a date, in seconds. */
extern RLTimeInterval CFTimeZoneGetSecondsFromGMT(RLTimeZoneRef tz, RLAbsoluteTime at) __asm__("RLTimeZoneGetSecondsFromGMT");
/** Returns the type ID of time zones. */
extern RLTypeID CFTimeZoneGetTypeID(void) __asm__("RLTimeZoneGetTypeID");
/** A reference to a time zone: see CFTimeZone.h. */
typedef RLTimeZoneRef CFTimeZone;
/** The ID of an object's type, unique within the process. */
typedef RLTypeID CFTypeID;
/** Returns the path of a URL without a slash at its end. */
extern RLStringRef CFURLCopyFileSystemPath(RLURLRef anURL, RLURLPathStyle pathStyle) __asm__("RLURLCopyFileSystemPath") RL_RETURNS_RETAINED;
/** Creates the URL of a file like CFURLCreateWithFileSystemPath, from a path of `bufLen` bytes, which need not be UTF-8. */
extern RLURLRef CFURLCreateFromFileSystemRepresentation(RLAllocatorRef allocator, const UInt8 *buffer, RLIndex bufLen, Boolean isDirectory) __asm__("RLURLCreateFromFileSystemRepresentation") RL_RETURNS_RETAINED;
/** Creates the URL of a file from its path. */
extern RLURLRef CFURLCreateWithFileSystemPath(RLAllocatorRef allocator, RLStringRef filePath, RLURLPathStyle pathStyle, Boolean isDirectory) __asm__("RLURLCreateWithFileSystemPath") RL_RETURNS_RETAINED;
/** Creates the URL of a file from its text, such as `file:///tmp/a%20file`. */
extern RLURLRef CFURLCreateWithString(RLAllocatorRef allocator, RLStringRef URLString, RLURLRef baseURL) __asm__("RLURLCreateWithString") RL_RETURNS_RETAINED;
/** Copies the bytes of the path of a URL, with a NUL, into a buffer of `maxBufLen` bytes. */
extern Boolean CFURLGetFileSystemRepresentation(RLURLRef url, Boolean resolveAgainstBase, UInt8 *buffer, RLIndex maxBufLen) __asm__("RLURLGetFileSystemRepresentation");
/** Returns the text of a URL, not retained. */
extern RLStringRef CFURLGetString(RLURLRef anURL) __asm__("RLURLGetString") RL_RETURNS_NOT_RETAINED;
/** Returns the type ID of URLs. */
extern RLTypeID CFURLGetTypeID(void) __asm__("RLURLGetTypeID");
/** Returns whether a URL ends with a slash, like the URL of a directory. */
extern Boolean CFURLHasDirectoryPath(RLURLRef anURL) __asm__("RLURLHasDirectoryPath");
/** The style of a path. */
typedef RLURLPathStyle CFURLPathStyle;
/** A reference to the URL of a file. */
typedef RLURLRef CFURL;
/** Returns whether writing would not block. */
extern Boolean CFWriteStreamCanAcceptBytes(RLWriteStreamRef stream) __asm__("RLWriteStreamCanAcceptBytes");
/** The callback of a write stream, called with one event at a time. */
typedef RLWriteStreamClientCallBack CFWriteStreamClientCallBack;
/** Closes the stream, like CFReadStreamClose. */
extern void CFWriteStreamClose(RLWriteStreamRef stream) __asm__("RLWriteStreamClose");
/** Returns the error of the stream, like CFReadStreamCopyError. */
extern RLErrorRef CFWriteStreamCopyError(RLWriteStreamRef stream) __asm__("RLWriteStreamCopyError") RL_RETURNS_RETAINED;
/** Creates a stream that writes into memory that the stream allocates. */
extern RLWriteStreamRef CFWriteStreamCreateWithAllocatedBuffers( RLAllocatorRef alloc, RLAllocatorRef bufferAllocator) __asm__("RLWriteStreamCreateWithAllocatedBuffers") RL_RETURNS_RETAINED;
/** Creates a stream that writes into the client's memory, which must outlive the stream. */
extern RLWriteStreamRef CFWriteStreamCreateWithBuffer( RLAllocatorRef alloc, UInt8 *buffer, RLIndex bufferCapacity) __asm__("RLWriteStreamCreateWithBuffer") RL_RETURNS_RETAINED;
/** Creates a stream that writes the file of a URL. */
extern RLWriteStreamRef CFWriteStreamCreateWithFile(RLAllocatorRef alloc, RLURLRef fileURL) __asm__("RLWriteStreamCreateWithFile") RL_RETURNS_RETAINED;
/** Returns the error of the stream, like CFReadStreamGetError. */
extern RLStreamError CFWriteStreamGetError(RLWriteStreamRef stream) __asm__("RLWriteStreamGetError");
/** Returns the status of the stream. */
extern RLStreamStatus CFWriteStreamGetStatus(RLWriteStreamRef stream) __asm__("RLWriteStreamGetStatus");
/** Returns the type ID of write streams. */
extern RLTypeID CFWriteStreamGetTypeID(void) __asm__("RLWriteStreamGetTypeID");
/** Opens the stream, or begins to open it, like CFReadStreamOpen. */
extern Boolean CFWriteStreamOpen(RLWriteStreamRef stream) __asm__("RLWriteStreamOpen");
/** A reference to a write stream. */
typedef RLWriteStreamRef CFWriteStream;
/** Schedules the stream in a mode of a loop, like CFReadStreamScheduleWithRunLoop. */
extern void CFWriteStreamScheduleWithRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop, RLRunLoopMode runLoopMode) __asm__("RLWriteStreamScheduleWithRunLoop") RL_SWIFT_SECOND_CHOICE;
/** Sets the client that receives the stream's events, like CFReadStreamSetClient. */
extern Boolean CFWriteStreamSetClient(RLWriteStreamRef stream, RLOptionFlags streamEvents, RLWriteStreamClientCallBack clientCB, RLStreamClientContext *clientContext) __asm__("RLWriteStreamSetClient");
/** Unschedules the stream from a mode of a loop, like CFReadStreamUnscheduleFromRunLoop. */
extern void CFWriteStreamUnscheduleFromRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop, RLRunLoopMode runLoopMode) __asm__("RLWriteStreamUnscheduleFromRunLoop") RL_SWIFT_SECOND_CHOICE;
/** Writes as many bytes as the stream's buffer takes, and blocks if the buffer is full. */
extern RLIndex CFWriteStreamWrite(RLWriteStreamRef stream, const UInt8 *buffer, RLIndex bufferLength) __asm__("RLWriteStreamWrite") RL_SWIFT_BLOCKING;
/** The seconds from 1904-01-01 to 2001-01-01, both UTC. */
extern const RLTimeInterval kCFAbsoluteTimeIntervalSince1904 __asm__("kRLAbsoluteTimeIntervalSince1904");
/** The seconds from 1970-01-01 to 2001-01-01, both UTC. */
extern const RLTimeInterval kCFAbsoluteTimeIntervalSince1970 __asm__("kRLAbsoluteTimeIntervalSince1970");
/** The default allocator: null, as in CF. */
extern RLAllocatorRef const kCFAllocatorDefault __asm__("kRLAllocatorDefault");
/** An allocator with the same effect as kCFAllocatorSystemDefault. */
extern RLAllocatorRef const kCFAllocatorMalloc __asm__("kRLAllocatorMalloc");
/** An allocator with the same effect as kCFAllocatorMalloc. */
extern RLAllocatorRef const kCFAllocatorMallocZone __asm__("kRLAllocatorMallocZone");
/** An allocator that provides and frees no memory. */
extern RLAllocatorRef const kCFAllocatorNull __asm__("kRLAllocatorNull");
/** The allocator that kCFAllocatorDefault stands for unless the thread sets a default: malloc. */
extern RLAllocatorRef const kCFAllocatorSystemDefault __asm__("kRLAllocatorSystemDefault");
/** An allocator that provides no memory. */
extern RLAllocatorRef const kCFAllocatorUseContext __asm__("kRLAllocatorUseContext");
/** The false Boolean. */
extern RLBooleanRef const kCFBooleanFalse __asm__("kRLBooleanFalse");
/** The true Boolean. */
extern RLBooleanRef const kCFBooleanTrue __asm__("kRLBooleanTrue");
/** The callbacks for keys that are strings. */
extern const RLDictionaryKeyCallBacks kCFCopyStringDictionaryKeyCallBacks __asm__("kRLCopyStringDictionaryKeyCallBacks");
/** The callbacks for elements that are strings. */
extern const RLSetCallBacks kCFCopyStringSetCallBacks __asm__("kRLCopyStringSetCallBacks");
/** A key for userInfo: a string that describes the error to developers. */
extern RLStringRef const kCFErrorDescriptionKey __asm__("kRLErrorDescriptionKey");
/** The domain of error codes of Foundation, `NSCocoaErrorDomain`. */
extern RLErrorDomain const kCFErrorDomainCocoa __asm__("kRLErrorDomainCocoa");
/** The domain of error codes of Mach, `NSMachErrorDomain`. */
extern RLErrorDomain const kCFErrorDomainMach __asm__("kRLErrorDomainMach");
/** The domain of error codes of Mac OS, `NSOSStatusErrorDomain`. */
extern RLErrorDomain const kCFErrorDomainOSStatus __asm__("kRLErrorDomainOSStatus");
/** The domain of errno values, `NSPOSIXErrorDomain`. */
extern RLErrorDomain const kCFErrorDomainPOSIX __asm__("kRLErrorDomainPOSIX");
/** A key for userInfo: a string with the path of the file that the error concerns. */
extern RLStringRef const kCFErrorFilePathKey __asm__("kRLErrorFilePathKey");
/** A key for userInfo: a string that describes the failure and its reason to the user. */
extern RLStringRef const kCFErrorLocalizedDescriptionKey __asm__("kRLErrorLocalizedDescriptionKey");
/** A key for userInfo: a string that describes the failure to the user. */
extern RLStringRef const kCFErrorLocalizedFailureKey __asm__("kRLErrorLocalizedFailureKey");
/** A key for userInfo: a string that describes the reason of the failure to the user. */
extern RLStringRef const kCFErrorLocalizedFailureReasonKey __asm__("kRLErrorLocalizedFailureReasonKey");
/** A key for userInfo: a string that suggests a recovery to the user. */
extern RLStringRef const kCFErrorLocalizedRecoverySuggestionKey __asm__("kRLErrorLocalizedRecoverySuggestionKey");
/** A key for userInfo: the CFURLRef of the file or resource that the error concerns. */
extern RLStringRef const kCFErrorURLKey __asm__("kRLErrorURLKey");
/** A key for userInfo: the CFErrorRef that caused this error. */
extern RLStringRef const kCFErrorUnderlyingErrorKey __asm__("kRLErrorUnderlyingErrorKey");
/** The null object. */
extern RLNullRef const kCFNull __asm__("kRLNull");
/** NaN (not a number). */
extern RLNumberRef const kCFNumberNaN __asm__("kRLNumberNaN");
/** Negative infinity, smaller than all other numbers. */
extern RLNumberRef const kCFNumberNegativeInfinity __asm__("kRLNumberNegativeInfinity");
/** Positive infinity, greater than all other numbers. */
extern RLNumberRef const kCFNumberPositiveInfinity __asm__("kRLNumberPositiveInfinity");
/** The name registry's key "Command". */
extern RLStringRef const kCFSocketCommandKey __asm__("kRLSocketCommandKey");
/** The name registry's key "Error". */
extern RLStringRef const kCFSocketErrorKey __asm__("kRLSocketErrorKey");
/** The name registry's key "Name". */
extern RLStringRef const kCFSocketNameKey __asm__("kRLSocketNameKey");
/** The name registry's command "Register". */
extern RLStringRef const kCFSocketRegisterCommand __asm__("kRLSocketRegisterCommand");
/** The name registry's key "Result". */
extern RLStringRef const kCFSocketResultKey __asm__("kRLSocketResultKey");
/** The name registry's command "Retrieve". */
extern RLStringRef const kCFSocketRetrieveCommand __asm__("kRLSocketRetrieveCommand");
/** The name registry's key "Value". */
extern RLStringRef const kCFSocketValueKey __asm__("kRLSocketValueKey");
/** The domain of the error codes of getaddrinfo(3), such as EAI_NONAME. */
extern const SInt32 kCFStreamErrorDomainNetDB __asm__("kRLStreamErrorDomainNetDB");
/** The domain of TLS errors. */
extern const int kCFStreamErrorDomainSSL __asm__("kRLStreamErrorDomainSSL");
/** A stream property: the network service type of a stream over a socket, one of the strings `kCFStreamNetworkServiceType…`. */
extern RLStringRef const kCFStreamNetworkServiceType __asm__("kRLStreamNetworkServiceType");
/** Audio and video streams: packets have DSCP AF31 (26) and priority 4. */
extern RLStringRef const kCFStreamNetworkServiceTypeAVStreaming __asm__("kRLStreamNetworkServiceTypeAVStreaming");
/** Background transfers: packets have DSCP CS1 (8) and priority 1. */
extern RLStringRef const kCFStreamNetworkServiceTypeBackground __asm__("kRLStreamNetworkServiceTypeBackground");
/** Signaling of calls: packets have DSCP CS5 (40) and priority 6. */
extern RLStringRef const kCFStreamNetworkServiceTypeCallSignaling __asm__("kRLStreamNetworkServiceTypeCallSignaling");
/** Interactive audio and video, which must not be late: packets have DSCP CS4 (32) and priority 4. */
extern RLStringRef const kCFStreamNetworkServiceTypeResponsiveAV __asm__("kRLStreamNetworkServiceTypeResponsiveAV");
/** Data that the user waits for: packets have DSCP AF21 (18) and priority 4. */
extern RLStringRef const kCFStreamNetworkServiceTypeResponsiveData __asm__("kRLStreamNetworkServiceTypeResponsiveData");
/** The video of a conference: packets have DSCP AF41 (34) and priority 4. */
extern RLStringRef const kCFStreamNetworkServiceTypeVideo __asm__("kRLStreamNetworkServiceTypeVideo");
/** The control of voice calls over IP: packets have DSCP CS5 (40) and priority 6. */
extern RLStringRef const kCFStreamNetworkServiceTypeVoIP __asm__("kRLStreamNetworkServiceTypeVoIP");
/** The audio of a call: packets have DSCP EF (46) and priority 6. */
extern RLStringRef const kCFStreamNetworkServiceTypeVoice __asm__("kRLStreamNetworkServiceTypeVoice");
/** A stream property: whether the stream appends to its file, as a Boolean. */
extern RLStringRef const kCFStreamPropertyAppendToFile __asm__("kRLStreamPropertyAppendToFile");
/** A stream property: the bytes that were written to a stream of CFWriteStreamCreateWithAllocatedBuffers, as data. */
extern RLStringRef const kCFStreamPropertyDataWritten __asm__("kRLStreamPropertyDataWritten");
/** A stream property: the offset in the stream's file, as a number of bytes. */
extern RLStringRef const kCFStreamPropertyFileCurrentOffset __asm__("kRLStreamPropertyFileCurrentOffset");
/** No stream has this property. */
extern RLStringRef const kCFStreamPropertySSLContext __asm__("kRLStreamPropertySSLContext");
/** A stream property: the peer's certificates after the handshake, as an array of data in DER that begins with the peer's own certificate. */
extern RLStringRef const kCFStreamPropertySSLPeerCertificates __asm__("kRLStreamPropertySSLPeerCertificates");
/** No stream has this property. */
extern RLStringRef const kCFStreamPropertySSLPeerTrust __asm__("kRLStreamPropertySSLPeerTrust");
/** A stream property: the TLS settings of a stream over a socket, as a dictionary with the keys `kCFStreamSSL…`, which are all optional. */
extern RLStringRef const kCFStreamPropertySSLSettings __asm__("kRLStreamPropertySSLSettings");
/** A stream property: whether the descriptor is closed after both streams are closed, as a Boolean. */
extern RLStringRef const kCFStreamPropertyShouldCloseNativeSocket __asm__("kRLStreamPropertyShouldCloseNativeSocket");
/** A stream property: the descriptor of the stream's socket, as data with the type CFSocketNativeHandle. */
extern RLStringRef const kCFStreamPropertySocketNativeHandle __asm__("kRLStreamPropertySocketNativeHandle");
/** A stream property: the host that the pair of streams was created to connect to, as a string. */
extern RLStringRef const kCFStreamPropertySocketRemoteHostName __asm__("kRLStreamPropertySocketRemoteHostName");
/** A stream property: the port that the pair of streams was created to connect to, as a number. */
extern RLStringRef const kCFStreamPropertySocketRemotePortNumber __asm__("kRLStreamPropertySocketRemotePortNumber");
/** A stream property: the security level of a stream over a socket, one of the strings `kCFStreamSocketSecurityLevel…`. */
extern RLStringRef const kCFStreamPropertySocketSecurityLevel __asm__("kRLStreamPropertySocketSecurityLevel");
/** A key of the TLS settings: whether any root certificate is accepted. */
extern RLStringRef const kCFStreamSSLAllowsAnyRoot __asm__("kRLStreamSSLAllowsAnyRoot");
/** A key of the TLS settings: whether expired certificates are accepted. */
extern RLStringRef const kCFStreamSSLAllowsExpiredCertificates __asm__("kRLStreamSSLAllowsExpiredCertificates");
/** A key of the TLS settings: whether expired root certificates are accepted. */
extern RLStringRef const kCFStreamSSLAllowsExpiredRoots __asm__("kRLStreamSSLAllowsExpiredRoots");
/** A key of the TLS settings: this side's certificates and private key, as an array of data in PEM. */
extern RLStringRef const kCFStreamSSLCertificates __asm__("kRLStreamSSLCertificates");
/** A key of the TLS settings: whether the stream is the server's side, as a Boolean. */
extern RLStringRef const kCFStreamSSLIsServer __asm__("kRLStreamSSLIsServer");
/** A key of the TLS settings: one of the security levels. */
extern RLStringRef const kCFStreamSSLLevel __asm__("kRLStreamSSLLevel");
/** A key of the TLS settings: the name or address that the peer's certificate must have, as a string, or kCFNull for any name. */
extern RLStringRef const kCFStreamSSLPeerName __asm__("kRLStreamSSLPeerName");
/** A key of the TLS settings: whether the peer's certificates and name are verified, as a Boolean. */
extern RLStringRef const kCFStreamSSLValidatesCertificateChain __asm__("kRLStreamSSLValidatesCertificateChain");
/** The highest TLS version that both sides support. */
extern RLStringRef const kCFStreamSocketSecurityLevelNegotiatedSSL __asm__("kRLStreamSocketSecurityLevelNegotiatedSSL");
/** No security. */
extern RLStringRef const kCFStreamSocketSecurityLevelNone __asm__("kRLStreamSocketSecurityLevelNone");
/** SSL 2, which is insecure: setting this level returns false and logs a line on standard error. */
extern RLStringRef const kCFStreamSocketSecurityLevelSSLv2 __asm__("kRLStreamSocketSecurityLevelSSLv2");
/** SSL 3, which is insecure: setting this level returns false and logs a line on standard error. */
extern RLStringRef const kCFStreamSocketSecurityLevelSSLv3 __asm__("kRLStreamSocketSecurityLevelSSLv3");
/** The highest TLS version that both sides support. */
extern RLStringRef const kCFStreamSocketSecurityLevelTLSv1 __asm__("kRLStreamSocketSecurityLevelTLSv1");
/** The callbacks for elements that are RL objects. */
extern const RLArrayCallBacks kCFTypeArrayCallBacks __asm__("kRLTypeArrayCallBacks");
/** The callbacks for keys that are RL objects. */
extern const RLDictionaryKeyCallBacks kCFTypeDictionaryKeyCallBacks __asm__("kRLTypeDictionaryKeyCallBacks");
/** The callbacks for values that are RL objects. */
extern const RLDictionaryValueCallBacks kCFTypeDictionaryValueCallBacks __asm__("kRLTypeDictionaryValueCallBacks");
/** The callbacks for elements that are RL objects. */
extern const RLSetCallBacks kCFTypeSetCallBacks __asm__("kRLTypeSetCallBacks");
/* clang-format on */

#endif

#endif
