/*
 * CoreFoundation's spellings for the engine: lets C and C++ code that was written for CFRunLoop
 * compile as it is.
 *
 *     clang -include CRunLoop/CFCompatibility.h -ICSupport/CRunLoop/include \
 *         -ICSupport/CFHeaders/include ...
 *
 * The second folder is where `#include <CoreFoundation/CoreFoundation.h>` leads here. Every name is
 * a macro for ours, so that an object file never defines or wants a symbol of CoreFoundation's, and
 * the real one may be in the same process. One source file includes this header or the real ones,
 * not both. Docs/Porting.md tells what renaming does not cover.
 *
 * Not part of the umbrella header.
 */

#ifndef CRUNLOOP_CFCOMPATIBILITY_H
#define CRUNLOOP_CFCOMPATIBILITY_H

#if defined(__COREFOUNDATION_COREFOUNDATION__) || defined(__COREFOUNDATION_CFBASE__)
#error "CRunLoop/CFCompatibility.h cannot follow the real CoreFoundation headers in one source file"
#endif

/* The real headers, if they are included in spite of this one, find themselves included already. */
#define __COREFOUNDATION_CFARRAY__ 1
#define __COREFOUNDATION_CFBASE__ 1
#define __COREFOUNDATION_CFDATA__ 1
#define __COREFOUNDATION_CFDATE__ 1
#define __COREFOUNDATION_CFDICTIONARY__ 1
#define __COREFOUNDATION_CFNUMBER__ 1
#define __COREFOUNDATION_CFRUNLOOP__ 1
#define __COREFOUNDATION_CFSET__ 1
#define __COREFOUNDATION_CFSTRING__ 1
#define __COREFOUNDATION_COREFOUNDATION__ 1

/* What headers of Apple's platforms bring along and CF code takes for granted. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CRunLoop/CRunLoop.h>

/* The words in which CF code declares things of its own. */
#if defined(__cplusplus)
#define CF_EXTERN_C_BEGIN extern "C" {
#define CF_EXTERN_C_END }
#define CF_EXPORT extern "C"
#else
#define CF_EXTERN_C_BEGIN
#define CF_EXTERN_C_END
#define CF_EXPORT extern
#endif
#define CF_INLINE static inline
#define CF_CONSUMED
#define CF_RELEASES_ARGUMENT
#define CF_RETURNS_NOT_RETAINED
#define CF_RETURNS_RETAINED
#define CF_IMPLICIT_BRIDGING_DISABLED
#define CF_IMPLICIT_BRIDGING_ENABLED
#define CF_SWIFT_NAME(name)
#define CF_NOESCAPE
#if defined(__clang__)
#define CF_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define CF_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#else
#define CF_ASSUME_NONNULL_BEGIN
#define CF_ASSUME_NONNULL_END
#endif
/* Two arguments give the enumeration a name, which is that of its integers; one does not. */
#define CF_ENUM(...) CF_ENUM_CHOSEN(__VA_ARGS__, CF_ENUM_NAMED, CF_ENUM_NAMELESS, )(__VA_ARGS__)
#define CF_ENUM_CHOSEN(type, name, macro, ...) macro
#define CF_ENUM_NAMELESS(type) enum : type
#define CF_ENUM_NAMED(type, name)                                                                  \
    type name;                                                                                     \
    enum : type
#define CF_CLOSED_ENUM(type, name) CF_ENUM_NAMED(type, name)
#define CF_OPTIONS(type, name) CF_ENUM_NAMED(type, name)

