/*
 * The names of CoreFoundation's headers other than functions: enumerations, sets of options, basic
 * types, macros, and the C library's headers in the umbrella header.
 */

#include <CoreFoundation/CoreFoundation.h>

/* --- Enumerations and sets of options ------------------------------------------------------- */

CF_EXTERN_C_BEGIN

typedef CF_ENUM(CFIndex, OwnState) {
    kOwnStateOpen = 1,
    kOwnStateOver CF_ENUM_AVAILABLE(10_0, 2_0)
};
typedef CF_CLOSED_ENUM(int32_t, OwnAnswer) { kOwnAnswerNo, kOwnAnswerYes };
typedef CF_OPTIONS(CFOptionFlags, OwnOptions) { kOwnOptionLoud = 1 << 0, kOwnOptionFast = 1 << 1 };
CF_ENUM(int32_t){kOwnMost = 16};

CFRunLoopActivity OwnActivities(void);
CFStreamEventType OwnEvents(void);
CFSocketCallBackType OwnCallBacks(void);
CFStringCompareFlags OwnFlags(void);
OwnOptions OwnBoth(void);
Boolean OwnIsOver(CFRunLoopRunResult result, CFComparisonResult order, OwnState state);

CF_EXTERN_C_END

CFRunLoopActivity OwnActivities(void)
{
    CFRunLoopActivity activities = kCFRunLoopEntry | kCFRunLoopExit;
    activities |= kCFRunLoopBeforeWaiting;
    return activities & kCFRunLoopAllActivities;
}

CFStreamEventType OwnEvents(void)
{
    return kCFStreamEventHasBytesAvailable | kCFStreamEventEndEncountered;
}

CFSocketCallBackType OwnCallBacks(void)
{
    return kCFSocketReadCallBack | kCFSocketWriteCallBack;
}

CFStringCompareFlags OwnFlags(void)
{
    return kCFCompareCaseInsensitive | kCFCompareNumerically;
}

OwnOptions OwnBoth(void)
{
    return kOwnOptionLoud | kOwnOptionFast;
}

Boolean OwnIsOver(CFRunLoopRunResult result, CFComparisonResult order, OwnState state)
{
    switch (result) {
    case kCFRunLoopRunFinished:
    case kCFRunLoopRunStopped: return order == kCFCompareEqualTo;
    case kCFRunLoopRunTimedOut:
    case kCFRunLoopRunHandledSource: break;
    }
    return state == kOwnStateOver;
}

#if defined(__cplusplus)
/* An enumeration is a type of its own, so that functions can differ by it; options are integers. */
int OwnKind(int32_t value);
int OwnKind(CFRunLoopRunResult value);
int OwnKind(CFStreamStatus value);
int OwnKind(CFOptionFlags value);

int OwnKind(int32_t)
{
    return 0;
}

int OwnKind(CFRunLoopRunResult)
{
    return 1;
}

int OwnKind(CFStreamStatus)
{
    return 2;
}

int OwnKind(CFOptionFlags)
{
    return 3;
}
#endif

/* --- Basic types ---------------------------------------------------------------------------- */

#define HAS_SIZE(type, size)                                                                       \
    extern char size_of_##type[sizeof(type) == (size) ? 1 : -1];                                   \
    extern type value_of_##type
HAS_SIZE(Boolean, 1);
HAS_SIZE(Byte, 1);
HAS_SIZE(CFComparisonResult, sizeof(CFIndex));
HAS_SIZE(CFPropertyListRef, sizeof(void *));
HAS_SIZE(CFRunLoopActivity, sizeof(CFOptionFlags));
HAS_SIZE(CFRunLoopRunResult, 4);
HAS_SIZE(CFStreamEventType, sizeof(CFOptionFlags));
HAS_SIZE(CFStreamStatus, sizeof(CFIndex));
HAS_SIZE(ConstStr255Param, sizeof(void *));
HAS_SIZE(ConstStringPtr, sizeof(void *));
HAS_SIZE(Float32, 4);
HAS_SIZE(Float64, 8);
HAS_SIZE(FourCharCode, 4);
HAS_SIZE(LangCode, 2);
HAS_SIZE(OSErr, 2);
HAS_SIZE(OSStatus, 4);
HAS_SIZE(OSType, 4);
HAS_SIZE(RegionCode, 2);
HAS_SIZE(SInt16, 2);
HAS_SIZE(SInt32, 4);
HAS_SIZE(SInt64, 8);
HAS_SIZE(SInt8, 1);
HAS_SIZE(ScriptCode, 2);
HAS_SIZE(SignedByte, 1);
HAS_SIZE(Str255, 256);
HAS_SIZE(StringPtr, sizeof(void *));
HAS_SIZE(UInt16, 2);
HAS_SIZE(UInt32, 4);
HAS_SIZE(UInt64, 8);
HAS_SIZE(UInt8, 1);
HAS_SIZE(UTF16Char, 2);
HAS_SIZE(UTF32Char, 4);
HAS_SIZE(UTF8Char, 1);
HAS_SIZE(UniChar, 2);
HAS_SIZE(UniCharCount, sizeof(long));

