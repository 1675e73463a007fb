/*
 * The part of the reference's C interface that scenarios use.
 *
 * The toolchain has CF's headers, but no path to them that a package may name. Field orders are
 * those of TYPE-7 to TYPE-13 of the specification; functions are documented there, too.
 */

#ifndef SCENARIOKIT_CF_ORACLE_H
#define SCENARIOKIT_CF_ORACLE_H

#include <stdarg.h>
#include <stdint.h>

typedef unsigned char Boolean;
typedef uint8_t UInt8;
typedef uint16_t UniChar;
typedef long CFIndex;
typedef unsigned long CFOptionFlags;
typedef unsigned long CFHashCode;
typedef unsigned long CFTypeID;
typedef double CFTimeInterval;
typedef CFTimeInterval CFAbsoluteTime;
typedef uint32_t CFStringEncoding;

typedef const void *CFTypeRef;
typedef const struct cf_allocator *CFAllocatorRef;
typedef const struct cf_string *CFStringRef;
typedef struct cf_string *CFMutableStringRef;
typedef const struct cf_array *CFArrayRef;
typedef struct cf_array *CFMutableArrayRef;
typedef const struct cf_number *CFNumberRef;
typedef const struct cf_boolean *CFBooleanRef;
typedef const struct cf_null *CFNullRef;
typedef const struct cf_set *CFSetRef;
typedef struct cf_set *CFMutableSetRef;
typedef const struct cf_dictionary *CFDictionaryRef;
typedef struct cf_dictionary *CFMutableDictionaryRef;
typedef const struct cf_data *CFDataRef;
typedef struct cf_data *CFMutableDataRef;
typedef struct cf_run_loop *CFRunLoopRef;
typedef struct cf_source *CFRunLoopSourceRef;
typedef struct cf_observer *CFRunLoopObserverRef;
typedef struct cf_timer *CFRunLoopTimerRef;
typedef CFStringRef CFRunLoopMode;

typedef struct {
    CFIndex location;
    CFIndex length;
} CFRange;

static inline CFRange CFRangeMake(CFIndex location, CFIndex length)
{
    CFRange range = {location, length};
    return range;
}

typedef enum : CFIndex {
    kCFCompareLessThan = -1,
    kCFCompareEqualTo = 0,
    kCFCompareGreaterThan = 1
} CFComparisonResult;

typedef CFComparisonResult (*CFComparatorFunction)(const void *first, const void *second,
                                                   void *context);

static const CFIndex kCFNotFound = -1;

extern const CFAllocatorRef kCFAllocatorDefault;
extern const CFAllocatorRef kCFAllocatorSystemDefault;
extern const CFAllocatorRef kCFAllocatorMalloc;
extern const CFAllocatorRef kCFAllocatorNull;
extern CFAllocatorRef CFAllocatorGetDefault(void);

typedef struct {
    CFIndex version;
    const void *(*retain)(CFAllocatorRef allocator, const void *value);
    void (*release)(CFAllocatorRef allocator, const void *value);
    CFStringRef (*copyDescription)(const void *value);
    Boolean (*equal)(const void *first, const void *second);
} CFArrayCallBacks;

typedef struct {
    CFIndex version;
    const void *(*retain)(CFAllocatorRef allocator, const void *value);
    void (*release)(CFAllocatorRef allocator, const void *value);
    CFStringRef (*copyDescription)(const void *value);
    Boolean (*equal)(const void *first, const void *second);
    CFHashCode (*hash)(const void *value);
} CFSetCallBacks;

typedef CFSetCallBacks CFDictionaryKeyCallBacks;
typedef CFArrayCallBacks CFDictionaryValueCallBacks;

typedef enum : int32_t {
    kCFRunLoopRunFinished = 1,
    kCFRunLoopRunStopped = 2,
    kCFRunLoopRunTimedOut = 3,
    kCFRunLoopRunHandledSource = 4
} CFRunLoopRunResult;

typedef enum : CFOptionFlags {
    kCFRunLoopEntry = 1UL << 0,
    kCFRunLoopBeforeTimers = 1UL << 1,
    kCFRunLoopBeforeSources = 1UL << 2,
    kCFRunLoopBeforeWaiting = 1UL << 5,
    kCFRunLoopAfterWaiting = 1UL << 6,
    kCFRunLoopExit = 1UL << 7,
    kCFRunLoopAllActivities = 0x0FFFFFFFUL
} CFRunLoopActivity;

