/*
 * CF's names for Swift, of the module CFCompatibility. C has them as macros. Here they are declared
 * with the engine's symbols, so that Swift's importer gives them Apple's types and no code forwards
 * anything. `.ci/names write` makes this file from the engine's headers.
 *
 * Not part of the umbrella header, and empty in C.
 */

#ifndef CRUNLOOP_CFDECLARATIONS_H
#define CRUNLOOP_CFDECLARATIONS_H

#if defined(__swift__)

#include <CRunLoop/CRunLoop.h>

/* Apple's importer has a type of its own for pointers to Boolean. */
/** A Boolean of one byte, as C has it. */
typedef struct {
    /** Not 0 if true. */
    unsigned char _value;
} CFDarwinBoolean RL_SWIFT_NAME(DarwinBoolean);

/* The tool that writes this file breaks no lines. */
/* clang-format off */
/** A date in seconds since 2001-01-01 00:00:00 UTC. */
typedef RLAbsoluteTime CFAbsoluteTime;
/** Adds a span: first years and months, which clamp the day to a shorter month, then days, which keep the time of day, and then the rest. */
extern RLAbsoluteTime CFAbsoluteTimeAddGregorianUnits(RLAbsoluteTime at, RLTimeZoneRef tz, RLGregorianUnits units) __asm__("RLAbsoluteTimeAddGregorianUnits");
/** Returns the current date by the wall clock. */
extern RLAbsoluteTime CFAbsoluteTimeGetCurrent(void) __asm__("RLAbsoluteTimeGetCurrent");
/** Returns the day of the week, from 1 for Monday to 7. */
extern SInt32 CFAbsoluteTimeGetDayOfWeek(RLAbsoluteTime at, RLTimeZoneRef tz) __asm__("RLAbsoluteTimeGetDayOfWeek");
/** Returns the day of the year, from 1 to 366. */
extern SInt32 CFAbsoluteTimeGetDayOfYear(RLAbsoluteTime at, RLTimeZoneRef tz) __asm__("RLAbsoluteTimeGetDayOfYear");
/** Returns the span from `at2` to `at1` in the parts of `unitFlags`, from the greatest part down. */
extern RLGregorianUnits CFAbsoluteTimeGetDifferenceAsGregorianUnits(RLAbsoluteTime at1, RLAbsoluteTime at2, RLTimeZoneRef tz, RLOptionFlags unitFlags) __asm__("RLAbsoluteTimeGetDifferenceAsGregorianUnits");
/** Returns the date of seconds. */
extern RLGregorianDate CFAbsoluteTimeGetGregorianDate(RLAbsoluteTime at, RLTimeZoneRef tz) __asm__("RLAbsoluteTimeGetGregorianDate");
/** Returns the week of the year by ISO 8601, from 1 to 53. */
extern SInt32 CFAbsoluteTimeGetWeekOfYear(RLAbsoluteTime at, RLTimeZoneRef tz) __asm__("RLAbsoluteTimeGetWeekOfYear");
/** Allocates memory. */
extern void *CFAllocatorAllocate(RLAllocatorRef allocator, RLIndex size, RLOptionFlags hint) __asm__("RLAllocatorAllocate");
/** Returns `allocSize` bytes, more than 0, or null. */
typedef RLAllocatorAllocateCallBack CFAllocatorAllocateCallBack;
/** The functions of an allocator. */
typedef RLAllocatorContext CFAllocatorContext;
/** Describes an allocator's info in a string that the caller owns. */
typedef RLAllocatorCopyDescriptionCallBack CFAllocatorCopyDescriptionCallBack;
/** Makes an allocator from a client's functions. */
extern RLAllocatorRef CFAllocatorCreate(RLAllocatorRef allocator, RLAllocatorContext *context) __asm__("RLAllocatorCreate") RL_RETURNS_RETAINED;
/** Frees memory that came from the allocator. */
extern void CFAllocatorDeallocate(RLAllocatorRef allocator, void *ptr) __asm__("RLAllocatorDeallocate");
/** Frees memory. */
typedef RLAllocatorDeallocateCallBack CFAllocatorDeallocateCallBack;
/** Copies the context that the allocator was made with. */
extern void CFAllocatorGetContext(RLAllocatorRef allocator, RLAllocatorContext *context) __asm__("RLAllocatorGetContext");
/** The default allocator of the calling thread: kCFAllocatorSystemDefault unless CFAllocatorSetDefault has set another one. */
extern RLAllocatorRef CFAllocatorGetDefault(void) __asm__("RLAllocatorGetDefault") RL_RETURNS_NOT_RETAINED;
/** Returns how many bytes the allocator, or the thread's default one, would provide for `size`: at least that many, and 0 if `size` is not greater than 0. */
extern RLIndex CFAllocatorGetPreferredSizeForSize(RLAllocatorRef allocator, RLIndex size, RLOptionFlags hint) __asm__("RLAllocatorGetPreferredSizeForSize");
/** The type number of allocators. */
extern RLTypeID CFAllocatorGetTypeID(void) __asm__("RLAllocatorGetTypeID");
/** Returns how many bytes the allocator would provide for `size`: at least that many. */
typedef RLAllocatorPreferredSizeCallBack CFAllocatorPreferredSizeCallBack;
/** Resizes memory, keeping its contents. */
extern void *CFAllocatorReallocate(RLAllocatorRef allocator, void *ptr, RLIndex newsize, RLOptionFlags hint) __asm__("RLAllocatorReallocate");
/** Returns memory of `newsize` bytes, more than 0, with the contents of `ptr`, which is not null. */
typedef RLAllocatorReallocateCallBack CFAllocatorReallocateCallBack;
/** An allocator. */
typedef RLAllocatorRef CFAllocator;
/** Releases an allocator's info. */
typedef RLAllocatorReleaseCallBack CFAllocatorReleaseCallBack;
/** Adds a reference to an allocator's info and returns the info to keep. */
typedef RLAllocatorRetainCallBack CFAllocatorRetainCallBack;
/** Sets the calling thread's default allocator, which the thread keeps until it has another one or ends. */
extern void CFAllocatorSetDefault(RLAllocatorRef allocator) __asm__("RLAllocatorSetDefault");
/** Adds the elements of a range of another array, or of the same one, at the end. */
extern void CFArrayAppendArray(RLMutableArrayRef array, RLArrayRef otherArray, RLRange otherRange) __asm__("RLArrayAppendArray");
/** Adds an element at the end. */
extern void CFArrayAppendValue(RLMutableArrayRef array, const void *value) __asm__("RLArrayAppendValue");
/** Called for an element. */
typedef RLArrayApplierFunction CFArrayApplierFunction;
/** Calls a function for each element of a range, in order. */
extern void CFArrayApplyFunction(RLArrayRef array, RLRange range, RLArrayApplierFunction applier, void *context) __asm__("RLArrayApplyFunction");
/** The index of a value, or of its insertion point, in a range that is sorted in ascending order. */
extern RLIndex CFArrayBSearchValues(RLArrayRef array, RLRange range, const void *value, RLComparatorFunction comparator, void *context) __asm__("RLArrayBSearchValues");
/** The callbacks of an array for its elements. */
typedef RLArrayCallBacks CFArrayCallBacks;
/** Whether an element of a range is equal to `value`. */
extern Boolean CFArrayContainsValue(RLArrayRef array, RLRange range, const void *value) __asm__("RLArrayContainsValue");
/** Describes an element in a string that the caller owns. */
typedef RLArrayCopyDescriptionCallBack CFArrayCopyDescriptionCallBack;
/** Makes an array. */
extern RLArrayRef CFArrayCreate(RLAllocatorRef allocator, const void **values, RLIndex count, const RLArrayCallBacks *callBacks) __asm__("RLArrayCreate") RL_RETURNS_RETAINED;
/** Returns an immutable array with the same elements and callbacks, which the caller owns. */
extern RLArrayRef CFArrayCreateCopy(RLAllocatorRef allocator, RLArrayRef array) __asm__("RLArrayCreateCopy") RL_RETURNS_RETAINED;
/** Makes an empty array that can be changed. */
extern RLMutableArrayRef CFArrayCreateMutable(RLAllocatorRef allocator, RLIndex capacity, const RLArrayCallBacks *callBacks) __asm__("RLArrayCreateMutable") RL_RETURNS_RETAINED;
/** As CFArrayCreateMutable, with the elements and callbacks of another array. */
extern RLMutableArrayRef CFArrayCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity, RLArrayRef array) __asm__("RLArrayCreateMutableCopy") RL_RETURNS_RETAINED;
/** Whether two elements are equal. */
typedef RLArrayEqualCallBack CFArrayEqualCallBack;
/** Exchanges two elements. */
extern void CFArrayExchangeValuesAtIndices(RLMutableArrayRef array, RLIndex first, RLIndex second) __asm__("RLArrayExchangeValuesAtIndices");
/** The number of elements. */
extern RLIndex CFArrayGetCount(RLArrayRef array) __asm__("RLArrayGetCount");
/** The number of a range's elements equal to `value`. */
extern RLIndex CFArrayGetCountOfValue(RLArrayRef array, RLRange range, const void *value) __asm__("RLArrayGetCountOfValue");
/** The index of the first element of a range that is equal to `value`, or kCFNotFound. */
extern RLIndex CFArrayGetFirstIndexOfValue(RLArrayRef array, RLRange range, const void *value) __asm__("RLArrayGetFirstIndexOfValue");
/** The index of the last element of a range that is equal to `value`, or kCFNotFound. */
extern RLIndex CFArrayGetLastIndexOfValue(RLArrayRef array, RLRange range, const void *value) __asm__("RLArrayGetLastIndexOfValue");
/** The type number of arrays, mutable or not. */
extern RLTypeID CFArrayGetTypeID(void) __asm__("RLArrayGetTypeID");
/** The element at `index`, not retained. */
extern const void *CFArrayGetValueAtIndex(RLArrayRef array, RLIndex index) __asm__("RLArrayGetValueAtIndex");
/** Copies the elements of a range into a large enough list, without retaining them. */
extern void CFArrayGetValues(RLArrayRef array, RLRange range, const void **values) __asm__("RLArrayGetValues");
/** Adds an element before the one at `index`, or at the end if that is the count. */
extern void CFArrayInsertValueAtIndex(RLMutableArrayRef array, RLIndex index, const void *value) __asm__("RLArrayInsertValueAtIndex");
/** A reference to an array. */
typedef RLArrayRef CFArray;
/** Releases an element. */
typedef RLArrayReleaseCallBack CFArrayReleaseCallBack;
/** Removes all elements. */
extern void CFArrayRemoveAllValues(RLMutableArrayRef array) __asm__("RLArrayRemoveAllValues");
/** Removes the element at `index`. */
extern void CFArrayRemoveValueAtIndex(RLMutableArrayRef array, RLIndex index) __asm__("RLArrayRemoveValueAtIndex");
/** Replaces the elements of a range by `newCount` others. */
extern void CFArrayReplaceValues(RLMutableArrayRef array, RLRange range, const void **newValues, RLIndex newCount) __asm__("RLArrayReplaceValues");
/** Adds a reference to an element and returns the pointer to store. */
typedef RLArrayRetainCallBack CFArrayRetainCallBack;
/** Replaces the element at `index`, or adds one at the end if that is the count. */
extern void CFArraySetValueAtIndex(RLMutableArrayRef array, RLIndex index, const void *value) __asm__("RLArraySetValueAtIndex");
/** Sorts the elements of a range into ascending order. */
extern void CFArraySortValues(RLMutableArrayRef array, RLRange range, RLComparatorFunction comparator, void *context) __asm__("RLArraySortValues");
/** The type number of Booleans. */
extern RLTypeID CFBooleanGetTypeID(void) __asm__("RLBooleanGetTypeID");
/** Whether the object is kCFBooleanTrue. */
extern Boolean CFBooleanGetValue(RLBooleanRef boolean) __asm__("RLBooleanGetValue");
/** A reference to a Boolean. */
typedef RLBooleanRef CFBoolean;
/** Compares two values. */
typedef RLComparatorFunction CFComparatorFunction;
/** The order of two values. */
typedef RLComparisonResult CFComparisonResult;
/** Returns the name of a type, such as `CFString`. */
extern RLStringRef CFCopyTypeIDDescription(RLTypeID typeID) __asm__("RLCopyTypeIDDescription") RL_RETURNS_RETAINED;
/** Appends bytes. */
extern void CFDataAppendBytes(RLMutableDataRef data, const UInt8 *bytes, RLIndex length) __asm__("RLDataAppendBytes");
/** Makes an object that holds a copy of bytes. */
extern RLDataRef CFDataCreate(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex length) __asm__("RLDataCreate") RL_RETURNS_RETAINED;
/** Returns an immutable copy, which the caller owns. */
extern RLDataRef CFDataCreateCopy(RLAllocatorRef allocator, RLDataRef data) __asm__("RLDataCreateCopy") RL_RETURNS_RETAINED;
/** Makes an empty object that can be changed. */
extern RLMutableDataRef CFDataCreateMutable(RLAllocatorRef allocator, RLIndex capacity) __asm__("RLDataCreateMutable") RL_RETURNS_RETAINED;
/** As CFDataCreateMutable, with the initial bytes of another object. */
extern RLMutableDataRef CFDataCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity, RLDataRef data) __asm__("RLDataCreateMutableCopy") RL_RETURNS_RETAINED;
/** Makes an object that refers to bytes without copying them. */
extern RLDataRef CFDataCreateWithBytesNoCopy(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex length, RLAllocatorRef bytesDeallocator) __asm__("RLDataCreateWithBytesNoCopy") RL_RETURNS_RETAINED;
/** Removes the bytes of a range. */
extern void CFDataDeleteBytes(RLMutableDataRef data, RLRange range) __asm__("RLDataDeleteBytes");
/** Finds the bytes of data in a range of other data. */
extern RLRange CFDataFind(RLDataRef theData, RLDataRef dataToFind, RLRange searchRange, RLDataSearchFlags compareOptions) __asm__("RLDataFind");
/** The bytes, valid until the object is changed or destroyed. */
extern const UInt8 *CFDataGetBytePtr(RLDataRef data) __asm__("RLDataGetBytePtr");
/** Copies the bytes of a range into a buffer, which must be large enough. */
extern void CFDataGetBytes(RLDataRef data, RLRange range, UInt8 *buffer) __asm__("RLDataGetBytes");
/** The number of bytes. */
extern RLIndex CFDataGetLength(RLDataRef data) __asm__("RLDataGetLength");
/** As CFDataGetBytePtr, for writing. */
extern UInt8 *CFDataGetMutableBytePtr(RLMutableDataRef data) __asm__("RLDataGetMutableBytePtr");
/** The type number of bytes, mutable or not. */
extern RLTypeID CFDataGetTypeID(void) __asm__("RLDataGetTypeID");
/** Appends `extraLength` zero bytes. */
extern void CFDataIncreaseLength(RLMutableDataRef data, RLIndex extraLength) __asm__("RLDataIncreaseLength");
/** A reference to bytes. */
typedef RLDataRef CFData;
/** Replaces a range by `newLength` bytes, which may be the object's own. */
extern void CFDataReplaceBytes(RLMutableDataRef data, RLRange range, const UInt8 *newBytes, RLIndex newLength) __asm__("RLDataReplaceBytes");
/** Options for finding bytes. */
typedef RLDataSearchFlags CFDataSearchFlags;
/** Sets the number of bytes: removes bytes at the end, or appends zeros. */
extern void CFDataSetLength(RLMutableDataRef data, RLIndex length) __asm__("RLDataSetLength");
/** Compares two dates. */
extern RLComparisonResult CFDateCompare(RLDateRef theDate, RLDateRef otherDate, void *context) __asm__("RLDateCompare");
/** Makes a date that the caller owns. */
extern RLDateRef CFDateCreate(RLAllocatorRef allocator, RLAbsoluteTime at) __asm__("RLDateCreate") RL_RETURNS_RETAINED;
/** The seconds of a date. */
extern RLAbsoluteTime CFDateGetAbsoluteTime(RLDateRef theDate) __asm__("RLDateGetAbsoluteTime");
/** Returns how many seconds a date is after another one. */
extern RLTimeInterval CFDateGetTimeIntervalSinceDate(RLDateRef theDate, RLDateRef otherDate) __asm__("RLDateGetTimeIntervalSinceDate");
/** The type number of dates. */
extern RLTypeID CFDateGetTypeID(void) __asm__("RLDateGetTypeID");
/** A reference to a date. */
typedef RLDateRef CFDate;
/** Adds an entry unless the dictionary has its key. */
extern void CFDictionaryAddValue(RLMutableDictionaryRef dictionary, const void *key, const void *value) __asm__("RLDictionaryAddValue");
/** Called for an entry. */
typedef RLDictionaryApplierFunction CFDictionaryApplierFunction;
/** Calls a function, which must not change the dictionary, for each entry. */
extern void CFDictionaryApplyFunction(RLDictionaryRef dictionary, RLDictionaryApplierFunction applier, void *context) __asm__("RLDictionaryApplyFunction");
/** Whether there is a key equal to `key`. */
extern Boolean CFDictionaryContainsKey(RLDictionaryRef dictionary, const void *key) __asm__("RLDictionaryContainsKey");
/** Whether there is a value equal to `value`. */
extern Boolean CFDictionaryContainsValue(RLDictionaryRef dictionary, const void *value) __asm__("RLDictionaryContainsValue");
/** Describes a key or a value in a string that the caller owns. */
typedef RLDictionaryCopyDescriptionCallBack CFDictionaryCopyDescriptionCallBack;
/** Makes a dictionary. */
extern RLDictionaryRef CFDictionaryCreate(RLAllocatorRef allocator, const void **keys, const void **values, RLIndex count, const RLDictionaryKeyCallBacks *keyCallBacks, const RLDictionaryValueCallBacks *valueCallBacks) __asm__("RLDictionaryCreate") RL_RETURNS_RETAINED;
/** Returns an immutable dictionary with the same entries and callbacks, which the caller owns. */
extern RLDictionaryRef CFDictionaryCreateCopy(RLAllocatorRef allocator, RLDictionaryRef dictionary) __asm__("RLDictionaryCreateCopy") RL_RETURNS_RETAINED;
/** Makes an empty dictionary that can be changed. */
extern RLMutableDictionaryRef CFDictionaryCreateMutable( RLAllocatorRef allocator, RLIndex capacity, const RLDictionaryKeyCallBacks *keyCallBacks, const RLDictionaryValueCallBacks *valueCallBacks) __asm__("RLDictionaryCreateMutable") RL_RETURNS_RETAINED;
/** As CFDictionaryCreateMutable, with the entries and callbacks of another dictionary. */
extern RLMutableDictionaryRef CFDictionaryCreateMutableCopy( RLAllocatorRef allocator, RLIndex capacity, RLDictionaryRef dictionary) __asm__("RLDictionaryCreateMutableCopy") RL_RETURNS_RETAINED;
/** Whether two keys, or two values, are equal. */
typedef RLDictionaryEqualCallBack CFDictionaryEqualCallBack;
/** The number of entries. */
extern RLIndex CFDictionaryGetCount(RLDictionaryRef dictionary) __asm__("RLDictionaryGetCount");
/** 1 if there is a key equal to `key`, 0 if there is none. */
extern RLIndex CFDictionaryGetCountOfKey(RLDictionaryRef dictionary, const void *key) __asm__("RLDictionaryGetCountOfKey");
/** The number of values that are equal to `value`. */
extern RLIndex CFDictionaryGetCountOfValue(RLDictionaryRef dictionary, const void *value) __asm__("RLDictionaryGetCountOfValue");
/** Whether there is a key equal to `key`. */
extern Boolean CFDictionaryGetKeyIfPresent(RLDictionaryRef dictionary, const void *key, const void **actualKey) __asm__("RLDictionaryGetKeyIfPresent");
/** Copies all keys and values, in the same order, into lists that are large enough, without retaining them. */
extern void CFDictionaryGetKeysAndValues(RLDictionaryRef dictionary, const void **keys, const void **values) __asm__("RLDictionaryGetKeysAndValues");
/** The type number of dictionaries, mutable or not. */
extern RLTypeID CFDictionaryGetTypeID(void) __asm__("RLDictionaryGetTypeID");
/** The value of a key, not retained, or null if there is none. */
extern const void *CFDictionaryGetValue(RLDictionaryRef dictionary, const void *key) __asm__("RLDictionaryGetValue");
/** Whether there is a key equal to `key`. */
extern Boolean CFDictionaryGetValueIfPresent(RLDictionaryRef dictionary, const void *key, const void **value) __asm__("RLDictionaryGetValueIfPresent");
/** The hash of a key. */
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
/** Adds a reference to a key or a value and returns the pointer to store. */
typedef RLDictionaryRetainCallBack CFDictionaryRetainCallBack;
/** Adds an entry, or replaces the key and value of the existing one. */
extern void CFDictionarySetValue(RLMutableDictionaryRef dictionary, const void *key, const void *value) __asm__("RLDictionarySetValue");
/** The callbacks of a dictionary for its values. */
typedef RLDictionaryValueCallBacks CFDictionaryValueCallBacks;
/** Returns a sentence about the error for the user, which the caller owns: made from the keys for descriptions and reasons, or else from domain and code. */
extern RLStringRef CFErrorCopyDescription(RLErrorRef err) __asm__("RLErrorCopyDescription") RL_RETURNS_RETAINED;
/** Returns the reason of the failure, which the caller owns: the value of the key, or the system's text for an errno value. */
extern RLStringRef CFErrorCopyFailureReason(RLErrorRef err) __asm__("RLErrorCopyFailureReason") RL_RETURNS_RETAINED;
/** Returns the recovery suggestion, the value of the key, which the caller owns. */
extern RLStringRef CFErrorCopyRecoverySuggestion(RLErrorRef err) __asm__("RLErrorCopyRecoverySuggestion") RL_RETURNS_RETAINED;
/** Returns the further information, which may be empty. */
extern RLDictionaryRef CFErrorCopyUserInfo(RLErrorRef err) __asm__("RLErrorCopyUserInfo") RL_RETURNS_RETAINED;
/** Makes an error. */
extern RLErrorRef CFErrorCreate(RLAllocatorRef allocator, RLErrorDomain domain, RLIndex code, RLDictionaryRef userInfo) __asm__("RLErrorCreate") RL_RETURNS_RETAINED;
/** As CFErrorCreate, with lists of keys, which are strings, and values, which are objects. */
extern RLErrorRef CFErrorCreateWithUserInfoKeysAndValues( RLAllocatorRef allocator, RLErrorDomain domain, RLIndex code, const void *const *userInfoKeys, const void *const *userInfoValues, RLIndex numUserInfoValues) __asm__("RLErrorCreateWithUserInfoKeysAndValues") RL_RETURNS_RETAINED;
/** The name of a domain of codes. */
typedef RLErrorDomain CFErrorDomain;
/** The code of an error. */
extern RLIndex CFErrorGetCode(RLErrorRef err) __asm__("RLErrorGetCode");
/** The domain of an error, not retained. */
extern RLErrorDomain CFErrorGetDomain(RLErrorRef err) __asm__("RLErrorGetDomain") RL_RETURNS_NOT_RETAINED;
/** The type number of errors. */
extern RLTypeID CFErrorGetTypeID(void) __asm__("RLErrorGetTypeID");
/** A reference to an error. */
typedef RLErrorRef CFError;
/** The callback of a descriptor. */
typedef RLFileDescriptorCallBack CFFileDescriptorCallBack;
/** The client data of a descriptor. */
typedef RLFileDescriptorContext CFFileDescriptorContext;
/** Makes an object for a descriptor. */
extern RLFileDescriptorRef CFFileDescriptorCreate(RLAllocatorRef allocator, RLFileDescriptorNativeDescriptor descriptor, Boolean closeOnInvalidate, RLFileDescriptorCallBack callout, const RLFileDescriptorContext *context) __asm__("RLFileDescriptorCreate") RL_RETURNS_RETAINED;
/** Returns the source of the object, for any loops and modes: always the same one, unless that was invalidated. */
extern RLRunLoopSourceRef CFFileDescriptorCreateRunLoopSource(RLAllocatorRef allocator, RLFileDescriptorRef descriptor, RLIndex order) __asm__("RLFileDescriptorCreateRunLoopSource") RL_RETURNS_RETAINED;
/** Disables callbacks that were enabled. */
extern void CFFileDescriptorDisableCallBacks(RLFileDescriptorRef descriptor, RLOptionFlags callBackTypes) __asm__("RLFileDescriptorDisableCallBacks");
/** Enables callbacks, each for one call. */
extern void CFFileDescriptorEnableCallBacks(RLFileDescriptorRef descriptor, RLOptionFlags callBackTypes) __asm__("RLFileDescriptorEnableCallBacks");
/** Copies the client data. */
extern void CFFileDescriptorGetContext(RLFileDescriptorRef descriptor, RLFileDescriptorContext *context) __asm__("RLFileDescriptorGetContext");
/** The descriptor. */
extern RLFileDescriptorNativeDescriptor CFFileDescriptorGetNativeDescriptor(RLFileDescriptorRef descriptor) __asm__("RLFileDescriptorGetNativeDescriptor");
/** The type number of descriptors. */
extern RLTypeID CFFileDescriptorGetTypeID(void) __asm__("RLFileDescriptorGetTypeID");
/** Makes the object invalid for good: invalidates its source, closes the descriptor if `closeOnInvalidate` was set, releases the info, and wakes the loops that its source was in. */
extern void CFFileDescriptorInvalidate(RLFileDescriptorRef descriptor) __asm__("RLFileDescriptorInvalidate");
/** Whether the object is valid, that is, has not been invalidated. */
extern Boolean CFFileDescriptorIsValid(RLFileDescriptorRef descriptor) __asm__("RLFileDescriptorIsValid");
/** The system's type of a descriptor. */
typedef RLFileDescriptorNativeDescriptor CFFileDescriptorNativeDescriptor;
/** A reference to a descriptor with callbacks. */
typedef RLFileDescriptorRef CFFileDescriptor;
/** A date of the Gregorian calendar, which is used for all dates. */
typedef RLGregorianDate CFGregorianDate;
/** Returns the date in seconds. */
extern RLAbsoluteTime CFGregorianDateGetAbsoluteTime(RLGregorianDate gdate, RLTimeZoneRef tz) __asm__("RLGregorianDateGetAbsoluteTime");
/** Returns whether the parts of a date in `unitFlags` are valid and its year is after 0. */
extern Boolean CFGregorianDateIsValid(RLGregorianDate gdate, RLOptionFlags unitFlags) __asm__("RLGregorianDateIsValid");
/** The parts of dates and spans. */
typedef RLGregorianUnitFlags CFGregorianUnitFlags;
/** A span of time. */
typedef RLGregorianUnits CFGregorianUnits;
/** A hash value of pointer size. */
typedef RLHashCode CFHashCode;
/** Cancels a resolution: a blocking call fails, and the client is not called. */
extern void CFHostCancelInfoResolution(RLHostRef theHost, RLHostInfoType info) __asm__("RLHostCancelInfoResolution");
/** Called when a resolution has ended, unless it was canceled. */
typedef RLHostClientCallBack CFHostClientCallBack;
/** The client data of a host. */
typedef RLHostClientContext CFHostClientContext;
/** Makes a copy of a host and its resolved information, without its client. */
extern RLHostRef CFHostCreateCopy(RLAllocatorRef alloc, RLHostRef host) __asm__("RLHostCreateCopy") RL_RETURNS_RETAINED;
/** Makes a host with an address. */
extern RLHostRef CFHostCreateWithAddress(RLAllocatorRef allocator, RLDataRef addr) __asm__("RLHostCreateWithAddress") RL_RETURNS_RETAINED;
/** Makes a host with a name, or a numeric address as text. */
extern RLHostRef CFHostCreateWithName(RLAllocatorRef allocator, RLStringRef hostname) __asm__("RLHostCreateWithName") RL_RETURNS_RETAINED;
/** The addresses of a host, as data that is a sockaddr with port 0. */
extern RLArrayRef CFHostGetAddressing(RLHostRef theHost, Boolean *hasBeenResolved) __asm__("RLHostGetAddressing") RL_RETURNS_NOT_RETAINED RL_SWIFT_SECOND_CHOICE;
/** The addresses of a host, as data that is a sockaddr with port 0. */
extern RLArrayRef CFHostGetAddressingWithDarwinBoolean(RLHostRef theHost, CFDarwinBoolean *hasBeenResolved) __asm__("RLHostGetAddressing") RL_RETURNS_NOT_RETAINED RL_SWIFT_NAME(CFHostGetAddressing(_:_:));
/** The names of a host, as CFHostGetAddressing has the addresses. */
extern RLArrayRef CFHostGetNames(RLHostRef theHost, Boolean *hasBeenResolved) __asm__("RLHostGetNames") RL_RETURNS_NOT_RETAINED RL_SWIFT_SECOND_CHOICE;
/** The names of a host, as CFHostGetAddressing has the addresses. */
extern RLArrayRef CFHostGetNamesWithDarwinBoolean(RLHostRef theHost, CFDarwinBoolean *hasBeenResolved) __asm__("RLHostGetNames") RL_RETURNS_NOT_RETAINED RL_SWIFT_NAME(CFHostGetNames(_:_:));
/** The type number of hosts. */
extern RLTypeID CFHostGetTypeID(void) __asm__("RLHostGetTypeID");
/** The kinds of information on a host. */
typedef RLHostInfoType CFHostInfoType;
/** A reference to a host. */
typedef RLHostRef CFHost;
/** Schedules the client in a mode of a loop, in addition to others. */
extern void CFHostScheduleWithRunLoop(RLHostRef theHost, RLRunLoopRef runLoop, RLStringRef runLoopMode) __asm__("RLHostScheduleWithRunLoop");
/** Sets the client, which is called at the end of resolutions, and replaces the former one. */
extern Boolean CFHostSetClient(RLHostRef theHost, RLHostClientCallBack clientCB, RLHostClientContext *clientContext) __asm__("RLHostSetClient");
/** Resolves the names or addresses of a host: in the background if it has a client, else before this returns. */
extern Boolean CFHostStartInfoResolution(RLHostRef theHost, RLHostInfoType info, RLStreamError *error) __asm__("RLHostStartInfoResolution");
/** Unschedules the client from a mode of a loop. */
extern void CFHostUnscheduleFromRunLoop(RLHostRef theHost, RLRunLoopRef runLoop, RLStringRef runLoopMode) __asm__("RLHostUnscheduleFromRunLoop");
/** A signed count or index of pointer size. */
typedef RLIndex CFIndex;
/** A locale. */
typedef RLLocaleRef CFLocale;
/** Writes a message like CFLog, without format specifiers. */
extern void CFLog1(RLLogLevel level, RLStringRef message) __asm__("RLLog1");
/** The importance of a message. */
typedef RLLogLevel CFLogLevel;
/** Receives a message, on the thread of the loop that serves the port: `message` points to its header, which the other bytes follow. */
typedef RLMachPortCallBack CFMachPortCallBack;
/** The client data of a port. */
typedef RLMachPortContext CFMachPortContext;
/** Makes a port with both ends. */
extern RLMachPortRef CFMachPortCreate(RLAllocatorRef allocator, RLMachPortCallBack callout, const RLMachPortContext *context, Boolean *shouldFreeInfo) __asm__("RLMachPortCreate") RL_RETURNS_RETAINED RL_SWIFT_SECOND_CHOICE;
/** Makes a port with both ends. */
extern RLMachPortRef CFMachPortCreateWithDarwinBoolean(RLAllocatorRef allocator, RLMachPortCallBack callout, const RLMachPortContext *context, CFDarwinBoolean *shouldFreeInfo) __asm__("RLMachPortCreate") RL_RETURNS_RETAINED RL_SWIFT_NAME(CFMachPortCreate(_:_:_:_:));
/** Returns the source of the port, for any loops and modes: always the same one, unless that was invalidated. */
extern RLRunLoopSourceRef CFMachPortCreateRunLoopSource(RLAllocatorRef allocator, RLMachPortRef port, RLIndex order) __asm__("RLMachPortCreateRunLoopSource") RL_RETURNS_RETAINED;
/** Makes a port that receives from a descriptor. */
extern RLMachPortRef CFMachPortCreateWithPort(RLAllocatorRef allocator, RLMachPortName port, RLMachPortCallBack callout, const RLMachPortContext *context, Boolean *shouldFreeInfo) __asm__("RLMachPortCreateWithPort") RL_RETURNS_RETAINED RL_SWIFT_SECOND_CHOICE;
/** Makes a port that receives from a descriptor. */
extern RLMachPortRef CFMachPortCreateWithPortWithDarwinBoolean(RLAllocatorRef allocator, RLMachPortName port, RLMachPortCallBack callout, const RLMachPortContext *context, CFDarwinBoolean *shouldFreeInfo) __asm__("RLMachPortCreateWithPort") RL_RETURNS_RETAINED RL_SWIFT_NAME(CFMachPortCreateWithPort(_:_:_:_:_:));
/** Copies the client data. */
extern void CFMachPortGetContext(RLMachPortRef port, RLMachPortContext *context) __asm__("RLMachPortGetContext");
/** The callback for when the port has become invalid. */
extern RLMachPortInvalidationCallBack CFMachPortGetInvalidationCallBack(RLMachPortRef port) __asm__("RLMachPortGetInvalidationCallBack");
/** The descriptor to send to. */
extern RLMachPortName CFMachPortGetPort(RLMachPortRef port) __asm__("RLMachPortGetPort");
/** The type number of Mach ports. */
extern RLTypeID CFMachPortGetTypeID(void) __asm__("RLMachPortGetTypeID");
/** Makes the port invalid for good: calls the invalidation callback, invalidates the source, closes the receiving end if the port made it, and releases the info. */
extern void CFMachPortInvalidate(RLMachPortRef port) __asm__("RLMachPortInvalidate");
/** Called once, when the port has become invalid. */
typedef RLMachPortInvalidationCallBack CFMachPortInvalidationCallBack;
/** Whether the port can receive. */
extern Boolean CFMachPortIsValid(RLMachPortRef port) __asm__("RLMachPortIsValid");
/** A reference to a Mach port. */
typedef RLMachPortRef CFMachPort;
/** Sets the callback for when the port has become invalid. */
extern void CFMachPortSetInvalidationCallBack(RLMachPortRef port, RLMachPortInvalidationCallBack callout) __asm__("RLMachPortSetInvalidationCallBack");
/** Receives a message. */
typedef RLMessagePortCallBack CFMessagePortCallBack;
/** The client data of a local port. */
typedef RLMessagePortContext CFMessagePortContext;
/** Makes a port that receives, or returns this process's existing port of the name. */
extern RLMessagePortRef CFMessagePortCreateLocal(RLAllocatorRef allocator, RLStringRef name, RLMessagePortCallBack callback, RLMessagePortContext *context, Boolean *shouldFreeInfo) __asm__("RLMessagePortCreateLocal") RL_RETURNS_RETAINED RL_SWIFT_SECOND_CHOICE;
/** Makes a port that receives, or returns this process's existing port of the name. */
extern RLMessagePortRef CFMessagePortCreateLocalWithDarwinBoolean(RLAllocatorRef allocator, RLStringRef name, RLMessagePortCallBack callback, RLMessagePortContext *context, CFDarwinBoolean *shouldFreeInfo) __asm__("RLMessagePortCreateLocal") RL_RETURNS_RETAINED RL_SWIFT_NAME(CFMessagePortCreateLocal(_:_:_:_:_:));
/** Makes a port that sends, or returns this process's existing port for the name. */
extern RLMessagePortRef CFMessagePortCreateRemote(RLAllocatorRef allocator, RLStringRef name) __asm__("RLMessagePortCreateRemote") RL_RETURNS_RETAINED;
/** Returns the source of a local port, which a loop has to serve: always the same one as long as it is valid. */
extern RLRunLoopSourceRef CFMessagePortCreateRunLoopSource(RLAllocatorRef allocator, RLMessagePortRef local, RLIndex order) __asm__("RLMessagePortCreateRunLoopSource") RL_RETURNS_RETAINED;
/** Copies the context. */
extern void CFMessagePortGetContext(RLMessagePortRef port, RLMessagePortContext *context) __asm__("RLMessagePortGetContext");
/** The invalidation callback, or null. */
extern RLMessagePortInvalidationCallBack CFMessagePortGetInvalidationCallBack(RLMessagePortRef port) __asm__("RLMessagePortGetInvalidationCallBack");
/** The name, valid until the port is destroyed or gets another one. */
extern RLStringRef CFMessagePortGetName(RLMessagePortRef port) __asm__("RLMessagePortGetName") RL_RETURNS_NOT_RETAINED;
/** The type number of message ports. */
extern RLTypeID CFMessagePortGetTypeID(void) __asm__("RLMessagePortGetTypeID");
/** Makes the port invalid for good: frees its name, calls its invalidation callback on the calling thread, releases its context, invalidates its source and closes its connections, in this order. */
extern void CFMessagePortInvalidate(RLMessagePortRef port) __asm__("RLMessagePortInvalidate");
/** Called once, when the port has become invalid. */
typedef RLMessagePortInvalidationCallBack CFMessagePortInvalidationCallBack;
/** Whether the port is remote, that is, sends. */
extern Boolean CFMessagePortIsRemote(RLMessagePortRef port) __asm__("RLMessagePortIsRemote");
/** Whether the port can be used. */
extern Boolean CFMessagePortIsValid(RLMessagePortRef port) __asm__("RLMessagePortIsValid");
/** A reference to a message port. */
typedef RLMessagePortRef CFMessagePort;
/** Sends a message, and waits for the reply if `replyMode` is not null. */
extern SInt32 CFMessagePortSendRequest(RLMessagePortRef remote, SInt32 messageID, RLDataRef data, RLTimeInterval sendTimeout, RLTimeInterval receiveTimeout, RLStringRef replyMode, RLDataRef *returnData) __asm__("RLMessagePortSendRequest") RL_SWIFT_BLOCKING;
/** Sets the callback for when the port becomes invalid. */
extern void CFMessagePortSetInvalidationCallBack(RLMessagePortRef port, RLMessagePortInvalidationCallBack callback) __asm__("RLMessagePortSetInvalidationCallBack");
/** Renames a local port. */
extern Boolean CFMessagePortSetName(RLMessagePortRef port, RLStringRef name) __asm__("RLMessagePortSetName");
/** Called with a notification: the center, the observer, the name, object and user info. */
typedef RLNotificationCallback CFNotificationCallback;
/** Adds an observer. */
extern void CFNotificationCenterAddObserver(RLNotificationCenterRef center, const void *observer, RLNotificationCallback callBack, RLStringRef name, const void *object, RLNotificationSuspensionBehavior suspensionBehavior) __asm__("RLNotificationCenterAddObserver");
/** The center of the user's processes for names alone. */
extern RLNotificationCenterRef CFNotificationCenterGetDarwinNotifyCenter(void) __asm__("RLNotificationCenterGetDarwinNotifyCenter") RL_RETURNS_NOT_RETAINED;
/** The center of the user's processes. */
extern RLNotificationCenterRef CFNotificationCenterGetDistributedCenter(void) __asm__("RLNotificationCenterGetDistributedCenter") RL_RETURNS_NOT_RETAINED;
/** The center of this process. */
extern RLNotificationCenterRef CFNotificationCenterGetLocalCenter(void) __asm__("RLNotificationCenterGetLocalCenter") RL_RETURNS_NOT_RETAINED;
/** The type number of notification centers. */
extern RLTypeID CFNotificationCenterGetTypeID(void) __asm__("RLNotificationCenterGetTypeID");
/** A reference to a notification center. */
typedef RLNotificationCenterRef CFNotificationCenter;
/** Removes an observer entirely. */
extern void CFNotificationCenterRemoveEveryObserver(RLNotificationCenterRef center, const void *observer) __asm__("RLNotificationCenterRemoveEveryObserver");
/** The treatment of notifications for an observer while the distributed center is suspended. */
typedef RLNotificationSuspensionBehavior CFNotificationSuspensionBehavior;
/** The type number of kCFNull. */
extern RLTypeID CFNullGetTypeID(void) __asm__("RLNullGetTypeID");
/** A reference to the null object. */
typedef RLNullRef CFNull;
/** Compares two numbers by their values, exactly, whatever their types. */
extern RLComparisonResult CFNumberCompare(RLNumberRef number, RLNumberRef otherNumber, void *context) __asm__("RLNumberCompare");
/** Makes a number. */
extern RLNumberRef CFNumberCreate(RLAllocatorRef allocator, RLNumberType theType, const void *valuePtr) __asm__("RLNumberCreate") RL_RETURNS_RETAINED;
/** The size in bytes of the type that CFNumberGetType returns. */
extern RLIndex CFNumberGetByteSize(RLNumberRef number) __asm__("RLNumberGetByteSize");
/** The type in which the value is stored: the fixed-size type, one of the first six, that is equivalent to the type of its creation. */
extern RLNumberType CFNumberGetType(RLNumberRef number) __asm__("RLNumberGetType");
/** The type number of numbers. */
extern RLTypeID CFNumberGetTypeID(void) __asm__("RLNumberGetTypeID");
/** Converts the number to a C type. */
extern Boolean CFNumberGetValue(RLNumberRef number, RLNumberType theType, void *valuePtr) __asm__("RLNumberGetValue");
/** Whether the number is stored as a floating-point number. */
extern Boolean CFNumberIsFloatType(RLNumberRef number) __asm__("RLNumberIsFloatType");
/** A reference to a number. */
typedef RLNumberRef CFNumber;
/** The C type of a number. */
typedef RLNumberType CFNumberType;
/** A set of flags of pointer size. */
typedef RLOptionFlags CFOptionFlags;
/** A range of indices, which count from 0. */
typedef RLRange CFRange;
/** The callback of a read stream, with one event at a time. */
typedef RLReadStreamClientCallBack CFReadStreamClientCallBack;
/** Closes the stream, removes it from all loops, and ends its events. */
extern void CFReadStreamClose(RLReadStreamRef stream) __asm__("RLReadStreamClose");
/** The error with which the stream failed, of the domain of errno values or of TLS (CFStreamSecurity.h). */
extern RLErrorRef CFReadStreamCopyError(RLReadStreamRef stream) __asm__("RLReadStreamCopyError") RL_RETURNS_RETAINED;
/** Makes a stream that reads bytes in memory. */
extern RLReadStreamRef CFReadStreamCreateWithBytesNoCopy(RLAllocatorRef alloc, const UInt8 *bytes, RLIndex length, RLAllocatorRef bytesDeallocator) __asm__("RLReadStreamCreateWithBytesNoCopy") RL_RETURNS_RETAINED;
/** As CFReadStreamCreateWithPath, with a URL. */
extern RLReadStreamRef CFReadStreamCreateWithFile(RLAllocatorRef alloc, RLURLRef fileURL) __asm__("RLReadStreamCreateWithFile") RL_RETURNS_RETAINED;
/** Reads bytes without copying them, if the stream reads bytes in memory. */
extern const UInt8 *CFReadStreamGetBuffer(RLReadStreamRef stream, RLIndex maxBytesToRead, RLIndex *numBytesRead) __asm__("RLReadStreamGetBuffer");
/** The error with which the stream failed. */
extern RLStreamError CFReadStreamGetError(RLReadStreamRef stream) __asm__("RLReadStreamGetError");
/** The status of the stream. */
extern RLStreamStatus CFReadStreamGetStatus(RLReadStreamRef stream) __asm__("RLReadStreamGetStatus");
/** The type number of read streams. */
extern RLTypeID CFReadStreamGetTypeID(void) __asm__("RLReadStreamGetTypeID");
/** Whether reading would not block: there are bytes, the end, or an error. */
extern Boolean CFReadStreamHasBytesAvailable(RLReadStreamRef stream) __asm__("RLReadStreamHasBytesAvailable");
/** Opens the stream, or begins to. */
extern Boolean CFReadStreamOpen(RLReadStreamRef stream) __asm__("RLReadStreamOpen");
/** Reads the available bytes, and blocks if there are none. */
extern RLIndex CFReadStreamRead(RLReadStreamRef stream, UInt8 *buffer, RLIndex bufferLength) __asm__("RLReadStreamRead") RL_SWIFT_BLOCKING;
/** A reference to a stream that is read. */
typedef RLReadStreamRef CFReadStream;
/** Delivers events to the client in a mode of a loop, in addition to others. */
extern void CFReadStreamScheduleWithRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop, RLRunLoopMode runLoopMode) __asm__("RLReadStreamScheduleWithRunLoop") RL_SWIFT_SECOND_CHOICE;
/** Sets the client that receives the stream's events, and replaces the former one. */
extern Boolean CFReadStreamSetClient(RLReadStreamRef stream, RLOptionFlags streamEvents, RLReadStreamClientCallBack clientCB, RLStreamClientContext *clientContext) __asm__("RLReadStreamSetClient");
/** Stops delivering events in a mode of a loop. */
extern void CFReadStreamUnscheduleFromRunLoop(RLReadStreamRef stream, RLRunLoopRef runLoop, RLRunLoopMode runLoopMode) __asm__("RLReadStreamUnscheduleFromRunLoop") RL_SWIFT_SECOND_CHOICE;
/** The activities of a loop. */
typedef RLRunLoopActivity CFRunLoopActivity;
/** Makes a mode a common mode for good: it receives all common items, present and future. */
extern void CFRunLoopAddCommonMode(RLRunLoopRef loop, RLRunLoopMode mode) __asm__("RLRunLoopAddCommonMode") RL_SWIFT_SECOND_CHOICE;
/** Adds an observer to a mode, or to all common modes, and retains it. */
extern void CFRunLoopAddObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer, RLRunLoopMode mode) __asm__("RLRunLoopAddObserver") RL_SWIFT_SECOND_CHOICE;
/** Adds a source to a mode, or to all common modes, and retains it. */
extern void CFRunLoopAddSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode) __asm__("RLRunLoopAddSource") RL_SWIFT_SECOND_CHOICE;
/** Adds a timer to a mode, or to all common modes, and retains it. */
extern void CFRunLoopAddTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode) __asm__("RLRunLoopAddTimer") RL_SWIFT_SECOND_CHOICE;
/** Whether the observer is in the mode or, for kCFRunLoopCommonModes, among the common items. */
extern Boolean CFRunLoopContainsObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer, RLRunLoopMode mode) __asm__("RLRunLoopContainsObserver") RL_SWIFT_SECOND_CHOICE;
/** Whether the source, or one equal to it, is in the mode or, for kCFRunLoopCommonModes, among the common items. */
extern Boolean CFRunLoopContainsSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode) __asm__("RLRunLoopContainsSource") RL_SWIFT_SECOND_CHOICE;
/** Whether the timer is in the mode or, for kCFRunLoopCommonModes, among the common items. */
extern Boolean CFRunLoopContainsTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode) __asm__("RLRunLoopContainsTimer") RL_SWIFT_SECOND_CHOICE;
/** The names of all modes of the loop, in no particular order. */
extern RLArrayRef CFRunLoopCopyAllModes(RLRunLoopRef loop) __asm__("RLRunLoopCopyAllModes") RL_RETURNS_RETAINED;
/** The calling thread's loop, made at the first call. */
extern RLRunLoopRef CFRunLoopGetCurrent(void) __asm__("RLRunLoopGetCurrent") RL_RETURNS_NOT_RETAINED;
/** The main thread's loop, from any thread. */
extern RLRunLoopRef CFRunLoopGetMain(void) __asm__("RLRunLoopGetMain") RL_RETURNS_NOT_RETAINED;
/** The date at which the first timer of the mode is due, or 0 if it has none. */
extern RLAbsoluteTime CFRunLoopGetNextTimerFireDate(RLRunLoopRef loop, RLRunLoopMode mode) __asm__("RLRunLoopGetNextTimerFireDate") RL_SWIFT_SECOND_CHOICE;
/** The type number of loops. */
extern RLTypeID CFRunLoopGetTypeID(void) __asm__("RLRunLoopGetTypeID");
/** Whether the loop is asleep or polling for events. */
extern Boolean CFRunLoopIsWaiting(RLRunLoopRef loop) __asm__("RLRunLoopIsWaiting");
/** The callback of an observer. */
typedef RLRunLoopObserverCallBack CFRunLoopObserverCallBack;
/** The client data of an observer. */
typedef RLRunLoopObserverContext CFRunLoopObserverContext;
/** Makes an observer. */
extern RLRunLoopObserverRef CFRunLoopObserverCreate( RLAllocatorRef allocator, RLOptionFlags activities, Boolean repeats, RLIndex order, RLRunLoopObserverCallBack callout, RLRunLoopObserverContext *context) __asm__("RLRunLoopObserverCreate") RL_RETURNS_RETAINED;
/** As CFRunLoopObserverCreate, with a block, which is copied and released at invalidation. */
extern RLRunLoopObserverRef CFRunLoopObserverCreateWithHandler( RLAllocatorRef allocator, RLOptionFlags activities, Boolean repeats, RLIndex order, void(^ block)(RLRunLoopObserverRef observer, RLRunLoopActivity activity)) __asm__("RLRunLoopObserverCreateWithHandler") RL_RETURNS_RETAINED;
/** Whether the observer is called more than once. */
extern Boolean CFRunLoopObserverDoesRepeat(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverDoesRepeat");
/** The activities given when the observer was made. */
extern RLOptionFlags CFRunLoopObserverGetActivities(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverGetActivities");
/** Copies the observer's context, with a null info if it is invalid. */
extern void CFRunLoopObserverGetContext(RLRunLoopObserverRef observer, RLRunLoopObserverContext *context) __asm__("RLRunLoopObserverGetContext");
/** The order given when the observer was made. */
extern RLIndex CFRunLoopObserverGetOrder(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverGetOrder");
/** The type number of observers. */
extern RLTypeID CFRunLoopObserverGetTypeID(void) __asm__("RLRunLoopObserverGetTypeID");
/** Makes the observer invalid for good, removes it from all modes and releases its info. */
extern void CFRunLoopObserverInvalidate(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverInvalidate");
/** Whether the observer may be added to a loop. */
extern Boolean CFRunLoopObserverIsValid(RLRunLoopObserverRef observer) __asm__("RLRunLoopObserverIsValid");
/** A reference to an observer. */
typedef RLRunLoopObserverRef CFRunLoopObserver;
/** A reference to a run loop. */
typedef RLRunLoopRef CFRunLoop;
/** Removes an observer from a mode or from all common modes. */
extern void CFRunLoopRemoveObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer, RLRunLoopMode mode) __asm__("RLRunLoopRemoveObserver") RL_SWIFT_SECOND_CHOICE;
/** Removes a source from a mode or from all common modes, and calls a version-0 source's `cancel`. */
extern void CFRunLoopRemoveSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode) __asm__("RLRunLoopRemoveSource") RL_SWIFT_SECOND_CHOICE;
/** Removes a timer from a mode or from all common modes. */
extern void CFRunLoopRemoveTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode) __asm__("RLRunLoopRemoveTimer") RL_SWIFT_SECOND_CHOICE;
/** Runs the calling thread's loop in the default mode until it is stopped or the mode is empty: without sources, timers and blocks. */
extern void CFRunLoopRun(void) __asm__("RLRunLoopRun") RL_SWIFT_BLOCKING;
/** Runs the calling thread's loop in a mode. */
extern RLRunLoopRunResult CFRunLoopRunInMode(RLRunLoopMode mode, RLTimeInterval seconds, Boolean returnAfterSourceHandled) __asm__("RLRunLoopRunInMode") RL_SWIFT_BLOCKING RL_SWIFT_SECOND_CHOICE;
/** The reason for which a run ended. */
typedef RLRunLoopRunResult CFRunLoopRunResult;
/** Version 0: a source that its client signals and whose loop its client wakes. */
typedef RLRunLoopSourceContext CFRunLoopSourceContext;
/** Version 1: a source whose port makes it ready. */
typedef RLRunLoopSourceContext1 CFRunLoopSourceContext1;
/** Makes a source, which is valid, not signaled, and in no loop. */
extern RLRunLoopSourceRef CFRunLoopSourceCreate( RLAllocatorRef allocator, RLIndex order, RLRunLoopSourceContext *context) __asm__("RLRunLoopSourceCreate") RL_RETURNS_RETAINED;
/** Copies the source's context. */
extern void CFRunLoopSourceGetContext(RLRunLoopSourceRef source, RLRunLoopSourceContext *context) __asm__("RLRunLoopSourceGetContext");
/** The order given when the source was made. */
extern RLIndex CFRunLoopSourceGetOrder(RLRunLoopSourceRef source) __asm__("RLRunLoopSourceGetOrder");
/** The type number of sources. */
extern RLTypeID CFRunLoopSourceGetTypeID(void) __asm__("RLRunLoopSourceGetTypeID");
/** Makes the source invalid for good and removes it from all loops, calling a version-0 source's `cancel` for each mode. */
extern void CFRunLoopSourceInvalidate(RLRunLoopSourceRef source) __asm__("RLRunLoopSourceInvalidate");
/** Whether the source is marked. */
extern Boolean CFRunLoopSourceIsSignalled(RLRunLoopSourceRef source) __asm__("RLRunLoopSourceIsSignalled");
/** Whether the source may be added to loops. */
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
/** Makes a timer that is in no loop. */
extern RLRunLoopTimerRef CFRunLoopTimerCreate(RLAllocatorRef allocator, RLAbsoluteTime fireDate, RLTimeInterval interval, RLOptionFlags flags, RLIndex order, RLRunLoopTimerCallBack callout, RLRunLoopTimerContext *context) __asm__("RLRunLoopTimerCreate") RL_RETURNS_RETAINED;
/** As CFRunLoopTimerCreate, with a block, which is copied and released at invalidation. */
extern RLRunLoopTimerRef CFRunLoopTimerCreateWithHandler( RLAllocatorRef allocator, RLAbsoluteTime fireDate, RLTimeInterval interval, RLOptionFlags flags, RLIndex order, void(^ block)(RLRunLoopTimerRef timer)) __asm__("RLRunLoopTimerCreateWithHandler") RL_RETURNS_RETAINED;
/** Whether the interval is above 0. */
extern Boolean CFRunLoopTimerDoesRepeat(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerDoesRepeat");
/** Copies the timer's context, with a null info if it is invalid. */
extern void CFRunLoopTimerGetContext(RLRunLoopTimerRef timer, RLRunLoopTimerContext *context) __asm__("RLRunLoopTimerGetContext");
/** The seconds between firings, 0 for a timer that fires once. */
extern RLTimeInterval CFRunLoopTimerGetInterval(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerGetInterval");
/** The date of the next firing, or 0 if the timer is invalid. */
extern RLAbsoluteTime CFRunLoopTimerGetNextFireDate(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerGetNextFireDate");
/** The order given when the timer was made. */
extern RLIndex CFRunLoopTimerGetOrder(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerGetOrder");
/** The tolerance: the greatest delay of a firing, in seconds. */
extern RLTimeInterval CFRunLoopTimerGetTolerance(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerGetTolerance");
/** The type number of timers. */
extern RLTypeID CFRunLoopTimerGetTypeID(void) __asm__("RLRunLoopTimerGetTypeID");
/** Makes the timer invalid for good, removes it from all modes and releases its info. */
extern void CFRunLoopTimerInvalidate(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerInvalidate");
/** Whether the timer may be added to a loop. */
extern Boolean CFRunLoopTimerIsValid(RLRunLoopTimerRef timer) __asm__("RLRunLoopTimerIsValid");
/** A reference to a timer. */
typedef RLRunLoopTimerRef CFRunLoopTimer;
/** Sets the date of the next firing. */
extern void CFRunLoopTimerSetNextFireDate(RLRunLoopTimerRef timer, RLAbsoluteTime fireDate) __asm__("RLRunLoopTimerSetNextFireDate");
/** Allows a firing to be late, never early, by some seconds, so that a sleeping loop wakes once for several timers. */
extern void CFRunLoopTimerSetTolerance(RLRunLoopTimerRef timer, RLTimeInterval tolerance) __asm__("RLRunLoopTimerSetTolerance");
/** Ends the loop's current sleep at once. */
extern void CFRunLoopWakeUp(RLRunLoopRef loop) __asm__("RLRunLoopWakeUp");
/** Adds an element unless the set has an equal one. */
extern void CFSetAddValue(RLMutableSetRef set, const void *value) __asm__("RLSetAddValue");
/** Called for an element. */
typedef RLSetApplierFunction CFSetApplierFunction;
/** Calls a function, which must not change the set, for each element. */
extern void CFSetApplyFunction(RLSetRef set, RLSetApplierFunction applier, void *context) __asm__("RLSetApplyFunction");
/** The callbacks of a set for its elements. */
typedef RLSetCallBacks CFSetCallBacks;
/** Whether an element is equal to `value`. */
extern Boolean CFSetContainsValue(RLSetRef set, const void *value) __asm__("RLSetContainsValue");
/** Describes an element in a string that the caller owns. */
typedef RLSetCopyDescriptionCallBack CFSetCopyDescriptionCallBack;
/** Makes a set. */
extern RLSetRef CFSetCreate(RLAllocatorRef allocator, const void **values, RLIndex count, const RLSetCallBacks *callBacks) __asm__("RLSetCreate") RL_RETURNS_RETAINED;
/** Returns an immutable set with the same elements and callbacks, which the caller owns. */
extern RLSetRef CFSetCreateCopy(RLAllocatorRef allocator, RLSetRef set) __asm__("RLSetCreateCopy") RL_RETURNS_RETAINED;
/** Makes an empty set that can be changed. */
extern RLMutableSetRef CFSetCreateMutable(RLAllocatorRef allocator, RLIndex capacity, const RLSetCallBacks *callBacks) __asm__("RLSetCreateMutable") RL_RETURNS_RETAINED;
/** As CFSetCreateMutable, with the elements and callbacks of another set. */
extern RLMutableSetRef CFSetCreateMutableCopy(RLAllocatorRef allocator, RLIndex capacity, RLSetRef set) __asm__("RLSetCreateMutableCopy") RL_RETURNS_RETAINED;
/** Whether two elements are equal. */
typedef RLSetEqualCallBack CFSetEqualCallBack;
/** The number of elements. */
extern RLIndex CFSetGetCount(RLSetRef set) __asm__("RLSetGetCount");
/** 1 if an element is equal to `value`, 0 if none is. */
extern RLIndex CFSetGetCountOfValue(RLSetRef set, const void *value) __asm__("RLSetGetCountOfValue");
/** The type number of sets, mutable or not. */
extern RLTypeID CFSetGetTypeID(void) __asm__("RLSetGetTypeID");
/** The element that is equal to `value`, not retained, or null. */
extern const void *CFSetGetValue(RLSetRef set, const void *value) __asm__("RLSetGetValue");
/** Whether an element is equal to `candidate`. */
extern Boolean CFSetGetValueIfPresent(RLSetRef set, const void *candidate, const void **value) __asm__("RLSetGetValueIfPresent");
/** Copies all elements into a list that is large enough, without retaining them. */
extern void CFSetGetValues(RLSetRef set, const void **values) __asm__("RLSetGetValues");
/** The hash of an element. */
typedef RLSetHashCallBack CFSetHashCallBack;
/** A reference to a set. */
typedef RLSetRef CFSet;
/** Releases an element. */
typedef RLSetReleaseCallBack CFSetReleaseCallBack;
/** Removes all elements. */
extern void CFSetRemoveAllValues(RLMutableSetRef set) __asm__("RLSetRemoveAllValues");
/** Removes the element that is equal to `value`, if there is one. */
extern void CFSetRemoveValue(RLMutableSetRef set, const void *value) __asm__("RLSetRemoveValue");
/** Replaces an equal element by this one. */
extern void CFSetReplaceValue(RLMutableSetRef set, const void *value) __asm__("RLSetReplaceValue");
/** Adds a reference to an element and returns the pointer to store. */
typedef RLSetRetainCallBack CFSetRetainCallBack;
/** Adds an element, or replaces an equal one. */
extern void CFSetSetValue(RLMutableSetRef set, const void *value) __asm__("RLSetSetValue");
/** Prints a string's representation and characters to standard error. */
extern void CFShowStr(RLStringRef string) __asm__("RLShowStr");
/** The callback of a socket, with one type at a time. */
typedef RLSocketCallBack CFSocketCallBack;
/** The types of callbacks. */
typedef RLSocketCallBackType CFSocketCallBackType;
/** Connects a socket to an address. */
extern RLSocketError CFSocketConnectToAddress(RLSocketRef socket, RLDataRef address, RLTimeInterval timeout) __asm__("RLSocketConnectToAddress") RL_SWIFT_BLOCKING;
/** The client data of a socket. */
typedef RLSocketContext CFSocketContext;
/** Returns the local address, or null if there is none. */
extern RLDataRef CFSocketCopyAddress(RLSocketRef socket) __asm__("RLSocketCopyAddress") RL_RETURNS_RETAINED;
/** Returns the peer's address, or null if the socket is not connected. */
extern RLDataRef CFSocketCopyPeerAddress(RLSocketRef socket) __asm__("RLSocketCopyPeerAddress") RL_RETURNS_RETAINED;
/** Looks a signature up. */
extern RLSocketError CFSocketCopyRegisteredSocketSignature( const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name, RLSocketSignature *signature, RLDataRef *nameServerAddress) __asm__("RLSocketCopyRegisteredSocketSignature");
/** Makes a socket. */
extern RLSocketRef CFSocketCreate(RLAllocatorRef allocator, SInt32 protocolFamily, SInt32 socketType, SInt32 protocol, RLOptionFlags callBackTypes, RLSocketCallBack callout, const RLSocketContext *context) __asm__("RLSocketCreate") RL_RETURNS_RETAINED;
/** Makes a socket and connects it to the signature's address, as CFSocketConnectToAddress does. */
extern RLSocketRef CFSocketCreateConnectedToSocketSignature( RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes, RLSocketCallBack callout, const RLSocketContext *context, RLTimeInterval timeout) __asm__("RLSocketCreateConnectedToSocketSignature") RL_RETURNS_RETAINED;
/** Returns the source of the socket, for any loops and modes: always the same one, unless that was invalidated. */
extern RLRunLoopSourceRef CFSocketCreateRunLoopSource(RLAllocatorRef allocator, RLSocketRef socket, RLIndex order) __asm__("RLSocketCreateRunLoopSource") RL_RETURNS_RETAINED;
/** Makes a socket from a native handle. */
extern RLSocketRef CFSocketCreateWithNative(RLAllocatorRef allocator, RLSocketNativeHandle sock, RLOptionFlags callBackTypes, RLSocketCallBack callout, const RLSocketContext *context) __asm__("RLSocketCreateWithNative") RL_RETURNS_RETAINED;
/** Makes a socket and binds it to the signature's address, as CFSocketSetAddress does. */
extern RLSocketRef CFSocketCreateWithSocketSignature( RLAllocatorRef allocator, const RLSocketSignature *signature, RLOptionFlags callBackTypes, RLSocketCallBack callout, const RLSocketContext *context) __asm__("RLSocketCreateWithSocketSignature") RL_RETURNS_RETAINED;
/** Disables callbacks until they are enabled, whatever the flags. */
extern void CFSocketDisableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes) __asm__("RLSocketDisableCallBacks");
/** Enables callbacks of the types that the socket was made with. */
extern void CFSocketEnableCallBacks(RLSocketRef socket, RLOptionFlags callBackTypes) __asm__("RLSocketEnableCallBacks");
/** The result of an operation. */
typedef RLSocketError CFSocketError;
/** Copies the client data. */
extern void CFSocketGetContext(RLSocketRef socket, RLSocketContext *context) __asm__("RLSocketGetContext");
/** The port that was set, or 2454. */
extern UInt16 CFSocketGetDefaultNameRegistryPortNumber(void) __asm__("RLSocketGetDefaultNameRegistryPortNumber");
/** The native handle. */
extern RLSocketNativeHandle CFSocketGetNative(RLSocketRef socket) __asm__("RLSocketGetNative");
/** The flags, `kCFSocketAutomaticallyReenable…`, kCFSocketLeaveErrors and kCFSocketCloseOnInvalidate. */
extern RLOptionFlags CFSocketGetSocketFlags(RLSocketRef socket) __asm__("RLSocketGetSocketFlags");
/** The type number of sockets. */
extern RLTypeID CFSocketGetTypeID(void) __asm__("RLSocketGetTypeID");
/** Makes a socket invalid for good: closes its handle if kCFSocketCloseOnInvalidate is set, releases the info, invalidates the source, and wakes the loops that it was in. */
extern void CFSocketInvalidate(RLSocketRef socket) __asm__("RLSocketInvalidate");
/** Whether the socket is valid, that is, has not been invalidated. */
extern Boolean CFSocketIsValid(RLSocketRef socket) __asm__("RLSocketIsValid");
/** The system's type of a socket: a descriptor. */
typedef RLSocketNativeHandle CFSocketNativeHandle;
/** A reference to a socket with callbacks. */
typedef RLSocketRef CFSocket;
/** Registers a signature under a name. */
extern RLSocketError CFSocketRegisterSocketSignature( const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name, const RLSocketSignature *signature) __asm__("RLSocketRegisterSocketSignature");
/** Sends bytes. */
extern RLSocketError CFSocketSendData(RLSocketRef socket, RLDataRef address, RLDataRef data, RLTimeInterval timeout) __asm__("RLSocketSendData") RL_SWIFT_BLOCKING;
/** Binds a socket to an address, and makes it listen for connections if it is of a type that can. */
extern RLSocketError CFSocketSetAddress(RLSocketRef socket, RLDataRef address) __asm__("RLSocketSetAddress");
/** Sets the port of the registry, which only CFSocketGetDefaultNameRegistryPortNumber uses. */
extern void CFSocketSetDefaultNameRegistryPortNumber(UInt16 port) __asm__("RLSocketSetDefaultNameRegistryPortNumber");
/** Sets the flags. */
extern void CFSocketSetSocketFlags(RLSocketRef socket, RLOptionFlags flags) __asm__("RLSocketSetSocketFlags");
/** A description of a socket that is bound or connected. */
typedef RLSocketSignature CFSocketSignature;
/** Removes a name. */
extern RLSocketError CFSocketUnregister(const RLSocketSignature *nameServerSignature, RLTimeInterval timeout, RLStringRef name) __asm__("RLSocketUnregister");
/** The client data of a stream. */
typedef RLStreamClientContext CFStreamClientContext;
/** Makes two streams: one reads the bytes that are written to the other, through a buffer in memory. */
extern void CFStreamCreateBoundPair(RLAllocatorRef alloc, RLReadStreamRef *readStream, RLWriteStreamRef *writeStream, RLIndex transferBufferSize) __asm__("RLStreamCreateBoundPair");
/** Makes two streams that connect to the signature's address when the first of them is opened. */
extern void CFStreamCreatePairWithPeerSocketSignature(RLAllocatorRef alloc, const RLSocketSignature *signature, RLReadStreamRef *readStream, RLWriteStreamRef *writeStream) __asm__("RLStreamCreatePairWithPeerSocketSignature");
/** Makes two streams over a connected socket. */
extern void CFStreamCreatePairWithSocket(RLAllocatorRef alloc, RLSocketNativeHandle sock, RLReadStreamRef *readStream, RLWriteStreamRef *writeStream) __asm__("RLStreamCreatePairWithSocket");
/** Makes two streams that connect to a host by TCP when the first of them is opened. */
extern void CFStreamCreatePairWithSocketToHost(RLAllocatorRef alloc, RLStringRef host, UInt32 port, RLReadStreamRef *readStream, RLWriteStreamRef *writeStream) __asm__("RLStreamCreatePairWithSocketToHost");
/** The error of a stream. */
typedef RLStreamError CFStreamError;
/** The domain of an error's number. */
typedef RLStreamErrorDomain CFStreamErrorDomain;
/** The events of a stream. */
typedef RLStreamEventType CFStreamEventType;
/** The key of a property. */
typedef RLStreamPropertyKey CFStreamPropertyKey;
/** The status of a stream. */
typedef RLStreamStatus CFStreamStatus;
/** Adds a string, which may be the same one, at the end. */
extern void CFStringAppend(RLMutableStringRef string, RLStringRef appendedString) __asm__("RLStringAppend");
/** Adds a C string at the end, or nothing if it is not valid in the encoding. */
extern void CFStringAppendCString(RLMutableStringRef string, const char *cStr, RLStringEncoding encoding) __asm__("RLStringAppendCString");
/** Adds code units at the end. */
extern void CFStringAppendCharacters(RLMutableStringRef string, const UniChar *chars, RLIndex numChars) __asm__("RLStringAppendCharacters");
/** Converts the first letter of each word to upper case and the others to lower case, as CFStringLowercase does. */
extern void CFStringCapitalize(RLMutableStringRef string, RLLocaleRef locale) __asm__("RLStringCapitalize");
/** Compares strings by their UTF-16 code units. */
extern RLComparisonResult CFStringCompare(RLStringRef firstString, RLStringRef secondString, RLStringCompareFlags options) __asm__("RLStringCompare");
/** Options for comparing and finding strings. */
typedef RLStringCompareFlags CFStringCompareFlags;
/** As CFStringCompare, for a range of the first string. */
extern RLComparisonResult CFStringCompareWithOptions(RLStringRef firstString, RLStringRef secondString, RLRange rangeToCompare, RLStringCompareFlags options) __asm__("RLStringCompareWithOptions");
/** The IANA name of an encoding, such as utf-8, or null. */
extern RLStringRef CFStringConvertEncodingToIANACharSetName(RLStringEncoding encoding) __asm__("RLStringConvertEncodingToIANACharSetName") RL_RETURNS_NOT_RETAINED;
/** NSString's number for an encoding, or kCFStringEncodingInvalidId. */
extern unsigned long CFStringConvertEncodingToNSStringEncoding(RLStringEncoding encoding) __asm__("RLStringConvertEncodingToNSStringEncoding");
/** The Windows code page of an encoding, or kCFStringEncodingInvalidId. */
extern UInt32 CFStringConvertEncodingToWindowsCodepage(RLStringEncoding encoding) __asm__("RLStringConvertEncodingToWindowsCodepage");
/** The encoding of an IANA name, in upper or lower case, or kCFStringEncodingInvalidId if it is not supported. */
extern RLStringEncoding CFStringConvertIANACharSetNameToEncoding(RLStringRef name) __asm__("RLStringConvertIANACharSetNameToEncoding");
/** The encoding of NSString's number, or kCFStringEncodingInvalidId if it is not supported. */
extern RLStringEncoding CFStringConvertNSStringEncodingToEncoding(unsigned long encoding) __asm__("RLStringConvertNSStringEncodingToEncoding");
/** The encoding of a Windows code page, or kCFStringEncodingInvalidId if it is not supported. */
extern RLStringEncoding CFStringConvertWindowsCodepageToEncoding(UInt32 codepage) __asm__("RLStringConvertWindowsCodepageToEncoding");
/** Splits a string at separators. */
extern RLArrayRef CFStringCreateArrayBySeparatingStrings( RLAllocatorRef alloc, RLStringRef theString, RLStringRef separatorString) __asm__("RLStringCreateArrayBySeparatingStrings") RL_RETURNS_RETAINED;
/** All matches of CFStringFindWithOptions, in order. */
extern RLArrayRef CFStringCreateArrayWithFindResults( RLAllocatorRef alloc, RLStringRef theString, RLStringRef stringToFind, RLRange rangeToSearch, RLStringCompareFlags compareOptions) __asm__("RLStringCreateArrayWithFindResults") RL_RETURNS_RETAINED;
/** Joins the strings of an array. */
extern RLStringRef CFStringCreateByCombiningStrings( RLAllocatorRef alloc, RLArrayRef theArray, RLStringRef separatorString) __asm__("RLStringCreateByCombiningStrings") RL_RETURNS_RETAINED;
/** Returns an immutable string with the same characters, which the caller owns. */
extern RLStringRef CFStringCreateCopy(RLAllocatorRef allocator, RLStringRef string) __asm__("RLStringCreateCopy") RL_RETURNS_RETAINED;
/** Converts a string to data, without a NUL. */
extern RLDataRef CFStringCreateExternalRepresentation(RLAllocatorRef allocator, RLStringRef string, RLStringEncoding encoding, UInt8 lossByte) __asm__("RLStringCreateExternalRepresentation") RL_RETURNS_RETAINED;
/** Makes a string from the bytes of data, which are copied, as CFStringCreateWithBytes does. */
extern RLStringRef CFStringCreateFromExternalRepresentation( RLAllocatorRef allocator, RLDataRef data, RLStringEncoding encoding) __asm__("RLStringCreateFromExternalRepresentation") RL_RETURNS_RETAINED;
/** Makes an empty string that can be changed. */
extern RLMutableStringRef CFStringCreateMutable(RLAllocatorRef allocator, RLIndex maxLength) __asm__("RLStringCreateMutable") RL_RETURNS_RETAINED;
/** As CFStringCreateMutable, with the characters of another string. */
extern RLMutableStringRef CFStringCreateMutableCopy(RLAllocatorRef allocator, RLIndex maxLength, RLStringRef string) __asm__("RLStringCreateMutableCopy") RL_RETURNS_RETAINED;
/** Makes a string from bytes, which are copied. */
extern RLStringRef CFStringCreateWithBytes(RLAllocatorRef allocator, const UInt8 *bytes, RLIndex count, RLStringEncoding encoding, Boolean isExternalRepresentation) __asm__("RLStringCreateWithBytes") RL_RETURNS_RETAINED;
/** As CFStringCreateWithBytes. */
extern RLStringRef CFStringCreateWithBytesNoCopy( RLAllocatorRef allocator, const UInt8 *bytes, RLIndex count, RLStringEncoding encoding, Boolean isExternalRepresentation, RLAllocatorRef contentsDeallocator) __asm__("RLStringCreateWithBytesNoCopy") RL_RETURNS_RETAINED;
/** Makes a string from a C string, which is copied. */
extern RLStringRef CFStringCreateWithCString(RLAllocatorRef allocator, const char *characters, RLStringEncoding encoding) __asm__("RLStringCreateWithCString") RL_RETURNS_RETAINED;
/** As CFStringCreateWithCString. */
extern RLStringRef CFStringCreateWithCStringNoCopy( RLAllocatorRef allocator, const char *characters, RLStringEncoding encoding, RLAllocatorRef contentsDeallocator) __asm__("RLStringCreateWithCStringNoCopy") RL_RETURNS_RETAINED;
/** Makes a string from code units of UTF-16, which are copied. */
extern RLStringRef CFStringCreateWithCharacters(RLAllocatorRef allocator, const UniChar *chars, RLIndex numChars) __asm__("RLStringCreateWithCharacters") RL_RETURNS_RETAINED;
/** As CFStringCreateWithCharacters. */
extern RLStringRef CFStringCreateWithCharactersNoCopy(RLAllocatorRef allocator, const UniChar *chars, RLIndex numChars, RLAllocatorRef contentsDeallocator) __asm__("RLStringCreateWithCharactersNoCopy") RL_RETURNS_RETAINED;
/** Makes a string from the name of a file, a C string of UTF-8. */
extern RLStringRef CFStringCreateWithFileSystemRepresentation( RLAllocatorRef allocator, const char *buffer) __asm__("RLStringCreateWithFileSystemRepresentation") RL_RETURNS_RETAINED;
/** A part of a string. */
extern RLStringRef CFStringCreateWithSubstring(RLAllocatorRef allocator, RLStringRef string, RLRange range) __asm__("RLStringCreateWithSubstring") RL_RETURNS_RETAINED;
/** Removes a range. */
extern void CFStringDelete(RLMutableStringRef string, RLRange range) __asm__("RLStringDelete");
/** The encoding of bytes. */
typedef RLStringEncoding CFStringEncoding;
/** Looks for a string in another one, as CFStringFindWithOptions. */
extern RLRange CFStringFind(RLStringRef theString, RLStringRef stringToFind, RLStringCompareFlags compareOptions) __asm__("RLStringFind");
/** Replaces all occurrences, as CFStringCreateArrayWithFindResults finds them. */
extern RLIndex CFStringFindAndReplace(RLMutableStringRef string, RLStringRef stringToFind, RLStringRef replacementString, RLRange rangeToSearch, RLStringCompareFlags compareOptions) __asm__("RLStringFindAndReplace");
/** Looks for a string in a range of another one. */
extern Boolean CFStringFindWithOptions(RLStringRef theString, RLStringRef stringToFind, RLRange rangeToSearch, RLStringCompareFlags searchOptions, RLRange *result) __asm__("RLStringFindWithOptions");
/** Converts the characters of a range into bytes, as many as the encoding has and as fit. */
extern RLIndex CFStringGetBytes(RLStringRef string, RLRange range, RLStringEncoding encoding, UInt8 lossByte, Boolean isExternalRepresentation, UInt8 *buffer, RLIndex maxBufLen, RLIndex *usedBufLen) __asm__("RLStringGetBytes");
/** Copies the characters and a terminating NUL, one byte, into a buffer. */
extern Boolean CFStringGetCString(RLStringRef string, char *buffer, RLIndex size, RLStringEncoding encoding) __asm__("RLStringGetCString");
/** Returns the characters as a C string, valid as long as the string lives. */
extern const char *CFStringGetCStringPtr(RLStringRef string, RLStringEncoding encoding) __asm__("RLStringGetCStringPtr");
/** The UTF-16 code unit at `index`. */
extern UniChar CFStringGetCharacterAtIndex(RLStringRef string, RLIndex index) __asm__("RLStringGetCharacterAtIndex");
/** Copies the code units of a range into a buffer, which must be large enough. */
extern void CFStringGetCharacters(RLStringRef string, RLRange range, UniChar *buffer) __asm__("RLStringGetCharacters");
/** Returns null, as strings are not stored as UTF-16. */
extern const UniChar *CFStringGetCharactersPtr(RLStringRef string) __asm__("RLStringGetCharactersPtr");
/** Returns the decimal number at the beginning of the string, after blanks: a sign, digits with a point, an exponent. */
extern double CFStringGetDoubleValue(RLStringRef string) __asm__("RLStringGetDoubleValue");
/** The encoding into which a string is converted fastest: ASCII if it fits, or else UTF-8. */
extern RLStringEncoding CFStringGetFastestEncoding(RLStringRef string) __asm__("RLStringGetFastestEncoding");
/** Copies the name for the file system, UTF-8 with a NUL. */
extern Boolean CFStringGetFileSystemRepresentation(RLStringRef string, char *buffer, RLIndex maxBufLen) __asm__("RLStringGetFileSystemRepresentation");
/** Returns the integer at the beginning of the string, after blanks and a sign, which blanks may follow too. */
extern SInt32 CFStringGetIntValue(RLStringRef string) __asm__("RLStringGetIntValue");
/** The number of UTF-16 code units, as CF counts. */
extern RLIndex CFStringGetLength(RLStringRef string) __asm__("RLStringGetLength");
/** The supported encodings, a list that ends with kCFStringEncodingInvalidId. */
extern const RLStringEncoding *CFStringGetListOfAvailableEncodings(void) __asm__("RLStringGetListOfAvailableEncodings");
/** The greatest number of bytes for a number of UTF-16 code units, without a terminating NUL. */
extern RLIndex CFStringGetMaximumSizeForEncoding(RLIndex length, RLStringEncoding encoding) __asm__("RLStringGetMaximumSizeForEncoding");
/** The largest size of a buffer that CFStringGetFileSystemRepresentation needs. */
extern RLIndex CFStringGetMaximumSizeOfFileSystemRepresentation(RLStringRef string) __asm__("RLStringGetMaximumSizeOfFileSystemRepresentation");
/** The most similar Macintosh encoding, which may be unsupported, or kCFStringEncodingInvalidId. */
extern RLStringEncoding CFStringGetMostCompatibleMacStringEncoding(RLStringEncoding encoding) __asm__("RLStringGetMostCompatibleMacStringEncoding");
/** The display name of an encoding, or null. */
extern RLStringRef CFStringGetNameOfEncoding(RLStringEncoding encoding) __asm__("RLStringGetNameOfEncoding") RL_RETURNS_NOT_RETAINED;
/** The shortest encoding of a string: ASCII if it fits, or else UTF-8. */
extern RLStringEncoding CFStringGetSmallestEncoding(RLStringRef string) __asm__("RLStringGetSmallestEncoding");
/** The encoding of the system's texts: kCFStringEncodingUTF8. */
extern RLStringEncoding CFStringGetSystemEncoding(void) __asm__("RLStringGetSystemEncoding");
/** The type number of strings. */
extern RLTypeID CFStringGetTypeID(void) __asm__("RLStringGetTypeID");
/** Whether a string begins with another, non-empty one. */
extern Boolean CFStringHasPrefix(RLStringRef string, RLStringRef prefix) __asm__("RLStringHasPrefix");
/** Whether a string ends with another, non-empty one. */
extern Boolean CFStringHasSuffix(RLStringRef string, RLStringRef suffix) __asm__("RLStringHasSuffix");
/** A window on a range of a string, which is read in order. */
typedef RLStringInlineBuffer CFStringInlineBuffer;
/** Inserts a string before the code unit at `index`, or at the end. */
extern void CFStringInsert(RLMutableStringRef string, RLIndex index, RLStringRef insertedString) __asm__("RLStringInsert");
/** Whether an encoding is supported. */
extern Boolean CFStringIsEncodingAvailable(RLStringEncoding encoding) __asm__("RLStringIsEncodingAvailable");
/** Converts letters to lower case, one by one, by the C library's table. */
extern void CFStringLowercase(RLMutableStringRef string, RLLocaleRef locale) __asm__("RLStringLowercase");
/** Sets the length of the string: cuts it, or appends another string repeatedly. */
extern void CFStringPad(RLMutableStringRef string, RLStringRef padString, RLIndex length, RLIndex indexIntoPad) __asm__("RLStringPad");
/** A reference to an immutable string. */
typedef RLStringRef CFString;
/** Replaces a range by a string. */
extern void CFStringReplace(RLMutableStringRef string, RLRange range, RLStringRef replacement) __asm__("RLStringReplace");
/** Replaces all characters. */
extern void CFStringReplaceAll(RLMutableStringRef string, RLStringRef replacement) __asm__("RLStringReplaceAll");
/** Removes all occurrences of a string at both ends. */
extern void CFStringTrim(RLMutableStringRef string, RLStringRef trimString) __asm__("RLStringTrim");
/** Removes white space and line ends from both ends. */
extern void CFStringTrimWhitespace(RLMutableStringRef string) __asm__("RLStringTrimWhitespace");
/** Converts letters to upper case, as CFStringLowercase does to lower case. */
extern void CFStringUppercase(RLMutableStringRef string, RLLocaleRef locale) __asm__("RLStringUppercase");
/** A time interval in seconds. */
typedef RLTimeInterval CFTimeInterval;
/** The zone of the system. */
extern RLTimeZoneRef CFTimeZoneCopyDefault(void) __asm__("RLTimeZoneCopyDefault") RL_RETURNS_RETAINED;
/** The zone of the system, by `TZ` or /etc/localtime, else GMT. */
extern RLTimeZoneRef CFTimeZoneCopySystem(void) __asm__("RLTimeZoneCopySystem") RL_RETURNS_RETAINED;
/** Makes a zone without daylight saving time. */
extern RLTimeZoneRef CFTimeZoneCreateWithTimeIntervalFromGMT( RLAllocatorRef allocator, RLTimeInterval ti) __asm__("RLTimeZoneCreateWithTimeIntervalFromGMT") RL_RETURNS_RETAINED;
/** The seconds by which a zone is ahead of GMT at a date. */
extern RLTimeInterval CFTimeZoneGetSecondsFromGMT(RLTimeZoneRef tz, RLAbsoluteTime at) __asm__("RLTimeZoneGetSecondsFromGMT");
/** The type number of time zones. */
extern RLTypeID CFTimeZoneGetTypeID(void) __asm__("RLTimeZoneGetTypeID");
/** A reference to a time zone: see CFTimeZone.h. */
typedef RLTimeZoneRef CFTimeZone;
/** The number of an object's type. */
typedef RLTypeID CFTypeID;
/** Returns the path of a URL, without a slash at its end, which the caller owns. */
extern RLStringRef CFURLCopyFileSystemPath(RLURLRef anURL, RLURLPathStyle pathStyle) __asm__("RLURLCopyFileSystemPath") RL_RETURNS_RETAINED;
/** As CFURLCreateWithFileSystemPath, with a path of `bufLen` bytes, which need not be UTF-8. */
extern RLURLRef CFURLCreateFromFileSystemRepresentation(RLAllocatorRef allocator, const UInt8 *buffer, RLIndex bufLen, Boolean isDirectory) __asm__("RLURLCreateFromFileSystemRepresentation") RL_RETURNS_RETAINED;
/** Makes the URL of a file from its path. */
extern RLURLRef CFURLCreateWithFileSystemPath(RLAllocatorRef allocator, RLStringRef filePath, RLURLPathStyle pathStyle, Boolean isDirectory) __asm__("RLURLCreateWithFileSystemPath") RL_RETURNS_RETAINED;
/** Makes the URL of a file from its text, such as `file:///tmp/a%20file`. */
extern RLURLRef CFURLCreateWithString(RLAllocatorRef allocator, RLStringRef URLString, RLURLRef baseURL) __asm__("RLURLCreateWithString") RL_RETURNS_RETAINED;
/** Copies the bytes of the path of a URL, with a NUL, into a buffer. */
extern Boolean CFURLGetFileSystemRepresentation(RLURLRef url, Boolean resolveAgainstBase, UInt8 *buffer, RLIndex maxBufLen) __asm__("RLURLGetFileSystemRepresentation");
/** Returns the text of a URL, not retained. */
extern RLStringRef CFURLGetString(RLURLRef anURL) __asm__("RLURLGetString") RL_RETURNS_NOT_RETAINED;
/** The type number of URLs. */
extern RLTypeID CFURLGetTypeID(void) __asm__("RLURLGetTypeID");
/** Whether a URL ends with a slash, as that of a directory. */
extern Boolean CFURLHasDirectoryPath(RLURLRef anURL) __asm__("RLURLHasDirectoryPath");
/** The style of a path. */
typedef RLURLPathStyle CFURLPathStyle;
/** A reference to the URL of a file. */
typedef RLURLRef CFURL;
/** Whether writing would not block. */
extern Boolean CFWriteStreamCanAcceptBytes(RLWriteStreamRef stream) __asm__("RLWriteStreamCanAcceptBytes");
/** The callback of a write stream, with one event at a time. */
typedef RLWriteStreamClientCallBack CFWriteStreamClientCallBack;
/** Closes the stream, removes it from all loops, and ends its events. */
extern void CFWriteStreamClose(RLWriteStreamRef stream) __asm__("RLWriteStreamClose");
/** The error with which the stream failed, of the domain of errno values or of TLS (CFStreamSecurity.h). */
extern RLErrorRef CFWriteStreamCopyError(RLWriteStreamRef stream) __asm__("RLWriteStreamCopyError") RL_RETURNS_RETAINED;
/** Makes a stream that writes into memory of its own: see kCFStreamPropertyDataWritten. */
extern RLWriteStreamRef CFWriteStreamCreateWithAllocatedBuffers( RLAllocatorRef alloc, RLAllocatorRef bufferAllocator) __asm__("RLWriteStreamCreateWithAllocatedBuffers") RL_RETURNS_RETAINED;
/** Makes a stream that writes into the client's memory, which must outlive the stream. */
extern RLWriteStreamRef CFWriteStreamCreateWithBuffer( RLAllocatorRef alloc, UInt8 *buffer, RLIndex bufferCapacity) __asm__("RLWriteStreamCreateWithBuffer") RL_RETURNS_RETAINED;
/** As CFWriteStreamCreateWithPath, with a URL. */
extern RLWriteStreamRef CFWriteStreamCreateWithFile(RLAllocatorRef alloc, RLURLRef fileURL) __asm__("RLWriteStreamCreateWithFile") RL_RETURNS_RETAINED;
/** The error with which the stream failed. */
extern RLStreamError CFWriteStreamGetError(RLWriteStreamRef stream) __asm__("RLWriteStreamGetError");
/** The status of the stream. */
extern RLStreamStatus CFWriteStreamGetStatus(RLWriteStreamRef stream) __asm__("RLWriteStreamGetStatus");
/** The type number of write streams. */
extern RLTypeID CFWriteStreamGetTypeID(void) __asm__("RLWriteStreamGetTypeID");
/** Opens the stream, or begins to. */
extern Boolean CFWriteStreamOpen(RLWriteStreamRef stream) __asm__("RLWriteStreamOpen");
/** A reference to a stream that is written. */
typedef RLWriteStreamRef CFWriteStream;
/** Delivers events to the client in a mode of a loop, in addition to others. */
extern void CFWriteStreamScheduleWithRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop, RLRunLoopMode runLoopMode) __asm__("RLWriteStreamScheduleWithRunLoop") RL_SWIFT_SECOND_CHOICE;
/** Sets the client that receives the stream's events, and replaces the former one. */
extern Boolean CFWriteStreamSetClient(RLWriteStreamRef stream, RLOptionFlags streamEvents, RLWriteStreamClientCallBack clientCB, RLStreamClientContext *clientContext) __asm__("RLWriteStreamSetClient");
/** Stops delivering events in a mode of a loop. */
extern void CFWriteStreamUnscheduleFromRunLoop(RLWriteStreamRef stream, RLRunLoopRef runLoop, RLRunLoopMode runLoopMode) __asm__("RLWriteStreamUnscheduleFromRunLoop") RL_SWIFT_SECOND_CHOICE;
/** Writes as many bytes as the buffer takes, and blocks if it is full. */
extern RLIndex CFWriteStreamWrite(RLWriteStreamRef stream, const UInt8 *buffer, RLIndex bufferLength) __asm__("RLWriteStreamWrite") RL_SWIFT_BLOCKING;
/** The seconds from 1904-01-01 to 2001-01-01, both UTC. */
extern const RLTimeInterval kCFAbsoluteTimeIntervalSince1904 __asm__("kRLAbsoluteTimeIntervalSince1904");
/** The seconds from 1970-01-01 to 2001-01-01, both UTC. */
extern const RLTimeInterval kCFAbsoluteTimeIntervalSince1970 __asm__("kRLAbsoluteTimeIntervalSince1970");
/** The default allocator. */
extern RLAllocatorRef const kCFAllocatorDefault __asm__("kRLAllocatorDefault");
/** The same as kCFAllocatorSystemDefault in effect. */
extern RLAllocatorRef const kCFAllocatorMalloc __asm__("kRLAllocatorMalloc");
/** The same as kCFAllocatorMalloc in effect. */
extern RLAllocatorRef const kCFAllocatorMallocZone __asm__("kRLAllocatorMallocZone");
/** The allocator of memory that must not be freed. */
extern RLAllocatorRef const kCFAllocatorNull __asm__("kRLAllocatorNull");
/** The allocator behind kCFAllocatorDefault, malloc. */
extern RLAllocatorRef const kCFAllocatorSystemDefault __asm__("kRLAllocatorSystemDefault");
/** As the first argument of CFAllocatorCreate: the new allocator allocates itself. */
extern RLAllocatorRef const kCFAllocatorUseContext __asm__("kRLAllocatorUseContext");
/** The Boolean that is false. */
extern RLBooleanRef const kCFBooleanFalse __asm__("kRLBooleanFalse");
/** The Boolean that is true. */
extern RLBooleanRef const kCFBooleanTrue __asm__("kRLBooleanTrue");
/** The callbacks for keys that are strings, of which the dictionary keeps copies. */
extern const RLDictionaryKeyCallBacks kCFCopyStringDictionaryKeyCallBacks __asm__("kRLCopyStringDictionaryKeyCallBacks");
/** The callbacks for elements that are strings, of which the set keeps copies. */
extern const RLSetCallBacks kCFCopyStringSetCallBacks __asm__("kRLCopyStringSetCallBacks");
/** A key for userInfo: a string with a description for developers. */
extern RLStringRef const kCFErrorDescriptionKey __asm__("kRLErrorDescriptionKey");
/** The domain of codes of Foundation, `NSCocoaErrorDomain`. */
extern RLErrorDomain const kCFErrorDomainCocoa __asm__("kRLErrorDomainCocoa");
/** The domain of codes of Mach, `NSMachErrorDomain`. */
extern RLErrorDomain const kCFErrorDomainMach __asm__("kRLErrorDomainMach");
/** The domain of codes of Mac OS, `NSOSStatusErrorDomain`. */
extern RLErrorDomain const kCFErrorDomainOSStatus __asm__("kRLErrorDomainOSStatus");
/** The domain of errno values, `NSPOSIXErrorDomain`. */
extern RLErrorDomain const kCFErrorDomainPOSIX __asm__("kRLErrorDomainPOSIX");
/** A key for userInfo: a string with the path of the file that the error concerns. */
extern RLStringRef const kCFErrorFilePathKey __asm__("kRLErrorFilePathKey");
/** A key for userInfo: a string with the failure and its reason, for the user. */
extern RLStringRef const kCFErrorLocalizedDescriptionKey __asm__("kRLErrorLocalizedDescriptionKey");
/** A key for userInfo: a string with the failure, for the user. */
extern RLStringRef const kCFErrorLocalizedFailureKey __asm__("kRLErrorLocalizedFailureKey");
/** A key for userInfo: a string with the reason of the failure, for the user. */
extern RLStringRef const kCFErrorLocalizedFailureReasonKey __asm__("kRLErrorLocalizedFailureReasonKey");
/** A key for userInfo: a string with a recovery suggestion, for the user. */
extern RLStringRef const kCFErrorLocalizedRecoverySuggestionKey __asm__("kRLErrorLocalizedRecoverySuggestionKey");
/** A key for userInfo: the CFURLRef of the file or resource that the error concerns. */
extern RLStringRef const kCFErrorURLKey __asm__("kRLErrorURLKey");
/** A key for userInfo: the CFErrorRef that caused this error. */
extern RLStringRef const kCFErrorUnderlyingErrorKey __asm__("kRLErrorUnderlyingErrorKey");
/** The null object. */
extern RLNullRef const kCFNull __asm__("kRLNull");
/** Not a number. */
extern RLNumberRef const kCFNumberNaN __asm__("kRLNumberNaN");
/** Negative infinity, smaller than all other numbers. */
extern RLNumberRef const kCFNumberNegativeInfinity __asm__("kRLNumberNegativeInfinity");
/** Positive infinity, greater than all other numbers. */
extern RLNumberRef const kCFNumberPositiveInfinity __asm__("kRLNumberPositiveInfinity");
/** The registry's key "Command". */
extern RLStringRef const kCFSocketCommandKey __asm__("kRLSocketCommandKey");
/** The registry's key "Error". */
extern RLStringRef const kCFSocketErrorKey __asm__("kRLSocketErrorKey");
/** The registry's key "Name". */
extern RLStringRef const kCFSocketNameKey __asm__("kRLSocketNameKey");
/** The registry's command "Register". */
extern RLStringRef const kCFSocketRegisterCommand __asm__("kRLSocketRegisterCommand");
/** The registry's key "Result". */
extern RLStringRef const kCFSocketResultKey __asm__("kRLSocketResultKey");
/** The registry's command "Retrieve". */
extern RLStringRef const kCFSocketRetrieveCommand __asm__("kRLSocketRetrieveCommand");
/** The registry's key "Value". */
extern RLStringRef const kCFSocketValueKey __asm__("kRLSocketValueKey");
/** The domain of errors whose numbers are those of getaddrinfo(3), as EAI_NONAME. */
extern const SInt32 kCFStreamErrorDomainNetDB __asm__("kRLStreamErrorDomainNetDB");
/** The errors of TLS are in this domain. */
extern const int kCFStreamErrorDomainSSL __asm__("kRLStreamErrorDomainSSL");
/** The purpose of a stream over a socket: one of the strings below. */
extern RLStringRef const kCFStreamNetworkServiceType __asm__("kRLStreamNetworkServiceType");
/** Audio and video streams: packets have DSCP AF31 and priority 4. */
extern RLStringRef const kCFStreamNetworkServiceTypeAVStreaming __asm__("kRLStreamNetworkServiceTypeAVStreaming");
/** Background transfers: packets have DSCP CS1 and priority 1. */
extern RLStringRef const kCFStreamNetworkServiceTypeBackground __asm__("kRLStreamNetworkServiceTypeBackground");
/** Signaling of calls: packets have DSCP CS5 and priority 6. */
extern RLStringRef const kCFStreamNetworkServiceTypeCallSignaling __asm__("kRLStreamNetworkServiceTypeCallSignaling");
/** Interactive audio and video, which must not be late: packets have DSCP CS4 and priority 4. */
extern RLStringRef const kCFStreamNetworkServiceTypeResponsiveAV __asm__("kRLStreamNetworkServiceTypeResponsiveAV");
/** Data that the user waits for: packets have DSCP AF21 and priority 4. */
extern RLStringRef const kCFStreamNetworkServiceTypeResponsiveData __asm__("kRLStreamNetworkServiceTypeResponsiveData");
/** The video of a conference: packets have DSCP AF41 and priority 4 (kCFStreamNetworkServiceType). */
extern RLStringRef const kCFStreamNetworkServiceTypeVideo __asm__("kRLStreamNetworkServiceTypeVideo");
/** The control of voice calls over IP. */
extern RLStringRef const kCFStreamNetworkServiceTypeVoIP __asm__("kRLStreamNetworkServiceTypeVoIP");
/** The audio of a call: packets have DSCP EF and priority 6. */
extern RLStringRef const kCFStreamNetworkServiceTypeVoice __asm__("kRLStreamNetworkServiceTypeVoice");
/** Whether a stream to a file appends, a Boolean. */
extern RLStringRef const kCFStreamPropertyAppendToFile __asm__("kRLStreamPropertyAppendToFile");
/** The bytes that a stream has written into its own memory so far: data. */
extern RLStringRef const kCFStreamPropertyDataWritten __asm__("kRLStreamPropertyDataWritten");
/** The stream's offset in its file, a number of bytes. */
extern RLStringRef const kCFStreamPropertyFileCurrentOffset __asm__("kRLStreamPropertyFileCurrentOffset");
/** No stream has this property. */
extern RLStringRef const kCFStreamPropertySSLContext __asm__("kRLStreamPropertySSLContext");
/** The certificates of the peer once the handshake is over, an array of data in DER, the peer's own first. */
extern RLStringRef const kCFStreamPropertySSLPeerCertificates __asm__("kRLStreamPropertySSLPeerCertificates");
/** No stream has this property. */
extern RLStringRef const kCFStreamPropertySSLPeerTrust __asm__("kRLStreamPropertySSLPeerTrust");
/** The TLS settings of a stream over a socket: a dictionary with the keys below, all optional. */
extern RLStringRef const kCFStreamPropertySSLSettings __asm__("kRLStreamPropertySSLSettings");
/** Whether the handle is closed with both streams, a Boolean. */
extern RLStringRef const kCFStreamPropertyShouldCloseNativeSocket __asm__("kRLStreamPropertyShouldCloseNativeSocket");
/** The handle of a stream over a socket, data that holds an CFSocketNativeHandle. */
extern RLStringRef const kCFStreamPropertySocketNativeHandle __asm__("kRLStreamPropertySocketNativeHandle");
/** The host that a pair of streams was made to connect to, a string. */
extern RLStringRef const kCFStreamPropertySocketRemoteHostName __asm__("kRLStreamPropertySocketRemoteHostName");
/** The port that a pair of streams was made to connect to, a number. */
extern RLStringRef const kCFStreamPropertySocketRemotePortNumber __asm__("kRLStreamPropertySocketRemotePortNumber");
/** The security of a stream over a socket: one of the levels. */
extern RLStringRef const kCFStreamPropertySocketSecurityLevel __asm__("kRLStreamPropertySocketSecurityLevel");
/** In the settings. */
extern RLStringRef const kCFStreamSSLAllowsAnyRoot __asm__("kRLStreamSSLAllowsAnyRoot");
/** In the settings. */
extern RLStringRef const kCFStreamSSLAllowsExpiredCertificates __asm__("kRLStreamSSLAllowsExpiredCertificates");
/** In the settings. */
extern RLStringRef const kCFStreamSSLAllowsExpiredRoots __asm__("kRLStreamSSLAllowsExpiredRoots");
/** In the settings: our own certificates with their key, an array of data in PEM. */
extern RLStringRef const kCFStreamSSLCertificates __asm__("kRLStreamSSLCertificates");
/** In the settings: whether this is the server's side, a Boolean. */
extern RLStringRef const kCFStreamSSLIsServer __asm__("kRLStreamSSLIsServer");
/** In the settings: one of the levels. */
extern RLStringRef const kCFStreamSSLLevel __asm__("kRLStreamSSLLevel");
/** In the settings: the name or address that the peer's certificate must have, a string, or the null object for any name. */
extern RLStringRef const kCFStreamSSLPeerName __asm__("kRLStreamSSLPeerName");
/** In the settings: whether the peer's certificates and name are verified, a Boolean. */
extern RLStringRef const kCFStreamSSLValidatesCertificateChain __asm__("kRLStreamSSLValidatesCertificateChain");
/** The highest TLS version that both sides support. */
extern RLStringRef const kCFStreamSocketSecurityLevelNegotiatedSSL __asm__("kRLStreamSocketSecurityLevelNegotiatedSSL");
/** No security, the default. */
extern RLStringRef const kCFStreamSocketSecurityLevelNone __asm__("kRLStreamSocketSecurityLevelNone");
/** SSL 2, which is insecure: setting this returns false, with a line on standard error. */
extern RLStringRef const kCFStreamSocketSecurityLevelSSLv2 __asm__("kRLStreamSocketSecurityLevelSSLv2");
/** SSL 3, which is insecure: setting this returns false, with a line on standard error. */
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
