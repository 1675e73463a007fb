/*
 * The part of the reference's C interface that scenarios about basic objects use: allocators,
 * mutable strings, search, encodings; see cf_oracle.h, which includes it.
 */

#ifndef SCENARIOKIT_CF_ORACLE_BASE_H
#define SCENARIOKIT_CF_ORACLE_BASE_H

typedef struct {
    CFIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    CFStringRef (*copyDescription)(const void *info);
    void *(*allocate)(CFIndex size, CFOptionFlags hint, void *info);
    void *(*reallocate)(void *memory, CFIndex size, CFOptionFlags hint, void *info);
    void (*deallocate)(void *memory, void *info);
    CFIndex (*preferredSize)(CFIndex size, CFOptionFlags hint, void *info);
} CFAllocatorContext;

extern CFTypeID CFAllocatorGetTypeID(void);
extern void *CFAllocatorAllocate(CFAllocatorRef allocator, CFIndex size, CFOptionFlags hint);
extern void *CFAllocatorReallocate(CFAllocatorRef allocator, void *memory, CFIndex size,
                                   CFOptionFlags hint);
extern void CFAllocatorDeallocate(CFAllocatorRef allocator, void *memory);
extern CFIndex CFAllocatorGetPreferredSizeForSize(CFAllocatorRef allocator, CFIndex size,
                                                  CFOptionFlags hint);
extern void CFAllocatorGetContext(CFAllocatorRef allocator, CFAllocatorContext *context);
extern void CFAllocatorSetDefault(CFAllocatorRef allocator);
extern CFAllocatorRef CFGetAllocator(CFTypeRef object);
extern CFStringRef CFCopyTypeIDDescription(CFTypeID type);
extern CFTypeRef CFMakeCollectable(CFTypeRef object);

typedef const void *CFLocaleRef;

extern CFMutableStringRef CFStringCreateMutable(CFAllocatorRef allocator, CFIndex maxLength);
extern CFMutableStringRef CFStringCreateMutableCopy(CFAllocatorRef allocator, CFIndex maxLength,
                                                    CFStringRef string);
extern void CFStringAppend(CFMutableStringRef string, CFStringRef appended);
extern void CFStringAppendCharacters(CFMutableStringRef string, const UniChar *characters,
                                     CFIndex count);
extern void CFStringAppendCString(CFMutableStringRef string, const char *characters,
                                  CFStringEncoding encoding);
extern void CFStringAppendFormat(CFMutableStringRef string, CFDictionaryRef options,
                                 CFStringRef format, ...);
extern void CFStringInsert(CFMutableStringRef string, CFIndex index, CFStringRef inserted);
extern void CFStringDelete(CFMutableStringRef string, CFRange range);
extern void CFStringReplace(CFMutableStringRef string, CFRange range, CFStringRef replacement);
extern void CFStringReplaceAll(CFMutableStringRef string, CFStringRef replacement);
extern CFIndex CFStringFindAndReplace(CFMutableStringRef string, CFStringRef word,
                                      CFStringRef replacement, CFRange range,
                                      CFStringCompareFlags options);
extern void CFStringPad(CFMutableStringRef string, CFStringRef padding, CFIndex length,
                        CFIndex index);
extern void CFStringTrim(CFMutableStringRef string, CFStringRef trimmed);
extern void CFStringTrimWhitespace(CFMutableStringRef string);
extern void CFStringLowercase(CFMutableStringRef string, CFLocaleRef locale);
extern void CFStringUppercase(CFMutableStringRef string, CFLocaleRef locale);
extern void CFStringCapitalize(CFMutableStringRef string, CFLocaleRef locale);

extern CFStringRef CFStringCreateWithCharacters(CFAllocatorRef allocator, const UniChar *characters,
                                                CFIndex count);
extern CFStringRef CFStringCreateWithCharactersNoCopy(CFAllocatorRef allocator,
                                                      const UniChar *characters, CFIndex count,
                                                      CFAllocatorRef deallocator);
extern CFStringRef CFStringCreateWithCStringNoCopy(CFAllocatorRef allocator, const char *characters,
                                                   CFStringEncoding encoding,
                                                   CFAllocatorRef deallocator);
extern CFStringRef CFStringCreateWithBytesNoCopy(CFAllocatorRef allocator, const UInt8 *bytes,
                                                 CFIndex count, CFStringEncoding encoding,
                                                 Boolean is_external, CFAllocatorRef deallocator);