typedef enum : CFIndex {
    kCFNumberSInt8Type = 1,
    kCFNumberSInt16Type = 2,
    kCFNumberSInt32Type = 3,
    kCFNumberSInt64Type = 4,
    kCFNumberFloat32Type = 5,
    kCFNumberFloat64Type = 6,
    kCFNumberCharType = 7,
    kCFNumberShortType = 8,
    kCFNumberIntType = 9,
    kCFNumberLongType = 10,
    kCFNumberLongLongType = 11,
    kCFNumberFloatType = 12,
    kCFNumberDoubleType = 13,
    kCFNumberCFIndexType = 14,
    kCFNumberNSIntegerType = 15,
    kCFNumberCGFloatType = 16,
    kCFNumberMaxType = 16
} CFNumberType;

enum {
    kCFStringEncodingUTF8 = 0x08000100,
    kCFStringEncodingASCII = 0x0600,
    kCFStringEncodingMacRoman = 0,
    kCFStringEncodingWindowsLatin1 = 0x0500,
    kCFStringEncodingISOLatin1 = 0x0201,
    kCFStringEncodingUTF16 = 0x0100,
    kCFStringEncodingUTF16BE = 0x10000100,
    kCFStringEncodingUTF16LE = 0x14000100,
    kCFStringEncodingUTF32 = 0x0C000100,
    kCFStringEncodingUTF32BE = 0x18000100,
    kCFStringEncodingUTF32LE = 0x1C000100
};

#define kCFStringEncodingInvalidId (0xFFFFFFFFU)

typedef enum : CFOptionFlags {
    kCFCompareCaseInsensitive = 1,
    kCFCompareBackwards = 4,
    kCFCompareAnchored = 8,
    kCFCompareNumerically = 64,
    kCFCompareForcedOrdering = 512
} CFStringCompareFlags;

typedef struct {
    CFIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    CFStringRef (*copyDescription)(const void *info);
    Boolean (*equal)(const void *first, const void *second);
    CFHashCode (*hash)(const void *info);
    void (*schedule)(void *info, CFRunLoopRef loop, CFRunLoopMode mode);
    void (*cancel)(void *info, CFRunLoopRef loop, CFRunLoopMode mode);
    void (*perform)(void *info);
} CFRunLoopSourceContext;

typedef struct {
    CFIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    CFStringRef (*copyDescription)(const void *info);
    Boolean (*equal)(const void *first, const void *second);
    CFHashCode (*hash)(const void *info);
    int (*getPort)(void *info);
    void (*perform)(void *info);
} CFRunLoopSourceContext1;

typedef struct {
    CFIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    CFStringRef (*copyDescription)(const void *info);
} CFRunLoopObserverContext;

typedef CFRunLoopObserverContext CFRunLoopTimerContext;

typedef void (*CFRunLoopObserverCallBack)(CFRunLoopObserverRef observer, CFRunLoopActivity activity,
                                          void *info);
typedef void (*CFRunLoopTimerCallBack)(CFRunLoopTimerRef timer, void *info);

extern const CFStringRef kCFRunLoopDefaultMode;
extern const CFStringRef kCFRunLoopCommonModes;
extern const CFArrayCallBacks kCFTypeArrayCallBacks;
extern const CFSetCallBacks kCFTypeSetCallBacks;
extern const CFSetCallBacks kCFCopyStringSetCallBacks;
extern const CFDictionaryKeyCallBacks kCFTypeDictionaryKeyCallBacks;
extern const CFDictionaryKeyCallBacks kCFCopyStringDictionaryKeyCallBacks;
extern const CFDictionaryValueCallBacks kCFTypeDictionaryValueCallBacks;
extern const CFTimeInterval kCFAbsoluteTimeIntervalSince1970;

extern CFTypeRef CFRetain(CFTypeRef object);
extern void CFRelease(CFTypeRef object);
extern CFTypeID CFGetTypeID(CFTypeRef object);
extern Boolean CFEqual(CFTypeRef first, CFTypeRef second);
extern CFHashCode CFHash(CFTypeRef object);
extern CFStringRef CFCopyDescription(CFTypeRef object);
extern CFAbsoluteTime CFAbsoluteTimeGetCurrent(void);