/* `.ci/cf-names write` writes this list from the public headers; `.ci/run tidy` checks it. */
/* Names: begin. */
#define CFAbsoluteTime RLAbsoluteTime
#define CFAbsoluteTimeGetCurrent RLAbsoluteTimeGetCurrent
#define CFAllocatorGetDefault RLAllocatorGetDefault
#define CFAllocatorRef RLAllocatorRef
#define CFArrayAppendArray RLArrayAppendArray
#define CFArrayAppendValue RLArrayAppendValue
#define CFArrayApplierFunction RLArrayApplierFunction
#define CFArrayApplyFunction RLArrayApplyFunction
#define CFArrayCallBacks RLArrayCallBacks
#define CFArrayContainsValue RLArrayContainsValue
#define CFArrayCopyDescriptionCallBack RLArrayCopyDescriptionCallBack
#define CFArrayCreate RLArrayCreate
#define CFArrayCreateCopy RLArrayCreateCopy
#define CFArrayCreateMutable RLArrayCreateMutable
#define CFArrayCreateMutableCopy RLArrayCreateMutableCopy
#define CFArrayEqualCallBack RLArrayEqualCallBack
#define CFArrayExchangeValuesAtIndices RLArrayExchangeValuesAtIndices
#define CFArrayGetCount RLArrayGetCount
#define CFArrayGetCountOfValue RLArrayGetCountOfValue
#define CFArrayGetFirstIndexOfValue RLArrayGetFirstIndexOfValue
#define CFArrayGetLastIndexOfValue RLArrayGetLastIndexOfValue
#define CFArrayGetTypeID RLArrayGetTypeID
#define CFArrayGetValueAtIndex RLArrayGetValueAtIndex
#define CFArrayGetValues RLArrayGetValues
#define CFArrayInsertValueAtIndex RLArrayInsertValueAtIndex
#define CFArrayRef RLArrayRef
#define CFArrayReleaseCallBack RLArrayReleaseCallBack
#define CFArrayRemoveAllValues RLArrayRemoveAllValues
#define CFArrayRemoveValueAtIndex RLArrayRemoveValueAtIndex
#define CFArrayReplaceValues RLArrayReplaceValues
#define CFArrayRetainCallBack RLArrayRetainCallBack
#define CFArraySetValueAtIndex RLArraySetValueAtIndex
#define CFArraySortValues RLArraySortValues
#define CFBooleanGetTypeID RLBooleanGetTypeID
#define CFBooleanGetValue RLBooleanGetValue
#define CFBooleanRef RLBooleanRef
#define CFComparatorFunction RLComparatorFunction
#define CFComparisonResult RLComparisonResult
#define CFCopyDescription RLCopyDescription
#define CFDataAppendBytes RLDataAppendBytes
#define CFDataCreate RLDataCreate
#define CFDataCreateCopy RLDataCreateCopy
#define CFDataCreateMutable RLDataCreateMutable
#define CFDataCreateMutableCopy RLDataCreateMutableCopy
#define CFDataCreateWithBytesNoCopy RLDataCreateWithBytesNoCopy
#define CFDataDeleteBytes RLDataDeleteBytes
#define CFDataGetBytePtr RLDataGetBytePtr
#define CFDataGetBytes RLDataGetBytes
#define CFDataGetLength RLDataGetLength
#define CFDataGetMutableBytePtr RLDataGetMutableBytePtr
#define CFDataGetTypeID RLDataGetTypeID
#define CFDataIncreaseLength RLDataIncreaseLength
#define CFDataRef RLDataRef
#define CFDataReplaceBytes RLDataReplaceBytes
#define CFDataSetLength RLDataSetLength
#define CFDictionaryAddValue RLDictionaryAddValue
#define CFDictionaryApplierFunction RLDictionaryApplierFunction
#define CFDictionaryApplyFunction RLDictionaryApplyFunction
#define CFDictionaryContainsKey RLDictionaryContainsKey
#define CFDictionaryContainsValue RLDictionaryContainsValue
#define CFDictionaryCopyDescriptionCallBack RLDictionaryCopyDescriptionCallBack
#define CFDictionaryCreate RLDictionaryCreate
#define CFDictionaryCreateCopy RLDictionaryCreateCopy
#define CFDictionaryCreateMutable RLDictionaryCreateMutable
#define CFDictionaryCreateMutableCopy RLDictionaryCreateMutableCopy
#define CFDictionaryEqualCallBack RLDictionaryEqualCallBack
#define CFDictionaryGetCount RLDictionaryGetCount
#define CFDictionaryGetCountOfKey RLDictionaryGetCountOfKey
#define CFDictionaryGetCountOfValue RLDictionaryGetCountOfValue
#define CFDictionaryGetKeyIfPresent RLDictionaryGetKeyIfPresent
#define CFDictionaryGetKeysAndValues RLDictionaryGetKeysAndValues
#define CFDictionaryGetTypeID RLDictionaryGetTypeID
#define CFDictionaryGetValue RLDictionaryGetValue
#define CFDictionaryGetValueIfPresent RLDictionaryGetValueIfPresent
#define CFDictionaryHashCallBack RLDictionaryHashCallBack
#define CFDictionaryKeyCallBacks RLDictionaryKeyCallBacks
#define CFDictionaryRef RLDictionaryRef
#define CFDictionaryReleaseCallBack RLDictionaryReleaseCallBack
#define CFDictionaryRemoveAllValues RLDictionaryRemoveAllValues
#define CFDictionaryRemoveValue RLDictionaryRemoveValue
#define CFDictionaryReplaceValue RLDictionaryReplaceValue
#define CFDictionaryRetainCallBack RLDictionaryRetainCallBack
#define CFDictionarySetValue RLDictionarySetValue
#define CFDictionaryValueCallBacks RLDictionaryValueCallBacks
#define CFEqual RLEqual
#define CFFileDescriptorCallBack RLFileDescriptorCallBack
#define CFFileDescriptorContext RLFileDescriptorContext
#define CFFileDescriptorCreate RLFileDescriptorCreate
#define CFFileDescriptorCreateRunLoopSource RLFileDescriptorCreateRunLoopSource
#define CFFileDescriptorDisableCallBacks RLFileDescriptorDisableCallBacks
#define CFFileDescriptorEnableCallBacks RLFileDescriptorEnableCallBacks
#define CFFileDescriptorGetContext RLFileDescriptorGetContext
#define CFFileDescriptorGetNativeDescriptor RLFileDescriptorGetNativeDescriptor
#define CFFileDescriptorGetTypeID RLFileDescriptorGetTypeID
#define CFFileDescriptorInvalidate RLFileDescriptorInvalidate
#define CFFileDescriptorIsValid RLFileDescriptorIsValid
#define CFFileDescriptorNativeDescriptor RLFileDescriptorNativeDescriptor
#define CFFileDescriptorRef RLFileDescriptorRef
#define CFGetRetainCount RLGetRetainCount
#define CFGetTypeID RLGetTypeID
#define CFHash RLHash
#define CFHashCode RLHashCode
#define CFIndex RLIndex
#define CFMutableArrayRef RLMutableArrayRef
#define CFMutableDataRef RLMutableDataRef
#define CFMutableDictionaryRef RLMutableDictionaryRef
#define CFMutableSetRef RLMutableSetRef
#define CFNullGetTypeID RLNullGetTypeID
#define CFNullRef RLNullRef
#define CFNumberCompare RLNumberCompare
#define CFNumberCreate RLNumberCreate
#define CFNumberGetByteSize RLNumberGetByteSize
#define CFNumberGetType RLNumberGetType
#define CFNumberGetTypeID RLNumberGetTypeID
#define CFNumberGetValue RLNumberGetValue
#define CFNumberIsFloatType RLNumberIsFloatType
#define CFNumberRef RLNumberRef
#define CFNumberType RLNumberType
#define CFOptionFlags RLOptionFlags
#define CFRange RLRange
#define CFRangeMake RLRangeMake
#define CFReadStreamClientCallBack RLReadStreamClientCallBack
#define CFReadStreamClose RLReadStreamClose
#define CFReadStreamCopyProperty RLReadStreamCopyProperty
#define CFReadStreamCreateWithBytesNoCopy RLReadStreamCreateWithBytesNoCopy
#define CFReadStreamGetError RLReadStreamGetError
#define CFReadStreamGetStatus RLReadStreamGetStatus
#define CFReadStreamGetTypeID RLReadStreamGetTypeID
#define CFReadStreamHasBytesAvailable RLReadStreamHasBytesAvailable
#define CFReadStreamOpen RLReadStreamOpen
#define CFReadStreamRead RLReadStreamRead
#define CFReadStreamRef RLReadStreamRef
#define CFReadStreamScheduleWithRunLoop RLReadStreamScheduleWithRunLoop
#define CFReadStreamSetClient RLReadStreamSetClient
#define CFReadStreamSetProperty RLReadStreamSetProperty
#define CFReadStreamUnscheduleFromRunLoop RLReadStreamUnscheduleFromRunLoop
#define CFRelease RLRelease
#define CFRetain RLRetain
#define CFRunLoopActivity RLRunLoopActivity
#define CFRunLoopAddCommonMode RLRunLoopAddCommonMode
#define CFRunLoopAddObserver RLRunLoopAddObserver
#define CFRunLoopAddSource RLRunLoopAddSource
#define CFRunLoopAddTimer RLRunLoopAddTimer
#define CFRunLoopContainsObserver RLRunLoopContainsObserver
#define CFRunLoopContainsSource RLRunLoopContainsSource
#define CFRunLoopContainsTimer RLRunLoopContainsTimer
#define CFRunLoopCopyAllModes RLRunLoopCopyAllModes
#define CFRunLoopCopyCurrentMode RLRunLoopCopyCurrentMode
#define CFRunLoopGetCurrent RLRunLoopGetCurrent
#define CFRunLoopGetMain RLRunLoopGetMain
#define CFRunLoopGetNextTimerFireDate RLRunLoopGetNextTimerFireDate
#define CFRunLoopGetTypeID RLRunLoopGetTypeID
#define CFRunLoopIsWaiting RLRunLoopIsWaiting
#define CFRunLoopMode RLRunLoopMode
#define CFRunLoopObserverCallBack RLRunLoopObserverCallBack
#define CFRunLoopObserverContext RLRunLoopObserverContext
#define CFRunLoopObserverCreate RLRunLoopObserverCreate
#define CFRunLoopObserverCreateWithHandler RLRunLoopObserverCreateWithHandler
#define CFRunLoopObserverDoesRepeat RLRunLoopObserverDoesRepeat
#define CFRunLoopObserverGetActivities RLRunLoopObserverGetActivities
#define CFRunLoopObserverGetContext RLRunLoopObserverGetContext
#define CFRunLoopObserverGetOrder RLRunLoopObserverGetOrder
#define CFRunLoopObserverGetTypeID RLRunLoopObserverGetTypeID
#define CFRunLoopObserverInvalidate RLRunLoopObserverInvalidate
#define CFRunLoopObserverIsValid RLRunLoopObserverIsValid
#define CFRunLoopObserverRef RLRunLoopObserverRef
#define CFRunLoopPerformBlock RLRunLoopPerformBlock
#define CFRunLoopRef RLRunLoopRef
#define CFRunLoopRemoveObserver RLRunLoopRemoveObserver
#define CFRunLoopRemoveSource RLRunLoopRemoveSource
#define CFRunLoopRemoveTimer RLRunLoopRemoveTimer
#define CFRunLoopRun RLRunLoopRun
#define CFRunLoopRunInMode RLRunLoopRunInMode
#define CFRunLoopRunResult RLRunLoopRunResult
#define CFRunLoopSourceContext RLRunLoopSourceContext
#define CFRunLoopSourceContext1 RLRunLoopSourceContext1
#define CFRunLoopSourceCreate RLRunLoopSourceCreate
#define CFRunLoopSourceGetContext RLRunLoopSourceGetContext
#define CFRunLoopSourceGetOrder RLRunLoopSourceGetOrder
#define CFRunLoopSourceGetTypeID RLRunLoopSourceGetTypeID
#define CFRunLoopSourceInvalidate RLRunLoopSourceInvalidate
#define CFRunLoopSourceIsSignalled RLRunLoopSourceIsSignalled
#define CFRunLoopSourceIsValid RLRunLoopSourceIsValid
#define CFRunLoopSourceRef RLRunLoopSourceRef
#define CFRunLoopSourceSignal RLRunLoopSourceSignal
#define CFRunLoopStop RLRunLoopStop
#define CFRunLoopTimerCallBack RLRunLoopTimerCallBack
#define CFRunLoopTimerContext RLRunLoopTimerContext
#define CFRunLoopTimerCreate RLRunLoopTimerCreate
#define CFRunLoopTimerCreateWithHandler RLRunLoopTimerCreateWithHandler
#define CFRunLoopTimerDoesRepeat RLRunLoopTimerDoesRepeat
#define CFRunLoopTimerGetContext RLRunLoopTimerGetContext
#define CFRunLoopTimerGetInterval RLRunLoopTimerGetInterval
#define CFRunLoopTimerGetNextFireDate RLRunLoopTimerGetNextFireDate
#define CFRunLoopTimerGetOrder RLRunLoopTimerGetOrder
#define CFRunLoopTimerGetTolerance RLRunLoopTimerGetTolerance
#define CFRunLoopTimerGetTypeID RLRunLoopTimerGetTypeID
#define CFRunLoopTimerInvalidate RLRunLoopTimerInvalidate
#define CFRunLoopTimerIsValid RLRunLoopTimerIsValid
#define CFRunLoopTimerRef RLRunLoopTimerRef
#define CFRunLoopTimerSetNextFireDate RLRunLoopTimerSetNextFireDate
#define CFRunLoopTimerSetTolerance RLRunLoopTimerSetTolerance
#define CFRunLoopWakeUp RLRunLoopWakeUp
#define CFSTR RLSTR
#define CFSetAddValue RLSetAddValue
#define CFSetApplierFunction RLSetApplierFunction
#define CFSetApplyFunction RLSetApplyFunction
#define CFSetCallBacks RLSetCallBacks
#define CFSetContainsValue RLSetContainsValue
#define CFSetCopyDescriptionCallBack RLSetCopyDescriptionCallBack
#define CFSetCreate RLSetCreate
#define CFSetCreateCopy RLSetCreateCopy
#define CFSetCreateMutable RLSetCreateMutable
#define CFSetCreateMutableCopy RLSetCreateMutableCopy
#define CFSetEqualCallBack RLSetEqualCallBack
#define CFSetGetCount RLSetGetCount
#define CFSetGetCountOfValue RLSetGetCountOfValue
#define CFSetGetTypeID RLSetGetTypeID
#define CFSetGetValue RLSetGetValue
#define CFSetGetValueIfPresent RLSetGetValueIfPresent
#define CFSetGetValues RLSetGetValues
#define CFSetHashCallBack RLSetHashCallBack
#define CFSetRef RLSetRef
#define CFSetReleaseCallBack RLSetReleaseCallBack
#define CFSetRemoveAllValues RLSetRemoveAllValues
#define CFSetRemoveValue RLSetRemoveValue
#define CFSetReplaceValue RLSetReplaceValue
#define CFSetRetainCallBack RLSetRetainCallBack
#define CFSetSetValue RLSetSetValue
#define CFShow RLShow
#define CFSocketCallBack RLSocketCallBack
#define CFSocketCallBackType RLSocketCallBackType
#define CFSocketConnectToAddress RLSocketConnectToAddress
#define CFSocketContext RLSocketContext
#define CFSocketCopyAddress RLSocketCopyAddress
#define CFSocketCopyPeerAddress RLSocketCopyPeerAddress
#define CFSocketCopyRegisteredSocketSignature RLSocketCopyRegisteredSocketSignature
#define CFSocketCopyRegisteredValue RLSocketCopyRegisteredValue
#define CFSocketCreate RLSocketCreate
#define CFSocketCreateConnectedToSocketSignature RLSocketCreateConnectedToSocketSignature
#define CFSocketCreateRunLoopSource RLSocketCreateRunLoopSource
#define CFSocketCreateWithNative RLSocketCreateWithNative
#define CFSocketCreateWithSocketSignature RLSocketCreateWithSocketSignature
#define CFSocketDisableCallBacks RLSocketDisableCallBacks
#define CFSocketEnableCallBacks RLSocketEnableCallBacks
#define CFSocketError RLSocketError
#define CFSocketGetContext RLSocketGetContext
#define CFSocketGetDefaultNameRegistryPortNumber RLSocketGetDefaultNameRegistryPortNumber
#define CFSocketGetNative RLSocketGetNative
#define CFSocketGetSocketFlags RLSocketGetSocketFlags
#define CFSocketGetTypeID RLSocketGetTypeID
#define CFSocketInvalidate RLSocketInvalidate
#define CFSocketIsValid RLSocketIsValid
#define CFSocketNativeHandle RLSocketNativeHandle
#define CFSocketRef RLSocketRef
#define CFSocketRegisterSocketSignature RLSocketRegisterSocketSignature
#define CFSocketRegisterValue RLSocketRegisterValue
#define CFSocketSendData RLSocketSendData
#define CFSocketSetAddress RLSocketSetAddress
#define CFSocketSetDefaultNameRegistryPortNumber RLSocketSetDefaultNameRegistryPortNumber
#define CFSocketSetSocketFlags RLSocketSetSocketFlags
#define CFSocketSignature RLSocketSignature
#define CFSocketUnregister RLSocketUnregister
#define CFStreamClientContext RLStreamClientContext
#define CFStreamCreatePairWithPeerSocketSignature RLStreamCreatePairWithPeerSocketSignature
#define CFStreamCreatePairWithSocket RLStreamCreatePairWithSocket
#define CFStreamCreatePairWithSocketToHost RLStreamCreatePairWithSocketToHost
#define CFStreamError RLStreamError
#define CFStreamErrorDomain RLStreamErrorDomain
#define CFStreamEventType RLStreamEventType
#define CFStreamStatus RLStreamStatus
#define CFStringCompare RLStringCompare
#define CFStringCompareFlags RLStringCompareFlags
#define CFStringCreateCopy RLStringCreateCopy
#define CFStringCreateWithBytes RLStringCreateWithBytes
#define CFStringCreateWithCString RLStringCreateWithCString
#define CFStringCreateWithFormat RLStringCreateWithFormat
#define CFStringCreateWithFormatAndArguments RLStringCreateWithFormatAndArguments
#define CFStringCreateWithSubstring RLStringCreateWithSubstring
#define CFStringEncoding RLStringEncoding
#define CFStringGetCString RLStringGetCString
#define CFStringGetCStringPtr RLStringGetCStringPtr
#define CFStringGetCharacterAtIndex RLStringGetCharacterAtIndex
#define CFStringGetIntValue RLStringGetIntValue
#define CFStringGetLength RLStringGetLength
#define CFStringGetMaximumSizeForEncoding RLStringGetMaximumSizeForEncoding
#define CFStringGetTypeID RLStringGetTypeID
#define CFStringHasPrefix RLStringHasPrefix
#define CFStringHasSuffix RLStringHasSuffix
#define CFStringRef RLStringRef
#define CFTimeInterval RLTimeInterval
#define CFTypeID RLTypeID
#define CFTypeRef RLTypeRef
#define CFWriteStreamCanAcceptBytes RLWriteStreamCanAcceptBytes
#define CFWriteStreamClientCallBack RLWriteStreamClientCallBack
#define CFWriteStreamClose RLWriteStreamClose
#define CFWriteStreamCopyProperty RLWriteStreamCopyProperty
#define CFWriteStreamCreateWithAllocatedBuffers RLWriteStreamCreateWithAllocatedBuffers
#define CFWriteStreamCreateWithBuffer RLWriteStreamCreateWithBuffer
#define CFWriteStreamGetError RLWriteStreamGetError
#define CFWriteStreamGetStatus RLWriteStreamGetStatus
#define CFWriteStreamGetTypeID RLWriteStreamGetTypeID
#define CFWriteStreamOpen RLWriteStreamOpen
#define CFWriteStreamRef RLWriteStreamRef
#define CFWriteStreamScheduleWithRunLoop RLWriteStreamScheduleWithRunLoop
#define CFWriteStreamSetClient RLWriteStreamSetClient
#define CFWriteStreamSetProperty RLWriteStreamSetProperty
#define CFWriteStreamUnscheduleFromRunLoop RLWriteStreamUnscheduleFromRunLoop
#define CFWriteStreamWrite RLWriteStreamWrite
#define kCFAbsoluteTimeIntervalSince1970 kRLAbsoluteTimeIntervalSince1970
#define kCFAllocatorDefault kRLAllocatorDefault
#define kCFAllocatorMalloc kRLAllocatorMalloc
#define kCFAllocatorNull kRLAllocatorNull
#define kCFAllocatorSystemDefault kRLAllocatorSystemDefault
#define kCFBooleanFalse kRLBooleanFalse
#define kCFBooleanTrue kRLBooleanTrue
#define kCFCompareCaseInsensitive kRLCompareCaseInsensitive
#define kCFCompareEqualTo kRLCompareEqualTo
#define kCFCompareGreaterThan kRLCompareGreaterThan
#define kCFCompareLessThan kRLCompareLessThan
#define kCFCompareNumerically kRLCompareNumerically
#define kCFCopyStringDictionaryKeyCallBacks kRLCopyStringDictionaryKeyCallBacks
#define kCFCopyStringSetCallBacks kRLCopyStringSetCallBacks
#define kCFFileDescriptorReadCallBack kRLFileDescriptorReadCallBack
#define kCFFileDescriptorWriteCallBack kRLFileDescriptorWriteCallBack
#define kCFNotFound kRLNotFound
#define kCFNull kRLNull
#define kCFNumberCFIndexType kRLNumberRLIndexType
#define kCFNumberCGFloatType kRLNumberCGFloatType
#define kCFNumberCharType kRLNumberCharType
#define kCFNumberDoubleType kRLNumberDoubleType
#define kCFNumberFloat32Type kRLNumberFloat32Type
#define kCFNumberFloat64Type kRLNumberFloat64Type
#define kCFNumberFloatType kRLNumberFloatType
#define kCFNumberIntType kRLNumberIntType
#define kCFNumberLongLongType kRLNumberLongLongType
#define kCFNumberLongType kRLNumberLongType
#define kCFNumberMaxType kRLNumberMaxType
#define kCFNumberNSIntegerType kRLNumberNSIntegerType
#define kCFNumberSInt16Type kRLNumberSInt16Type
#define kCFNumberSInt32Type kRLNumberSInt32Type
#define kCFNumberSInt64Type kRLNumberSInt64Type
#define kCFNumberSInt8Type kRLNumberSInt8Type
#define kCFNumberShortType kRLNumberShortType
#define kCFRunLoopAfterWaiting kRLRunLoopAfterWaiting
#define kCFRunLoopAllActivities kRLRunLoopAllActivities
#define kCFRunLoopBeforeSources kRLRunLoopBeforeSources
#define kCFRunLoopBeforeTimers kRLRunLoopBeforeTimers
#define kCFRunLoopBeforeWaiting kRLRunLoopBeforeWaiting
#define kCFRunLoopCommonModes kRLRunLoopCommonModes
#define kCFRunLoopDefaultMode kRLRunLoopDefaultMode
#define kCFRunLoopEntry kRLRunLoopEntry
#define kCFRunLoopExit kRLRunLoopExit
#define kCFRunLoopRunFinished kRLRunLoopRunFinished
#define kCFRunLoopRunHandledSource kRLRunLoopRunHandledSource
#define kCFRunLoopRunStopped kRLRunLoopRunStopped
#define kCFRunLoopRunTimedOut kRLRunLoopRunTimedOut
#define kCFSocketAcceptCallBack kRLSocketAcceptCallBack
#define kCFSocketAutomaticallyReenableAcceptCallBack kRLSocketAutomaticallyReenableAcceptCallBack
#define kCFSocketAutomaticallyReenableDataCallBack kRLSocketAutomaticallyReenableDataCallBack
#define kCFSocketAutomaticallyReenableReadCallBack kRLSocketAutomaticallyReenableReadCallBack
#define kCFSocketAutomaticallyReenableWriteCallBack kRLSocketAutomaticallyReenableWriteCallBack
#define kCFSocketCloseOnInvalidate kRLSocketCloseOnInvalidate
#define kCFSocketCommandKey kRLSocketCommandKey
#define kCFSocketConnectCallBack kRLSocketConnectCallBack
#define kCFSocketDataCallBack kRLSocketDataCallBack
#define kCFSocketError kRLSocketError
#define kCFSocketErrorKey kRLSocketErrorKey
#define kCFSocketLeaveErrors kRLSocketLeaveErrors
#define kCFSocketNameKey kRLSocketNameKey
#define kCFSocketNoCallBack kRLSocketNoCallBack
#define kCFSocketReadCallBack kRLSocketReadCallBack
#define kCFSocketRegisterCommand kRLSocketRegisterCommand
#define kCFSocketResultKey kRLSocketResultKey
#define kCFSocketRetrieveCommand kRLSocketRetrieveCommand
#define kCFSocketSuccess kRLSocketSuccess
#define kCFSocketTimeout kRLSocketTimeout
#define kCFSocketValueKey kRLSocketValueKey
#define kCFSocketWriteCallBack kRLSocketWriteCallBack
#define kCFStreamErrorDomainCustom kRLStreamErrorDomainCustom
#define kCFStreamErrorDomainMacOSStatus kRLStreamErrorDomainMacOSStatus
#define kCFStreamErrorDomainPOSIX kRLStreamErrorDomainPOSIX
#define kCFStreamEventCanAcceptBytes kRLStreamEventCanAcceptBytes
#define kCFStreamEventEndEncountered kRLStreamEventEndEncountered
#define kCFStreamEventErrorOccurred kRLStreamEventErrorOccurred
#define kCFStreamEventHasBytesAvailable kRLStreamEventHasBytesAvailable
#define kCFStreamEventNone kRLStreamEventNone
#define kCFStreamEventOpenCompleted kRLStreamEventOpenCompleted
#define kCFStreamPropertyAppendToFile kRLStreamPropertyAppendToFile
#define kCFStreamPropertyDataWritten kRLStreamPropertyDataWritten
#define kCFStreamPropertyFileCurrentOffset kRLStreamPropertyFileCurrentOffset
#define kCFStreamPropertyShouldCloseNativeSocket kRLStreamPropertyShouldCloseNativeSocket
#define kCFStreamPropertySocketNativeHandle kRLStreamPropertySocketNativeHandle
#define kCFStreamStatusAtEnd kRLStreamStatusAtEnd
#define kCFStreamStatusClosed kRLStreamStatusClosed
#define kCFStreamStatusError kRLStreamStatusError
#define kCFStreamStatusNotOpen kRLStreamStatusNotOpen
#define kCFStreamStatusOpen kRLStreamStatusOpen
#define kCFStreamStatusOpening kRLStreamStatusOpening
#define kCFStreamStatusReading kRLStreamStatusReading
#define kCFStreamStatusWriting kRLStreamStatusWriting
#define kCFStringEncodingASCII kRLStringEncodingASCII
#define kCFStringEncodingUTF8 kRLStringEncodingUTF8
#define kCFTypeArrayCallBacks kRLTypeArrayCallBacks
#define kCFTypeDictionaryKeyCallBacks kRLTypeDictionaryKeyCallBacks
#define kCFTypeDictionaryValueCallBacks kRLTypeDictionaryValueCallBacks
#define kCFTypeSetCallBacks kRLTypeSetCallBacks
/* Names: end. */

#endif