extern CFStringRef CFStringCreateWithFileSystemRepresentation(CFAllocatorRef allocator,
                                                              const char *characters);
extern CFStringRef CFStringCreateByCombiningStrings(CFAllocatorRef allocator, CFArrayRef strings,
                                                    CFStringRef separator);
extern CFArrayRef CFStringCreateArrayBySeparatingStrings(CFAllocatorRef allocator,
                                                         CFStringRef string, CFStringRef separator);
extern CFArrayRef CFStringCreateArrayWithFindResults(CFAllocatorRef allocator, CFStringRef string,
                                                     CFStringRef word, CFRange range,
                                                     CFStringCompareFlags options);
extern Boolean CFStringFindWithOptions(CFStringRef string, CFStringRef word, CFRange range,
                                       CFStringCompareFlags options, CFRange *result);
extern CFRange CFStringFind(CFStringRef string, CFStringRef word, CFStringCompareFlags options);
extern CFComparisonResult CFStringCompareWithOptions(CFStringRef first, CFStringRef second,
                                                     CFRange range, CFStringCompareFlags options);
extern void CFStringGetCharacters(CFStringRef string, CFRange range, UniChar *buffer);
extern CFIndex CFStringGetBytes(CFStringRef string, CFRange range, CFStringEncoding encoding,
                                UInt8 loss_byte, Boolean is_external, UInt8 *buffer, CFIndex size,
                                CFIndex *used);
extern double CFStringGetDoubleValue(CFStringRef string);
extern Boolean CFStringGetFileSystemRepresentation(CFStringRef string, char *buffer, CFIndex size);
extern const char *CFStringGetCStringPtr(CFStringRef string, CFStringEncoding encoding);

extern Boolean CFStringIsEncodingAvailable(CFStringEncoding encoding);
extern const CFStringEncoding *CFStringGetListOfAvailableEncodings(void);
extern CFStringRef CFStringGetNameOfEncoding(CFStringEncoding encoding);
extern CFStringEncoding CFStringGetSystemEncoding(void);
extern CFStringEncoding CFStringGetFastestEncoding(CFStringRef string);
extern CFStringEncoding CFStringGetSmallestEncoding(CFStringRef string);
extern unsigned long CFStringConvertEncodingToNSStringEncoding(CFStringEncoding encoding);
extern CFStringEncoding CFStringConvertNSStringEncodingToEncoding(unsigned long encoding);
extern uint32_t CFStringConvertEncodingToWindowsCodepage(CFStringEncoding encoding);
extern CFStringEncoding CFStringConvertWindowsCodepageToEncoding(uint32_t codepage);
extern CFStringRef CFStringConvertEncodingToIANACharSetName(CFStringEncoding encoding);
extern CFStringEncoding CFStringConvertIANACharSetNameToEncoding(CFStringRef name);
extern CFStringEncoding CFStringGetMostCompatibleMacStringEncoding(CFStringEncoding encoding);

typedef const struct cf_date *CFDateRef;

extern const CFTimeInterval kCFAbsoluteTimeIntervalSince1904;
extern CFTypeID CFDateGetTypeID(void);
extern CFDateRef CFDateCreate(CFAllocatorRef allocator, CFAbsoluteTime time);
extern CFAbsoluteTime CFDateGetAbsoluteTime(CFDateRef date);
extern CFTimeInterval CFDateGetTimeIntervalSinceDate(CFDateRef date, CFDateRef other);
extern CFComparisonResult CFDateCompare(CFDateRef date, CFDateRef other, void *context);

typedef const struct cf_time_zone *CFTimeZoneRef;

typedef struct {
    int32_t year;
    int8_t month, day, hour, minute;
    double second;
} CFGregorianDate;

typedef struct {
    int32_t years, months, days, hours, minutes;
    double seconds;
} CFGregorianUnits;

enum { kCFGregorianAllUnits = 0x00FFFFFF };

extern Boolean CFGregorianDateIsValid(CFGregorianDate date, CFOptionFlags flags);
extern CFAbsoluteTime CFGregorianDateGetAbsoluteTime(CFGregorianDate date, CFTimeZoneRef zone);
extern CFGregorianDate CFAbsoluteTimeGetGregorianDate(CFAbsoluteTime at, CFTimeZoneRef zone);
extern CFAbsoluteTime CFAbsoluteTimeAddGregorianUnits(CFAbsoluteTime at, CFTimeZoneRef zone,
                                                      CFGregorianUnits units);