/* Not exported; the objects of the reference are Swift objects, whose references can be counted. */
extern unsigned long swift_retainCount(const void *object);
static inline CFIndex CFGetRetainCount(CFTypeRef object)
{
    return (CFIndex)swift_retainCount(object);
}

extern CFTypeID CFStringGetTypeID(void);
extern CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator, const char *characters,
                                             CFStringEncoding encoding);
extern Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex size,
                                  CFStringEncoding encoding);
extern CFStringRef CFStringCreateWithBytes(CFAllocatorRef allocator, const uint8_t *bytes,
                                           CFIndex count, CFStringEncoding encoding,
                                           Boolean is_external_representation);
extern CFStringRef CFStringCreateFromExternalRepresentation(CFAllocatorRef allocator,
                                                            CFDataRef data,
                                                            CFStringEncoding encoding);
extern CFDataRef CFStringCreateExternalRepresentation(CFAllocatorRef allocator, CFStringRef string,
                                                      CFStringEncoding encoding, uint8_t lossByte);
extern CFStringRef CFStringCreateWithFormat(CFAllocatorRef allocator, CFDictionaryRef options,
                                            CFStringRef format, ...);
extern CFStringRef CFStringCreateWithFormatAndArguments(CFAllocatorRef allocator,
                                                        CFDictionaryRef options, CFStringRef format,
                                                        va_list arguments);
extern CFStringRef CFStringCreateWithSubstring(CFAllocatorRef allocator, CFStringRef string,
                                               CFRange range);
extern CFStringRef CFStringCreateCopy(CFAllocatorRef allocator, CFStringRef string);
extern CFIndex CFStringGetLength(CFStringRef string);
extern CFIndex CFStringGetMaximumSizeForEncoding(CFIndex length, CFStringEncoding encoding);
extern UniChar CFStringGetCharacterAtIndex(CFStringRef string, CFIndex index);
extern int32_t CFStringGetIntValue(CFStringRef string);
extern CFComparisonResult CFStringCompare(CFStringRef first, CFStringRef second,
                                          CFStringCompareFlags options);
extern Boolean CFStringHasPrefix(CFStringRef string, CFStringRef prefix);
extern Boolean CFStringHasSuffix(CFStringRef string, CFStringRef suffix);
extern CFArrayRef CFArrayCreate(CFAllocatorRef allocator, const void **values, CFIndex count,
                                const CFArrayCallBacks *callbacks);
extern CFIndex CFArrayGetCount(CFArrayRef array);
extern const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index);
extern CFTypeID CFArrayGetTypeID(void);
extern CFArrayRef CFArrayCreateCopy(CFAllocatorRef allocator, CFArrayRef array);
extern CFMutableArrayRef CFArrayCreateMutable(CFAllocatorRef allocator, CFIndex capacity,
                                              const CFArrayCallBacks *callbacks);
extern CFMutableArrayRef CFArrayCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity,
                                                  CFArrayRef array);
extern void CFArrayGetValues(CFArrayRef array, CFRange range, const void **values);
extern Boolean CFArrayContainsValue(CFArrayRef array, CFRange range, const void *value);
extern CFIndex CFArrayGetCountOfValue(CFArrayRef array, CFRange range, const void *value);
extern CFIndex CFArrayGetFirstIndexOfValue(CFArrayRef array, CFRange range, const void *value);
extern CFIndex CFArrayGetLastIndexOfValue(CFArrayRef array, CFRange range, const void *value);
extern void CFArrayApplyFunction(CFArrayRef array, CFRange range,
                                 void (*applier)(const void *value, void *context), void *context);
extern void CFArrayAppendValue(CFMutableArrayRef array, const void *value);
extern void CFArrayAppendArray(CFMutableArrayRef array, CFArrayRef other, CFRange range);
extern void CFArrayInsertValueAtIndex(CFMutableArrayRef array, CFIndex index, const void *value);
extern void CFArraySetValueAtIndex(CFMutableArrayRef array, CFIndex index, const void *value);
extern void CFArrayRemoveValueAtIndex(CFMutableArrayRef array, CFIndex index);
extern void CFArrayRemoveAllValues(CFMutableArrayRef array);
extern void CFArrayReplaceValues(CFMutableArrayRef array, CFRange range, const void **values,
                                 CFIndex count);