OSStatus OwnStatus(mach_port_t port);

OSStatus OwnStatus(mach_port_t port)
{
    return port == MACH_PORT_NULL ? (OSStatus)kNilOptions - 1 : noErr;
}

/* --- Macros --------------------------------------------------------------------------------- */

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wnullability-extension"
#endif

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN
CF_IMPLICIT_BRIDGING_ENABLED

typedef const struct CF_BRIDGED_TYPE(NSObject) OwnOpaque *OwnRef;
typedef struct CF_BRIDGED_MUTABLE_TYPE(NSMutableObject) OwnOpaque *OwnMutableRef;
typedef struct CF_RELATED_TYPE(NSColor, color, initWithColor) OwnRelated *OwnRelatedRef;
typedef CFStringRef OwnKey CF_STRING_ENUM;
typedef CFStringRef OwnName CF_EXTENSIBLE_STRING_ENUM;

CF_EXPORT const OwnKey kOwnKey CF_AVAILABLE(10_0, 2_0);
CF_EXPORT OwnRef _Nullable OwnFind(CFStringRef _Nonnull name) CF_SWIFT_NAME(OwnRef.find(_:));
CF_EXPORT OwnRef OwnCreate(void) CF_RETURNS_RETAINED CF_WARN_UNUSED_RESULT;
CF_EXPORT OwnRef OwnShared(void) CF_RETURNS_NOT_RETAINED CF_SWIFT_UNAVAILABLE("none");
CF_EXPORT void OwnConsume(OwnRef CF_CONSUMED object, OwnRef CF_RELEASES_ARGUMENT other)
    CF_DEPRECATED(10_0, 10_4, 2_0, 2_0, "no more");
CF_EXPORT void OwnLog(CFStringRef format, ...) CF_FORMAT_FUNCTION(1, 2) CF_NO_TAIL_CALL;
CF_EXPORT void OwnOld(void) CF_DEPRECATED_MAC(10_0, 10_4) CF_AUTOMATED_REFCOUNT_UNAVAILABLE;
CF_EXPORT void OwnNew(void) API_AVAILABLE(macos(10.13)) CF_REFINED_FOR_SWIFT;
CF_EXPORT void OwnApply(void (*CF_NOESCAPE function)(void));

CF_IMPLICIT_BRIDGING_DISABLED
CF_ASSUME_NONNULL_END
CF_EXTERN_C_END

CF_INLINE CFRange OwnRange(int kind)
{
    switch (kind) {
    case 0: kind = 1; CF_FALLTHROUGH;
    default: return CFRangeMake(kCFNotFound, kind);
    }
}

/* --- The C library's ------------------------------------------------------------------------ */

int OwnLibrary(void);

int OwnLibrary(void)
{
    pthread_t thread = pthread_self();
    struct stat status;
    int file = open("/dev/null", O_RDONLY);
    assert(isalpha('a') && fabs(-1.0) > DBL_EPSILON);
    printf("%" PRId64 " %s %d\n", INT64_C(1), setlocale(LC_ALL, NULL), errno);
    if (fstat(file, &status) == 0 && close(file) == 0 && pthread_equal(thread, pthread_self())) {
        return (int)OwnRange(0).length + (int)strlen("text") + (getpid() > INT_MAX - 1);
    }
#if !TARGET_OS_LINUX || TARGET_OS_MAC || TARGET_OS_IPHONE
#error "the system is another one"
#endif
    return (int)time(NULL);
}