extern CFGregorianUnits CFAbsoluteTimeGetDifferenceAsGregorianUnits(CFAbsoluteTime at,
                                                                    CFAbsoluteTime since,
                                                                    CFTimeZoneRef zone,
                                                                    CFOptionFlags flags);

extern CFTypeID CFTimeZoneGetTypeID(void);
extern CFTimeZoneRef CFTimeZoneCopySystem(void);
extern CFTimeZoneRef CFTimeZoneCopyDefault(void);
extern CFTimeZoneRef CFTimeZoneCreateWithTimeIntervalFromGMT(CFAllocatorRef allocator,
                                                             CFTimeInterval seconds);
extern CFTimeInterval CFTimeZoneGetSecondsFromGMT(CFTimeZoneRef zone, CFAbsoluteTime at);

enum { kCFLogLevelError = 3, kCFLogLevelDebug = 7 };

extern void CFLog(int32_t level, CFStringRef format, ...);
extern void CFLog1(int32_t level, CFStringRef message);

typedef struct cf_error *CFErrorRef;
typedef CFStringRef CFErrorDomain;

extern const CFErrorDomain kCFErrorDomainPOSIX;
extern const CFErrorDomain kCFErrorDomainOSStatus;
extern const CFErrorDomain kCFErrorDomainMach;
extern const CFErrorDomain kCFErrorDomainCocoa;
extern const CFStringRef kCFErrorLocalizedDescriptionKey;
extern const CFStringRef kCFErrorLocalizedFailureKey;
extern const CFStringRef kCFErrorLocalizedFailureReasonKey;
extern const CFStringRef kCFErrorLocalizedRecoverySuggestionKey;
extern const CFStringRef kCFErrorDescriptionKey;
extern const CFStringRef kCFErrorUnderlyingErrorKey;
extern const CFStringRef kCFErrorURLKey;
extern const CFStringRef kCFErrorFilePathKey;
extern CFTypeID CFErrorGetTypeID(void);
extern CFErrorRef CFErrorCreate(CFAllocatorRef allocator, CFErrorDomain domain, CFIndex code,
                                CFDictionaryRef info);
extern CFErrorRef CFErrorCreateWithUserInfoKeysAndValues(CFAllocatorRef allocator,
                                                         CFErrorDomain domain, CFIndex code,
                                                         const void *const *keys,
                                                         const void *const *values, CFIndex count);
extern CFErrorDomain CFErrorGetDomain(CFErrorRef error);
extern CFIndex CFErrorGetCode(CFErrorRef error);
extern CFDictionaryRef CFErrorCopyUserInfo(CFErrorRef error);
extern CFStringRef CFErrorCopyDescription(CFErrorRef error);
extern CFStringRef CFErrorCopyFailureReason(CFErrorRef error);
extern CFStringRef CFErrorCopyRecoverySuggestion(CFErrorRef error);

typedef enum : CFOptionFlags {
    kCFDataSearchBackwards = 1,
    kCFDataSearchAnchored = 2
} CFDataSearchFlags;

extern CFRange CFDataFind(CFDataRef data, CFDataRef word, CFRange range, CFDataSearchFlags options);
extern CFIndex CFArrayBSearchValues(CFArrayRef array, CFRange range, const void *value,
                                    CFComparatorFunction comparator, void *context);
extern const CFNumberRef kCFNumberPositiveInfinity;
extern const CFNumberRef kCFNumberNegativeInfinity;
extern const CFNumberRef kCFNumberNaN;

typedef const struct cf_url *CFURLRef;
typedef enum : CFIndex { kCFURLPOSIXPathStyle = 0 } CFURLPathStyle;

extern CFTypeID CFURLGetTypeID(void);
extern CFURLRef CFURLCreateWithFileSystemPath(CFAllocatorRef allocator, CFStringRef path,
                                              CFURLPathStyle style, Boolean is_directory);
extern CFURLRef CFURLCreateFromFileSystemRepresentation(CFAllocatorRef allocator,
                                                        const UInt8 *buffer, CFIndex length,
                                                        Boolean is_directory);
extern CFURLRef CFURLCreateWithString(CFAllocatorRef allocator, CFStringRef string, CFURLRef base);
extern CFStringRef CFURLGetString(CFURLRef url);
extern CFStringRef CFURLCopyFileSystemPath(CFURLRef url, CFURLPathStyle style);
extern Boolean CFURLGetFileSystemRepresentation(CFURLRef url, Boolean resolves, UInt8 *buffer,
                                                CFIndex size);
extern Boolean CFURLHasDirectoryPath(CFURLRef url);

#endif