extern void CFArrayExchangeValuesAtIndices(CFMutableArrayRef array, CFIndex first, CFIndex second);
extern void CFArraySortValues(CFMutableArrayRef array, CFRange range,
                              CFComparatorFunction comparator, void *context);
extern CFSetRef CFSetCreate(CFAllocatorRef allocator, const void **values, CFIndex count,
                            const CFSetCallBacks *callbacks);

extern CFTypeID CFSetGetTypeID(void);
extern CFSetRef CFSetCreateCopy(CFAllocatorRef allocator, CFSetRef set);
extern CFMutableSetRef CFSetCreateMutable(CFAllocatorRef allocator, CFIndex capacity,
                                          const CFSetCallBacks *callbacks);
extern CFMutableSetRef CFSetCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity,
                                              CFSetRef set);
extern CFIndex CFSetGetCount(CFSetRef set);
extern CFIndex CFSetGetCountOfValue(CFSetRef set, const void *value);
extern Boolean CFSetContainsValue(CFSetRef set, const void *value);
extern const void *CFSetGetValue(CFSetRef set, const void *value);
extern Boolean CFSetGetValueIfPresent(CFSetRef set, const void *candidate, const void **value);
extern void CFSetGetValues(CFSetRef set, const void **values);
extern void CFSetApplyFunction(CFSetRef set, void (*applier)(const void *value, void *context),
                               void *context);
extern void CFSetAddValue(CFMutableSetRef set, const void *value);
extern void CFSetReplaceValue(CFMutableSetRef set, const void *value);
extern void CFSetSetValue(CFMutableSetRef set, const void *value);
extern void CFSetRemoveValue(CFMutableSetRef set, const void *value);
extern void CFSetRemoveAllValues(CFMutableSetRef set);

extern CFTypeID CFDictionaryGetTypeID(void);
extern CFDictionaryRef CFDictionaryCreate(CFAllocatorRef allocator, const void **keys,
                                          const void **values, CFIndex count,
                                          const CFDictionaryKeyCallBacks *key_callbacks,
                                          const CFDictionaryValueCallBacks *value_callbacks);
extern CFDictionaryRef CFDictionaryCreateCopy(CFAllocatorRef allocator, CFDictionaryRef dictionary);
extern CFMutableDictionaryRef
CFDictionaryCreateMutable(CFAllocatorRef allocator, CFIndex capacity,
                          const CFDictionaryKeyCallBacks *key_callbacks,
                          const CFDictionaryValueCallBacks *value_callbacks);
extern CFMutableDictionaryRef CFDictionaryCreateMutableCopy(CFAllocatorRef allocator,
                                                            CFIndex capacity,
                                                            CFDictionaryRef dictionary);
extern CFIndex CFDictionaryGetCount(CFDictionaryRef dictionary);
extern CFIndex CFDictionaryGetCountOfKey(CFDictionaryRef dictionary, const void *key);
extern CFIndex CFDictionaryGetCountOfValue(CFDictionaryRef dictionary, const void *value);
extern Boolean CFDictionaryContainsKey(CFDictionaryRef dictionary, const void *key);
extern Boolean CFDictionaryContainsValue(CFDictionaryRef dictionary, const void *value);
extern const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key);
extern Boolean CFDictionaryGetKeyIfPresent(CFDictionaryRef dictionary, const void *key,
                                           const void **actual_key);
extern Boolean CFDictionaryGetValueIfPresent(CFDictionaryRef dictionary, const void *key,
                                             const void **value);
extern void CFDictionaryGetKeysAndValues(CFDictionaryRef dictionary, const void **keys,
                                         const void **values);
extern void CFDictionaryApplyFunction(CFDictionaryRef dictionary,
                                      void (*applier)(const void *key, const void *value,
                                                      void *context),
                                      void *context);
extern void CFDictionaryAddValue(CFMutableDictionaryRef dictionary, const void *key,
                                 const void *value);
extern void CFDictionaryReplaceValue(CFMutableDictionaryRef dictionary, const void *key,
                                     const void *value);
extern void CFDictionarySetValue(CFMutableDictionaryRef dictionary, const void *key,
                                 const void *value);
extern void CFDictionaryRemoveValue(CFMutableDictionaryRef dictionary, const void *key);
extern void CFDictionaryRemoveAllValues(CFMutableDictionaryRef dictionary);

extern const CFBooleanRef kCFBooleanTrue;
extern const CFBooleanRef kCFBooleanFalse;
extern const CFNullRef kCFNull;
extern CFTypeID CFBooleanGetTypeID(void);
extern Boolean CFBooleanGetValue(CFBooleanRef boolean);
extern CFTypeID CFNullGetTypeID(void);
extern CFTypeID CFNumberGetTypeID(void);
extern CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value);
extern CFNumberType CFNumberGetType(CFNumberRef number);
extern CFIndex CFNumberGetByteSize(CFNumberRef number);
extern Boolean CFNumberIsFloatType(CFNumberRef number);
extern Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value);
extern CFComparisonResult CFNumberCompare(CFNumberRef number, CFNumberRef other, void *context);

extern CFTypeID CFDataGetTypeID(void);
extern CFDataRef CFDataCreate(CFAllocatorRef allocator, const uint8_t *bytes, CFIndex length);
extern CFDataRef CFDataCreateWithBytesNoCopy(CFAllocatorRef allocator, const uint8_t *bytes,
                                             CFIndex length, CFAllocatorRef deallocator);
extern CFDataRef CFDataCreateCopy(CFAllocatorRef allocator, CFDataRef data);
extern CFMutableDataRef CFDataCreateMutable(CFAllocatorRef allocator, CFIndex capacity);
extern CFMutableDataRef CFDataCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity,
                                                CFDataRef data);
extern CFIndex CFDataGetLength(CFDataRef data);
extern const uint8_t *CFDataGetBytePtr(CFDataRef data);
extern uint8_t *CFDataGetMutableBytePtr(CFMutableDataRef data);
extern void CFDataGetBytes(CFDataRef data, CFRange range, uint8_t *buffer);
extern void CFDataSetLength(CFMutableDataRef data, CFIndex length);
extern void CFDataIncreaseLength(CFMutableDataRef data, CFIndex extra_length);
extern void CFDataAppendBytes(CFMutableDataRef data, const uint8_t *bytes, CFIndex length);
extern void CFDataReplaceBytes(CFMutableDataRef data, CFRange range, const uint8_t *new_bytes,
                               CFIndex new_length);
extern void CFDataDeleteBytes(CFMutableDataRef data, CFRange range);

extern CFTypeID CFRunLoopGetTypeID(void);
extern CFRunLoopRef CFRunLoopGetCurrent(void);
extern CFRunLoopRef CFRunLoopGetMain(void);
extern CFRunLoopMode CFRunLoopCopyCurrentMode(CFRunLoopRef loop);
extern CFArrayRef CFRunLoopCopyAllModes(CFRunLoopRef loop);
extern void CFRunLoopAddCommonMode(CFRunLoopRef loop, CFRunLoopMode mode);
extern CFAbsoluteTime CFRunLoopGetNextTimerFireDate(CFRunLoopRef loop, CFRunLoopMode mode);
extern void CFRunLoopRun(void);
extern CFRunLoopRunResult CFRunLoopRunInMode(CFRunLoopMode mode, CFTimeInterval seconds,
                                             Boolean return_after_source_handled);
extern Boolean CFRunLoopIsWaiting(CFRunLoopRef loop);
extern void CFRunLoopWakeUp(CFRunLoopRef loop);
extern void CFRunLoopStop(CFRunLoopRef loop);
extern void CFRunLoopPerformBlock(CFRunLoopRef loop, CFTypeRef mode, void (^block)(void));
extern Boolean CFRunLoopContainsSource(CFRunLoopRef loop, CFRunLoopSourceRef source,
                                       CFRunLoopMode mode);
extern void CFRunLoopAddSource(CFRunLoopRef loop, CFRunLoopSourceRef source, CFRunLoopMode mode);
extern void CFRunLoopRemoveSource(CFRunLoopRef loop, CFRunLoopSourceRef source, CFRunLoopMode mode);
extern Boolean CFRunLoopContainsObserver(CFRunLoopRef loop, CFRunLoopObserverRef observer,
                                         CFRunLoopMode mode);
extern void CFRunLoopAddObserver(CFRunLoopRef loop, CFRunLoopObserverRef observer,
                                 CFRunLoopMode mode);
extern void CFRunLoopRemoveObserver(CFRunLoopRef loop, CFRunLoopObserverRef observer,
                                    CFRunLoopMode mode);
extern Boolean CFRunLoopContainsTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer,
                                      CFRunLoopMode mode);
extern void CFRunLoopAddTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer, CFRunLoopMode mode);
extern void CFRunLoopRemoveTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer, CFRunLoopMode mode);

extern CFTypeID CFRunLoopSourceGetTypeID(void);
extern CFRunLoopSourceRef CFRunLoopSourceCreate(CFAllocatorRef allocator, CFIndex order,
                                                CFRunLoopSourceContext *context);
extern CFIndex CFRunLoopSourceGetOrder(CFRunLoopSourceRef source);
extern void CFRunLoopSourceInvalidate(CFRunLoopSourceRef source);
extern Boolean CFRunLoopSourceIsValid(CFRunLoopSourceRef source);
extern void CFRunLoopSourceGetContext(CFRunLoopSourceRef source, CFRunLoopSourceContext *context);
extern void CFRunLoopSourceSignal(CFRunLoopSourceRef source);
extern Boolean CFRunLoopSourceIsSignalled(CFRunLoopSourceRef source);

extern CFTypeID CFRunLoopObserverGetTypeID(void);
extern CFRunLoopObserverRef CFRunLoopObserverCreate(CFAllocatorRef allocator,
                                                    CFOptionFlags activities, Boolean repeats,
                                                    CFIndex order,
                                                    CFRunLoopObserverCallBack callout,
                                                    CFRunLoopObserverContext *context);
extern CFRunLoopObserverRef CFRunLoopObserverCreateWithHandler(
    CFAllocatorRef allocator, CFOptionFlags activities, Boolean repeats, CFIndex order,
    void (^block)(CFRunLoopObserverRef observer, CFRunLoopActivity activity));
extern CFOptionFlags CFRunLoopObserverGetActivities(CFRunLoopObserverRef observer);
extern Boolean CFRunLoopObserverDoesRepeat(CFRunLoopObserverRef observer);
extern CFIndex CFRunLoopObserverGetOrder(CFRunLoopObserverRef observer);
extern void CFRunLoopObserverInvalidate(CFRunLoopObserverRef observer);
extern Boolean CFRunLoopObserverIsValid(CFRunLoopObserverRef observer);
extern void CFRunLoopObserverGetContext(CFRunLoopObserverRef observer,
                                        CFRunLoopObserverContext *context);

extern CFTypeID CFRunLoopTimerGetTypeID(void);
extern CFRunLoopTimerRef CFRunLoopTimerCreate(CFAllocatorRef allocator, CFAbsoluteTime fire_date,
                                              CFTimeInterval interval, CFOptionFlags flags,
                                              CFIndex order, CFRunLoopTimerCallBack callout,
                                              CFRunLoopTimerContext *context);
extern CFRunLoopTimerRef CFRunLoopTimerCreateWithHandler(CFAllocatorRef allocator,
                                                         CFAbsoluteTime fire_date,
                                                         CFTimeInterval interval,
                                                         CFOptionFlags flags, CFIndex order,
                                                         void (^block)(CFRunLoopTimerRef timer));
extern CFAbsoluteTime CFRunLoopTimerGetNextFireDate(CFRunLoopTimerRef timer);
extern void CFRunLoopTimerSetNextFireDate(CFRunLoopTimerRef timer, CFAbsoluteTime fire_date);
extern CFTimeInterval CFRunLoopTimerGetInterval(CFRunLoopTimerRef timer);
extern Boolean CFRunLoopTimerDoesRepeat(CFRunLoopTimerRef timer);
extern CFIndex CFRunLoopTimerGetOrder(CFRunLoopTimerRef timer);
extern void CFRunLoopTimerInvalidate(CFRunLoopTimerRef timer);
extern Boolean CFRunLoopTimerIsValid(CFRunLoopTimerRef timer);
extern void CFRunLoopTimerGetContext(CFRunLoopTimerRef timer, CFRunLoopTimerContext *context);
extern CFTimeInterval CFRunLoopTimerGetTolerance(CFRunLoopTimerRef timer);
extern void CFRunLoopTimerSetTolerance(CFRunLoopTimerRef timer, CFTimeInterval tolerance);

#include "cf_oracle_base.h"
#include "cf_oracle_io.h"

#endif
