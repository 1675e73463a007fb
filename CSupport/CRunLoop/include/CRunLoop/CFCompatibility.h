/*
 * CoreFoundation's names for the engine, so that C and C++ code written for CFRunLoop compiles
 * unchanged.
 *
 *     clang -include CRunLoop/CFCompatibility.h -ICSupport/CRunLoop/include \
 *         -ICSupport/CFHeaders/include ...
 *
 * The second folder makes `#include <CoreFoundation/CoreFoundation.h>` include this header. Every
 * name is a macro for the engine's name. So an object file neither defines nor needs
 * CoreFoundation's symbols, and the real CoreFoundation may be in the same process. A source file
 * must not include both this header and the real headers. Docs/Porting.md lists code that renaming
 * does not cover.
 *
 * The umbrella header does not include this header.
 */

#ifndef CRUNLOOP_CFCOMPATIBILITY_H
#define CRUNLOOP_CFCOMPATIBILITY_H

#if defined(__COREFOUNDATION_COREFOUNDATION__) || defined(__COREFOUNDATION_CFBASE__)
#error "CRunLoop/CFCompatibility.h cannot follow the real CoreFoundation headers in one source file"
#endif

/*
 * Defines the include guards of the real headers, so that including a real header after this header
 * has no effect. `.ci/names write` generates this list from a toolchain's headers.
 */
/* Guards: begin. */
#define __COREFOUNDATION_CFARRAY__ 1
#define __COREFOUNDATION_CFATTRIBUTEDSTRINGPRIV__ 1
#define __COREFOUNDATION_CFATTRIBUTEDSTRING__ 1
#define __COREFOUNDATION_CFAVAILABILITY__ 1
#define __COREFOUNDATION_CFBAG__ 1
#define __COREFOUNDATION_CFBASE__ 1
#define __COREFOUNDATION_CFBIGNUMBER__ 1
#define __COREFOUNDATION_CFBINARYHEAP__ 1
#define __COREFOUNDATION_CFBITVECTOR__ 1
#define __COREFOUNDATION_CFBUNDLEPRIV__ 1
#define __COREFOUNDATION_CFBUNDLE_BINARYTYPES__ 1
#define __COREFOUNDATION_CFBUNDLE__ 1
#define __COREFOUNDATION_CFBURSTTRIE__ 1
#define __COREFOUNDATION_CFBYTEORDER__ 1
#define __COREFOUNDATION_CFCALENDAR_PRIV__ 1
#define __COREFOUNDATION_CFCALENDAR__ 1
#define __COREFOUNDATION_CFCHARACTERSETPRIV__ 1
#define __COREFOUNDATION_CFCHARACTERSET__ 1
#define __COREFOUNDATION_CFDATA__ 1
#define __COREFOUNDATION_CFDATECOMPONENTS__ 1
#define __COREFOUNDATION_CFDATEFORMATTER_PRIVATE__ 1
#define __COREFOUNDATION_CFDATEFORMATTER__ 1
#define __COREFOUNDATION_CFDATEINTERVALFORMATTER__ 1
#define __COREFOUNDATION_CFDATEINTERVAL__ 1
#define __COREFOUNDATION_CFDATE__ 1
#define __COREFOUNDATION_CFDICTIONARY__ 1
#define __COREFOUNDATION_CFERRORPRIVATE__ 1
#define __COREFOUNDATION_CFERROR__ 1
#define __COREFOUNDATION_CFFILEDESCRIPTOR__ 1
#define __COREFOUNDATION_CFKNOWNLOCATIONS__ 1
#define __COREFOUNDATION_CFLOCALE_PRIVATE__ 1
#define __COREFOUNDATION_CFLOCALE__ 1
#define __COREFOUNDATION_CFLOCKING_H__ 1
#define __COREFOUNDATION_CFLOGUTILITIES__ 1
#define __COREFOUNDATION_CFMACHPORT__ 1
#define __COREFOUNDATION_CFMESSAGEPORT__ 1
#define __COREFOUNDATION_CFNOTIFICATIONCENTER__ 1
#define __COREFOUNDATION_CFNUMBERFORMATTER__ 1
#define __COREFOUNDATION_CFNUMBER_PRIVATE__ 1
#define __COREFOUNDATION_CFNUMBER__ 1
#define __COREFOUNDATION_CFPLUGINCOM__ 1
#define __COREFOUNDATION_CFPLUGIN__ 1
#define __COREFOUNDATION_CFPREFERENCES__ 1
#define __COREFOUNDATION_CFPRIV__ 1
#define __COREFOUNDATION_CFPROPERTYLIST__ 1
#define __COREFOUNDATION_CFREGULAREXPRESSION__ 1
#define __COREFOUNDATION_CFRUNARRAY__ 1
#define __COREFOUNDATION_CFRUNLOOP__ 1
#define __COREFOUNDATION_CFRUNTIME__ 1
#define __COREFOUNDATION_CFSET__ 1
#define __COREFOUNDATION_CFSOCKET__ 1
#define __COREFOUNDATION_CFSTORAGE__ 1
#define __COREFOUNDATION_CFSTREAMABSTRACT__ 1
#define __COREFOUNDATION_CFSTREAMPRIV__ 1
#define __COREFOUNDATION_CFSTREAM__ 1
#define __COREFOUNDATION_CFSTRINGDEFAULTENCODING__ 1
#define __COREFOUNDATION_CFSTRINGENCODINGCONVERETEREXT__ 1
#define __COREFOUNDATION_CFSTRINGENCODINGCONVERTERPRIV__ 1
#define __COREFOUNDATION_CFSTRINGENCODINGCONVERTER__ 1
#define __COREFOUNDATION_CFSTRINGENCODINGEXT__ 1
#define __COREFOUNDATION_CFSTRING_PRIVATE__ 1
#define __COREFOUNDATION_CFSTRING__ 1
#define __COREFOUNDATION_CFTIMEZONE__ 1
#define __COREFOUNDATION_CFTREE__ 1
#define __COREFOUNDATION_CFUNICHAR__ 1
#define __COREFOUNDATION_CFUNICODEDECOMPOSITION__ 1
#define __COREFOUNDATION_CFUNICODEPRECOMPOSITION__ 1
#define __COREFOUNDATION_CFURLACCESS__ 1
#define __COREFOUNDATION_CFURLCOMPONENTS__ 1
#define __COREFOUNDATION_CFURLPRIV__ 1
#define __COREFOUNDATION_CFURL__ 1
#define __COREFOUNDATION_CFUSERNOTIFICATION__ 1
#define __COREFOUNDATION_CFUTILITIES__ 1
#define __COREFOUNDATION_CFUUID__ 1
#define __COREFOUNDATION_COREFOUNDATION__ 1
#define __COREFOUNDATION_FORFOUNDATIONONLY__ 1
#define __COREFOUNDATION_FORSWIFTFOUNDATIONONLY__ 1
/* Guards: end. */
#define __COREFOUNDATION__ 1

#include <CRunLoop/CRunLoop.h>

/* A Mach port is a descriptor. */
typedef RLMachPortName mach_port_t;
#define MACH_PORT_NULL ((mach_port_t) - 1)

/* Macros that CF code uses in its own declarations. */
#if defined(__cplusplus)
#define CF_EXTERN_C_BEGIN extern "C" {
#define CF_EXTERN_C_END }
#else
#define CF_EXTERN_C_BEGIN
#define CF_EXTERN_C_END
#endif
#define CF_EXPORT extern
#define CF_INLINE static __inline__
#define CF_WARN_UNUSED_RESULT __attribute__((warn_unused_result))
#define CF_FALLTHROUGH __attribute__((fallthrough))
#if defined(__clang__)
#define CF_NOESCAPE __attribute__((noescape))
#define CF_NO_TAIL_CALL __attribute__((not_tail_called))
#define CF_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define CF_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#else
#define CF_NOESCAPE
#define CF_NO_TAIL_CALL
#define CF_ASSUME_NONNULL_BEGIN
#define CF_ASSUME_NONNULL_END
#define _Nonnull
#define _Nullable
#define _Null_unspecified
#endif

/* Clang's feature tests, which are false for other compilers. */
#if !defined(__has_attribute)
#define __has_attribute(x) 0
#endif
#if !defined(__has_extension)
#define __has_extension(x) 0
#endif
#if !defined(__has_feature)
#define __has_feature(x) 0
#endif

/* Annotations for Objective-C, its reference counting and its static analyzer. */
#define CF_AUTOMATED_REFCOUNT_UNAVAILABLE
#define CF_BRIDGED_MUTABLE_TYPE(type)
#define CF_BRIDGED_TYPE(type)
#define CF_CONSUMED
#define CF_FORMAT_ARGUMENT(argument)
#define CF_FORMAT_FUNCTION(format, arguments)
#define CF_IMPLICIT_BRIDGING_DISABLED
#define CF_IMPLICIT_BRIDGING_ENABLED
#define CF_RELATED_TYPE(type, name, initializer)
#define CF_RELEASES_ARGUMENT
#define CF_RETURNS_NOT_RETAINED
#define CF_RETURNS_RETAINED
#define __contravariant
#define __covariant

/* Annotations for Swift. C targets in a Swift package can use RL_SWIFT_NAME and similar macros. */
#define CF_EXTENSIBLE_STRING_ENUM
#define CF_REFINED_FOR_SWIFT
#define CF_STRING_ENUM
#define CF_SWIFT_BRIDGED_TYPEDEF
#define CF_SWIFT_NAME(name)
#define CF_SWIFT_UNAVAILABLE(message)
#define CF_TYPED_ENUM
#define CF_TYPED_EXTENSIBLE_ENUM

/* Availability: everything is always available. */
#define API_AVAILABLE(...)
#define API_DEPRECATED(...)
#define API_TO_BE_DEPRECATED 100000
#define API_UNAVAILABLE(...)
#define CF_AVAILABLE(...)
#define CF_AVAILABLE_IOS(...)
#define CF_AVAILABLE_IPHONE(...)
#define CF_AVAILABLE_MAC(...)
#define CF_CALENDAR_DEPRECATED(...)
#define CF_CALENDAR_ENUM_DEPRECATED(...)
#define CF_DEPRECATED(...)
#define CF_DEPRECATED_IOS(...)
#define CF_DEPRECATED_IPHONE(...)
#define CF_DEPRECATED_MAC(...)
#define CF_ENUM_AVAILABLE(...)
#define CF_ENUM_AVAILABLE_IOS(...)
#define CF_ENUM_AVAILABLE_MAC(...)
#define CF_ENUM_DEPRECATED(...)
#define CF_ENUM_DEPRECATED_IOS(...)
#define CF_ENUM_DEPRECATED_MAC(...)
#define CF_EXTENSION_UNAVAILABLE(message)
#define CF_EXTENSION_UNAVAILABLE_IOS(message)
#define CF_EXTENSION_UNAVAILABLE_MAC(message)

/*
 * Enumerations are declared by `typedef CF_ENUM(type, name) { ... };` or, without a name, by
 * `CF_ENUM(type) { ... };`. The `typedef` before the macro declares an unused name.
 */
#define CF_ENUM(...) CF_ENUM_CHOSEN(__VA_ARGS__, CF_ENUM_NAMED, RL_ENUM_CONSTANTS, )(__VA_ARGS__)
#define CF_ENUM_CHOSEN(type, name, macro, ...) macro
#define CF_ENUM_NAMED(type, name)                                                                  \
    int CF_ENUM_OF_##name;                                                                         \
    RL_ENUM(type, name)
#define CF_CLOSED_ENUM(type, name)                                                                 \
    int CF_ENUM_OF_##name;                                                                         \
    RL_CLOSED_ENUM(type, name)
#define CF_OPTIONS(type, name)                                                                     \
    int CF_OPTIONS_OF_##name;                                                                      \
    RL_OPTIONS(type, name)
#define CF_ERROR_ENUM(...)                                                                         \
    CF_ENUM_CHOSEN(__VA_ARGS__, CF_ERROR_ENUM_NAMED, CF_ERROR_ENUM_NAMELESS, )(__VA_ARGS__)
#define CF_ERROR_ENUM_NAMED(domain, name) CF_ENUM_NAMED(RLIndex, name)
#define CF_ERROR_ENUM_NAMELESS(domain) RL_ENUM_CONSTANTS(RLIndex)

/* `.ci/names write` generates this list from the public headers; `.ci/run tidy` checks it. */
/* The generated lines may be too long for clang-format. */
/* clang-format off */
/* Names: begin. */
#define CFAbsoluteTime RLAbsoluteTime
#define CFAbsoluteTimeAddGregorianUnits RLAbsoluteTimeAddGregorianUnits
#define CFAbsoluteTimeGetCurrent RLAbsoluteTimeGetCurrent
#define CFAbsoluteTimeGetDayOfWeek RLAbsoluteTimeGetDayOfWeek
#define CFAbsoluteTimeGetDayOfYear RLAbsoluteTimeGetDayOfYear
#define CFAbsoluteTimeGetDifferenceAsGregorianUnits RLAbsoluteTimeGetDifferenceAsGregorianUnits
#define CFAbsoluteTimeGetGregorianDate RLAbsoluteTimeGetGregorianDate
#define CFAbsoluteTimeGetWeekOfYear RLAbsoluteTimeGetWeekOfYear
#define CFAllocatorAllocate RLAllocatorAllocate
#define CFAllocatorAllocateCallBack RLAllocatorAllocateCallBack
#define CFAllocatorContext RLAllocatorContext
#define CFAllocatorCopyDescriptionCallBack RLAllocatorCopyDescriptionCallBack
#define CFAllocatorCreate RLAllocatorCreate
#define CFAllocatorDeallocate RLAllocatorDeallocate
#define CFAllocatorDeallocateCallBack RLAllocatorDeallocateCallBack
#define CFAllocatorGetContext RLAllocatorGetContext
#define CFAllocatorGetDefault RLAllocatorGetDefault
#define CFAllocatorGetPreferredSizeForSize RLAllocatorGetPreferredSizeForSize
#define CFAllocatorGetTypeID RLAllocatorGetTypeID
#define CFAllocatorPreferredSizeCallBack RLAllocatorPreferredSizeCallBack
#define CFAllocatorReallocate RLAllocatorReallocate
#define CFAllocatorReallocateCallBack RLAllocatorReallocateCallBack
#define CFAllocatorRef RLAllocatorRef
#define CFAllocatorReleaseCallBack RLAllocatorReleaseCallBack
#define CFAllocatorRetainCallBack RLAllocatorRetainCallBack
#define CFAllocatorSetDefault RLAllocatorSetDefault
#define CFArrayAppendArray RLArrayAppendArray
#define CFArrayAppendValue RLArrayAppendValue
#define CFArrayApplierFunction RLArrayApplierFunction
#define CFArrayApplyFunction RLArrayApplyFunction
#define CFArrayBSearchValues RLArrayBSearchValues
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
#define CFAutorelease RLAutorelease
#define CFBooleanGetTypeID RLBooleanGetTypeID
#define CFBooleanGetValue RLBooleanGetValue
#define CFBooleanRef RLBooleanRef
#define CFComparatorFunction RLComparatorFunction
#define CFComparisonResult RLComparisonResult
#define CFCopyDescription RLCopyDescription
#define CFCopyTypeIDDescription RLCopyTypeIDDescription
#define CFDataAppendBytes RLDataAppendBytes
#define CFDataCreate RLDataCreate
#define CFDataCreateCopy RLDataCreateCopy
#define CFDataCreateMutable RLDataCreateMutable
#define CFDataCreateMutableCopy RLDataCreateMutableCopy
#define CFDataCreateWithBytesNoCopy RLDataCreateWithBytesNoCopy
#define CFDataDeleteBytes RLDataDeleteBytes
#define CFDataFind RLDataFind
#define CFDataGetBytePtr RLDataGetBytePtr
#define CFDataGetBytes RLDataGetBytes
#define CFDataGetLength RLDataGetLength
#define CFDataGetMutableBytePtr RLDataGetMutableBytePtr
#define CFDataGetTypeID RLDataGetTypeID
#define CFDataIncreaseLength RLDataIncreaseLength
#define CFDataRef RLDataRef
#define CFDataReplaceBytes RLDataReplaceBytes
#define CFDataSearchFlags RLDataSearchFlags
#define CFDataSetLength RLDataSetLength
#define CFDateCompare RLDateCompare
#define CFDateCreate RLDateCreate
#define CFDateGetAbsoluteTime RLDateGetAbsoluteTime
#define CFDateGetTimeIntervalSinceDate RLDateGetTimeIntervalSinceDate
#define CFDateGetTypeID RLDateGetTypeID
#define CFDateRef RLDateRef
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
#define CFErrorCopyDescription RLErrorCopyDescription
#define CFErrorCopyFailureReason RLErrorCopyFailureReason
#define CFErrorCopyRecoverySuggestion RLErrorCopyRecoverySuggestion
#define CFErrorCopyUserInfo RLErrorCopyUserInfo
#define CFErrorCreate RLErrorCreate
#define CFErrorCreateWithUserInfoKeysAndValues RLErrorCreateWithUserInfoKeysAndValues
#define CFErrorDomain RLErrorDomain
#define CFErrorGetCode RLErrorGetCode
#define CFErrorGetDomain RLErrorGetDomain
#define CFErrorGetTypeID RLErrorGetTypeID
#define CFErrorRef RLErrorRef
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
#define CFGetAllocator RLGetAllocator
#define CFGetRetainCount RLGetRetainCount
#define CFGetTypeID RLGetTypeID
#define CFGregorianDate RLGregorianDate
#define CFGregorianDateGetAbsoluteTime RLGregorianDateGetAbsoluteTime
#define CFGregorianDateIsValid RLGregorianDateIsValid
#define CFGregorianUnitFlags RLGregorianUnitFlags
#define CFGregorianUnits RLGregorianUnits
#define CFHash RLHash
#define CFHashCode RLHashCode
#define CFHostCancelInfoResolution RLHostCancelInfoResolution
#define CFHostClientCallBack RLHostClientCallBack
#define CFHostClientContext RLHostClientContext
#define CFHostCreateCopy RLHostCreateCopy
#define CFHostCreateWithAddress RLHostCreateWithAddress
#define CFHostCreateWithName RLHostCreateWithName
#define CFHostGetAddressing RLHostGetAddressing
#define CFHostGetNames RLHostGetNames
#define CFHostGetTypeID RLHostGetTypeID
#define CFHostInfoType RLHostInfoType
#define CFHostRef RLHostRef
#define CFHostScheduleWithRunLoop RLHostScheduleWithRunLoop
#define CFHostSetClient RLHostSetClient
#define CFHostStartInfoResolution RLHostStartInfoResolution
#define CFHostUnscheduleFromRunLoop RLHostUnscheduleFromRunLoop
#define CFIndex RLIndex
#define CFLocaleRef RLLocaleRef
#define CFLog RLLog
#define CFLog1 RLLog1
#define CFLogLevel RLLogLevel
#define CFMachPortCallBack RLMachPortCallBack
#define CFMachPortContext RLMachPortContext
#define CFMachPortCreate RLMachPortCreate
#define CFMachPortCreateRunLoopSource RLMachPortCreateRunLoopSource
#define CFMachPortCreateWithPort RLMachPortCreateWithPort
#define CFMachPortGetContext RLMachPortGetContext
#define CFMachPortGetInvalidationCallBack RLMachPortGetInvalidationCallBack
#define CFMachPortGetPort RLMachPortGetPort
#define CFMachPortGetTypeID RLMachPortGetTypeID
#define CFMachPortInvalidate RLMachPortInvalidate
#define CFMachPortInvalidationCallBack RLMachPortInvalidationCallBack
#define CFMachPortIsValid RLMachPortIsValid
#define CFMachPortRef RLMachPortRef
#define CFMachPortSetInvalidationCallBack RLMachPortSetInvalidationCallBack
#define CFMakeCollectable RLMakeCollectable
#define CFMessagePortCallBack RLMessagePortCallBack
#define CFMessagePortContext RLMessagePortContext
#define CFMessagePortCreateLocal RLMessagePortCreateLocal
#define CFMessagePortCreateRemote RLMessagePortCreateRemote
#define CFMessagePortCreateRunLoopSource RLMessagePortCreateRunLoopSource
#define CFMessagePortGetContext RLMessagePortGetContext
#define CFMessagePortGetInvalidationCallBack RLMessagePortGetInvalidationCallBack
#define CFMessagePortGetName RLMessagePortGetName
#define CFMessagePortGetTypeID RLMessagePortGetTypeID
#define CFMessagePortInvalidate RLMessagePortInvalidate
#define CFMessagePortInvalidationCallBack RLMessagePortInvalidationCallBack
#define CFMessagePortIsRemote RLMessagePortIsRemote
#define CFMessagePortIsValid RLMessagePortIsValid
#define CFMessagePortRef RLMessagePortRef
#define CFMessagePortSendRequest RLMessagePortSendRequest
#define CFMessagePortSetDispatchQueue RLMessagePortSetDispatchQueue
#define CFMessagePortSetInvalidationCallBack RLMessagePortSetInvalidationCallBack
#define CFMessagePortSetName RLMessagePortSetName
#define CFMutableArrayRef RLMutableArrayRef
#define CFMutableDataRef RLMutableDataRef
#define CFMutableDictionaryRef RLMutableDictionaryRef
#define CFMutableSetRef RLMutableSetRef
#define CFMutableStringRef RLMutableStringRef
#define CFNotificationCallback RLNotificationCallback
#define CFNotificationCenterAddObserver RLNotificationCenterAddObserver
#define CFNotificationCenterGetDarwinNotifyCenter RLNotificationCenterGetDarwinNotifyCenter
#define CFNotificationCenterGetDistributedCenter RLNotificationCenterGetDistributedCenter
#define CFNotificationCenterGetLocalCenter RLNotificationCenterGetLocalCenter
#define CFNotificationCenterGetTypeID RLNotificationCenterGetTypeID
#define CFNotificationCenterPostNotification RLNotificationCenterPostNotification
#define CFNotificationCenterPostNotificationWithOptions RLNotificationCenterPostNotificationWithOptions
#define CFNotificationCenterRef RLNotificationCenterRef
#define CFNotificationCenterRemoveEveryObserver RLNotificationCenterRemoveEveryObserver
#define CFNotificationCenterRemoveObserver RLNotificationCenterRemoveObserver
#define CFNotificationName RLNotificationName
#define CFNotificationSuspensionBehavior RLNotificationSuspensionBehavior
#define CFNotificationSuspensionBehaviorCoalesce RLNotificationSuspensionBehaviorCoalesce
#define CFNotificationSuspensionBehaviorDeliverImmediately RLNotificationSuspensionBehaviorDeliverImmediately
#define CFNotificationSuspensionBehaviorDrop RLNotificationSuspensionBehaviorDrop
#define CFNotificationSuspensionBehaviorHold RLNotificationSuspensionBehaviorHold
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
#define CFPropertyListRef RLPropertyListRef
#define CFRange RLRange
#define CFRangeMake RLRangeMake
#define CFReadStreamClientCallBack RLReadStreamClientCallBack
#define CFReadStreamClose RLReadStreamClose
#define CFReadStreamCopyDispatchQueue RLReadStreamCopyDispatchQueue
#define CFReadStreamCopyError RLReadStreamCopyError
#define CFReadStreamCopyProperty RLReadStreamCopyProperty
#define CFReadStreamCreateWithBytesNoCopy RLReadStreamCreateWithBytesNoCopy
#define CFReadStreamCreateWithFile RLReadStreamCreateWithFile
#define CFReadStreamGetBuffer RLReadStreamGetBuffer
#define CFReadStreamGetError RLReadStreamGetError
#define CFReadStreamGetStatus RLReadStreamGetStatus
#define CFReadStreamGetTypeID RLReadStreamGetTypeID
#define CFReadStreamHasBytesAvailable RLReadStreamHasBytesAvailable
#define CFReadStreamOpen RLReadStreamOpen
#define CFReadStreamRead RLReadStreamRead
#define CFReadStreamRef RLReadStreamRef
#define CFReadStreamScheduleWithRunLoop RLReadStreamScheduleWithRunLoop
#define CFReadStreamSetClient RLReadStreamSetClient
#define CFReadStreamSetDispatchQueue RLReadStreamSetDispatchQueue
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
#define CFShowStr RLShowStr
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
#define CFStreamCreateBoundPair RLStreamCreateBoundPair
#define CFStreamCreatePairWithPeerSocketSignature RLStreamCreatePairWithPeerSocketSignature
#define CFStreamCreatePairWithSocket RLStreamCreatePairWithSocket
#define CFStreamCreatePairWithSocketToHost RLStreamCreatePairWithSocketToHost
#define CFStreamError RLStreamError
#define CFStreamErrorDomain RLStreamErrorDomain
#define CFStreamEventType RLStreamEventType
#define CFStreamPropertyKey RLStreamPropertyKey
#define CFStreamStatus RLStreamStatus
#define CFStringAppend RLStringAppend
#define CFStringAppendCString RLStringAppendCString
#define CFStringAppendCharacters RLStringAppendCharacters
#define CFStringAppendFormat RLStringAppendFormat
#define CFStringAppendFormatAndArguments RLStringAppendFormatAndArguments
#define CFStringBuiltInEncodings RLStringBuiltInEncodings
#define CFStringCapitalize RLStringCapitalize
#define CFStringCompare RLStringCompare
#define CFStringCompareFlags RLStringCompareFlags
#define CFStringCompareWithOptions RLStringCompareWithOptions
#define CFStringConvertEncodingToIANACharSetName RLStringConvertEncodingToIANACharSetName
#define CFStringConvertEncodingToNSStringEncoding RLStringConvertEncodingToNSStringEncoding
#define CFStringConvertEncodingToWindowsCodepage RLStringConvertEncodingToWindowsCodepage
#define CFStringConvertIANACharSetNameToEncoding RLStringConvertIANACharSetNameToEncoding
#define CFStringConvertNSStringEncodingToEncoding RLStringConvertNSStringEncodingToEncoding
#define CFStringConvertWindowsCodepageToEncoding RLStringConvertWindowsCodepageToEncoding
#define CFStringCreateArrayBySeparatingStrings RLStringCreateArrayBySeparatingStrings
#define CFStringCreateArrayWithFindResults RLStringCreateArrayWithFindResults
#define CFStringCreateByCombiningStrings RLStringCreateByCombiningStrings
#define CFStringCreateCopy RLStringCreateCopy
#define CFStringCreateExternalRepresentation RLStringCreateExternalRepresentation
#define CFStringCreateFromExternalRepresentation RLStringCreateFromExternalRepresentation
#define CFStringCreateMutable RLStringCreateMutable
#define CFStringCreateMutableCopy RLStringCreateMutableCopy
#define CFStringCreateWithBytes RLStringCreateWithBytes
#define CFStringCreateWithBytesNoCopy RLStringCreateWithBytesNoCopy
#define CFStringCreateWithCString RLStringCreateWithCString
#define CFStringCreateWithCStringNoCopy RLStringCreateWithCStringNoCopy
#define CFStringCreateWithCharacters RLStringCreateWithCharacters
#define CFStringCreateWithCharactersNoCopy RLStringCreateWithCharactersNoCopy
#define CFStringCreateWithFileSystemRepresentation RLStringCreateWithFileSystemRepresentation
#define CFStringCreateWithFormat RLStringCreateWithFormat
#define CFStringCreateWithFormatAndArguments RLStringCreateWithFormatAndArguments
#define CFStringCreateWithSubstring RLStringCreateWithSubstring
#define CFStringDelete RLStringDelete
#define CFStringEncoding RLStringEncoding
#define CFStringFind RLStringFind
#define CFStringFindAndReplace RLStringFindAndReplace
#define CFStringFindWithOptions RLStringFindWithOptions
#define CFStringGetBytes RLStringGetBytes
#define CFStringGetCString RLStringGetCString
#define CFStringGetCStringPtr RLStringGetCStringPtr
#define CFStringGetCharacterAtIndex RLStringGetCharacterAtIndex
#define CFStringGetCharacterFromInlineBuffer RLStringGetCharacterFromInlineBuffer
#define CFStringGetCharacters RLStringGetCharacters
#define CFStringGetCharactersPtr RLStringGetCharactersPtr
#define CFStringGetDoubleValue RLStringGetDoubleValue
#define CFStringGetFastestEncoding RLStringGetFastestEncoding
#define CFStringGetFileSystemRepresentation RLStringGetFileSystemRepresentation
#define CFStringGetIntValue RLStringGetIntValue
#define CFStringGetLength RLStringGetLength
#define CFStringGetListOfAvailableEncodings RLStringGetListOfAvailableEncodings
#define CFStringGetLongCharacterForSurrogatePair RLStringGetLongCharacterForSurrogatePair
#define CFStringGetMaximumSizeForEncoding RLStringGetMaximumSizeForEncoding
#define CFStringGetMaximumSizeOfFileSystemRepresentation RLStringGetMaximumSizeOfFileSystemRepresentation
#define CFStringGetMostCompatibleMacStringEncoding RLStringGetMostCompatibleMacStringEncoding
#define CFStringGetNameOfEncoding RLStringGetNameOfEncoding
#define CFStringGetSmallestEncoding RLStringGetSmallestEncoding
#define CFStringGetSurrogatePairForLongCharacter RLStringGetSurrogatePairForLongCharacter
#define CFStringGetSystemEncoding RLStringGetSystemEncoding
#define CFStringGetTypeID RLStringGetTypeID
#define CFStringHasPrefix RLStringHasPrefix
#define CFStringHasSuffix RLStringHasSuffix
#define CFStringInitInlineBuffer RLStringInitInlineBuffer
#define CFStringInlineBuffer RLStringInlineBuffer
#define CFStringInsert RLStringInsert
#define CFStringIsEncodingAvailable RLStringIsEncodingAvailable
#define CFStringIsSurrogateHighCharacter RLStringIsSurrogateHighCharacter
#define CFStringIsSurrogateLowCharacter RLStringIsSurrogateLowCharacter
#define CFStringLowercase RLStringLowercase
#define CFStringPad RLStringPad
#define CFStringRef RLStringRef
#define CFStringReplace RLStringReplace
#define CFStringReplaceAll RLStringReplaceAll
#define CFStringTrim RLStringTrim
#define CFStringTrimWhitespace RLStringTrimWhitespace
#define CFStringUppercase RLStringUppercase
#define CFTimeInterval RLTimeInterval
#define CFTimeZoneCopyDefault RLTimeZoneCopyDefault
#define CFTimeZoneCopySystem RLTimeZoneCopySystem
#define CFTimeZoneCreateWithTimeIntervalFromGMT RLTimeZoneCreateWithTimeIntervalFromGMT
#define CFTimeZoneGetSecondsFromGMT RLTimeZoneGetSecondsFromGMT
#define CFTimeZoneGetTypeID RLTimeZoneGetTypeID
#define CFTimeZoneRef RLTimeZoneRef
#define CFTypeID RLTypeID
#define CFTypeRef RLTypeRef
#define CFURLCopyFileSystemPath RLURLCopyFileSystemPath
#define CFURLCreateFromFileSystemRepresentation RLURLCreateFromFileSystemRepresentation
#define CFURLCreateWithFileSystemPath RLURLCreateWithFileSystemPath
#define CFURLCreateWithString RLURLCreateWithString
#define CFURLGetFileSystemRepresentation RLURLGetFileSystemRepresentation
#define CFURLGetString RLURLGetString
#define CFURLGetTypeID RLURLGetTypeID
#define CFURLHasDirectoryPath RLURLHasDirectoryPath
#define CFURLPathStyle RLURLPathStyle
#define CFURLRef RLURLRef
#define CFWriteStreamCanAcceptBytes RLWriteStreamCanAcceptBytes
#define CFWriteStreamClientCallBack RLWriteStreamClientCallBack
#define CFWriteStreamClose RLWriteStreamClose
#define CFWriteStreamCopyDispatchQueue RLWriteStreamCopyDispatchQueue
#define CFWriteStreamCopyError RLWriteStreamCopyError
#define CFWriteStreamCopyProperty RLWriteStreamCopyProperty
#define CFWriteStreamCreateWithAllocatedBuffers RLWriteStreamCreateWithAllocatedBuffers
#define CFWriteStreamCreateWithBuffer RLWriteStreamCreateWithBuffer
#define CFWriteStreamCreateWithFile RLWriteStreamCreateWithFile
#define CFWriteStreamGetError RLWriteStreamGetError
#define CFWriteStreamGetStatus RLWriteStreamGetStatus
#define CFWriteStreamGetTypeID RLWriteStreamGetTypeID
#define CFWriteStreamOpen RLWriteStreamOpen
#define CFWriteStreamRef RLWriteStreamRef
#define CFWriteStreamScheduleWithRunLoop RLWriteStreamScheduleWithRunLoop
#define CFWriteStreamSetClient RLWriteStreamSetClient
#define CFWriteStreamSetDispatchQueue RLWriteStreamSetDispatchQueue
#define CFWriteStreamSetProperty RLWriteStreamSetProperty
#define CFWriteStreamUnscheduleFromRunLoop RLWriteStreamUnscheduleFromRunLoop
#define CFWriteStreamWrite RLWriteStreamWrite
#define kCFAbsoluteTimeIntervalSince1904 kRLAbsoluteTimeIntervalSince1904
#define kCFAbsoluteTimeIntervalSince1970 kRLAbsoluteTimeIntervalSince1970
#define kCFAllocatorDefault kRLAllocatorDefault
#define kCFAllocatorMalloc kRLAllocatorMalloc
#define kCFAllocatorMallocZone kRLAllocatorMallocZone
#define kCFAllocatorNull kRLAllocatorNull
#define kCFAllocatorSystemDefault kRLAllocatorSystemDefault
#define kCFAllocatorUseContext kRLAllocatorUseContext
#define kCFBooleanFalse kRLBooleanFalse
#define kCFBooleanTrue kRLBooleanTrue
#define kCFCompareAnchored kRLCompareAnchored
#define kCFCompareBackwards kRLCompareBackwards
#define kCFCompareCaseInsensitive kRLCompareCaseInsensitive
#define kCFCompareEqualTo kRLCompareEqualTo
#define kCFCompareForcedOrdering kRLCompareForcedOrdering
#define kCFCompareGreaterThan kRLCompareGreaterThan
#define kCFCompareLessThan kRLCompareLessThan
#define kCFCompareNumerically kRLCompareNumerically
#define kCFCopyStringDictionaryKeyCallBacks kRLCopyStringDictionaryKeyCallBacks
#define kCFCopyStringSetCallBacks kRLCopyStringSetCallBacks
#define kCFDataSearchAnchored kRLDataSearchAnchored
#define kCFDataSearchBackwards kRLDataSearchBackwards
#define kCFErrorDescriptionKey kRLErrorDescriptionKey
#define kCFErrorDomainCocoa kRLErrorDomainCocoa
#define kCFErrorDomainMach kRLErrorDomainMach
#define kCFErrorDomainOSStatus kRLErrorDomainOSStatus
#define kCFErrorDomainPOSIX kRLErrorDomainPOSIX
#define kCFErrorFilePathKey kRLErrorFilePathKey
#define kCFErrorLocalizedDescriptionKey kRLErrorLocalizedDescriptionKey
#define kCFErrorLocalizedFailureKey kRLErrorLocalizedFailureKey
#define kCFErrorLocalizedFailureReasonKey kRLErrorLocalizedFailureReasonKey
#define kCFErrorLocalizedRecoverySuggestionKey kRLErrorLocalizedRecoverySuggestionKey
#define kCFErrorURLKey kRLErrorURLKey
#define kCFErrorUnderlyingErrorKey kRLErrorUnderlyingErrorKey
#define kCFFileDescriptorReadCallBack kRLFileDescriptorReadCallBack
#define kCFFileDescriptorWriteCallBack kRLFileDescriptorWriteCallBack
#define kCFGregorianAllUnits kRLGregorianAllUnits
#define kCFGregorianUnitsDays kRLGregorianUnitsDays
#define kCFGregorianUnitsHours kRLGregorianUnitsHours
#define kCFGregorianUnitsMinutes kRLGregorianUnitsMinutes
#define kCFGregorianUnitsMonths kRLGregorianUnitsMonths
#define kCFGregorianUnitsSeconds kRLGregorianUnitsSeconds
#define kCFGregorianUnitsYears kRLGregorianUnitsYears
#define kCFHostAddresses kRLHostAddresses
#define kCFHostNames kRLHostNames
#define kCFLogLevelAlert kRLLogLevelAlert
#define kCFLogLevelCritical kRLLogLevelCritical
#define kCFLogLevelDebug kRLLogLevelDebug
#define kCFLogLevelEmergency kRLLogLevelEmergency
#define kCFLogLevelError kRLLogLevelError
#define kCFLogLevelInfo kRLLogLevelInfo
#define kCFLogLevelNotice kRLLogLevelNotice
#define kCFLogLevelWarning kRLLogLevelWarning
#define kCFMessagePortBecameInvalidError kRLMessagePortBecameInvalidError
#define kCFMessagePortIsInvalid kRLMessagePortIsInvalid
#define kCFMessagePortReceiveTimeout kRLMessagePortReceiveTimeout
#define kCFMessagePortSendTimeout kRLMessagePortSendTimeout
#define kCFMessagePortSuccess kRLMessagePortSuccess
#define kCFMessagePortTransportError kRLMessagePortTransportError
#define kCFNotFound kRLNotFound
#define kCFNotificationDeliverImmediately kRLNotificationDeliverImmediately
#define kCFNotificationPostToAllSessions kRLNotificationPostToAllSessions
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
#define kCFNumberNaN kRLNumberNaN
#define kCFNumberNegativeInfinity kRLNumberNegativeInfinity
#define kCFNumberPositiveInfinity kRLNumberPositiveInfinity
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
#define kCFStreamErrorDomainNetDB kRLStreamErrorDomainNetDB
#define kCFStreamErrorDomainPOSIX kRLStreamErrorDomainPOSIX
#define kCFStreamErrorDomainSSL kRLStreamErrorDomainSSL
#define kCFStreamEventCanAcceptBytes kRLStreamEventCanAcceptBytes
#define kCFStreamEventEndEncountered kRLStreamEventEndEncountered
#define kCFStreamEventErrorOccurred kRLStreamEventErrorOccurred
#define kCFStreamEventHasBytesAvailable kRLStreamEventHasBytesAvailable
#define kCFStreamEventNone kRLStreamEventNone
#define kCFStreamEventOpenCompleted kRLStreamEventOpenCompleted
#define kCFStreamNetworkServiceType kRLStreamNetworkServiceType
#define kCFStreamNetworkServiceTypeAVStreaming kRLStreamNetworkServiceTypeAVStreaming
#define kCFStreamNetworkServiceTypeBackground kRLStreamNetworkServiceTypeBackground
#define kCFStreamNetworkServiceTypeCallSignaling kRLStreamNetworkServiceTypeCallSignaling
#define kCFStreamNetworkServiceTypeResponsiveAV kRLStreamNetworkServiceTypeResponsiveAV
#define kCFStreamNetworkServiceTypeResponsiveData kRLStreamNetworkServiceTypeResponsiveData
#define kCFStreamNetworkServiceTypeVideo kRLStreamNetworkServiceTypeVideo
#define kCFStreamNetworkServiceTypeVoIP kRLStreamNetworkServiceTypeVoIP
#define kCFStreamNetworkServiceTypeVoice kRLStreamNetworkServiceTypeVoice
#define kCFStreamPropertyAppendToFile kRLStreamPropertyAppendToFile
#define kCFStreamPropertyDataWritten kRLStreamPropertyDataWritten
#define kCFStreamPropertyFileCurrentOffset kRLStreamPropertyFileCurrentOffset
#define kCFStreamPropertySSLContext kRLStreamPropertySSLContext
#define kCFStreamPropertySSLPeerCertificates kRLStreamPropertySSLPeerCertificates
#define kCFStreamPropertySSLPeerTrust kRLStreamPropertySSLPeerTrust
#define kCFStreamPropertySSLSettings kRLStreamPropertySSLSettings
#define kCFStreamPropertyShouldCloseNativeSocket kRLStreamPropertyShouldCloseNativeSocket
#define kCFStreamPropertySocketNativeHandle kRLStreamPropertySocketNativeHandle
#define kCFStreamPropertySocketRemoteHostName kRLStreamPropertySocketRemoteHostName
#define kCFStreamPropertySocketRemotePortNumber kRLStreamPropertySocketRemotePortNumber
#define kCFStreamPropertySocketSecurityLevel kRLStreamPropertySocketSecurityLevel
#define kCFStreamSSLAllowsAnyRoot kRLStreamSSLAllowsAnyRoot
#define kCFStreamSSLAllowsExpiredCertificates kRLStreamSSLAllowsExpiredCertificates
#define kCFStreamSSLAllowsExpiredRoots kRLStreamSSLAllowsExpiredRoots
#define kCFStreamSSLCertificates kRLStreamSSLCertificates
#define kCFStreamSSLIsServer kRLStreamSSLIsServer
#define kCFStreamSSLLevel kRLStreamSSLLevel
#define kCFStreamSSLPeerName kRLStreamSSLPeerName
#define kCFStreamSSLValidatesCertificateChain kRLStreamSSLValidatesCertificateChain
#define kCFStreamSocketSecurityLevelNegotiatedSSL kRLStreamSocketSecurityLevelNegotiatedSSL
#define kCFStreamSocketSecurityLevelNone kRLStreamSocketSecurityLevelNone
#define kCFStreamSocketSecurityLevelSSLv2 kRLStreamSocketSecurityLevelSSLv2
#define kCFStreamSocketSecurityLevelSSLv3 kRLStreamSocketSecurityLevelSSLv3
#define kCFStreamSocketSecurityLevelTLSv1 kRLStreamSocketSecurityLevelTLSv1
#define kCFStreamStatusAtEnd kRLStreamStatusAtEnd
#define kCFStreamStatusClosed kRLStreamStatusClosed
#define kCFStreamStatusError kRLStreamStatusError
#define kCFStreamStatusNotOpen kRLStreamStatusNotOpen
#define kCFStreamStatusOpen kRLStreamStatusOpen
#define kCFStreamStatusOpening kRLStreamStatusOpening
#define kCFStreamStatusReading kRLStreamStatusReading
#define kCFStreamStatusWriting kRLStreamStatusWriting
#define kCFStringEncodingASCII kRLStringEncodingASCII
#define kCFStringEncodingISOLatin1 kRLStringEncodingISOLatin1
#define kCFStringEncodingInvalidId kRLStringEncodingInvalidId
#define kCFStringEncodingMacRoman kRLStringEncodingMacRoman
#define kCFStringEncodingUTF16 kRLStringEncodingUTF16
#define kCFStringEncodingUTF16BE kRLStringEncodingUTF16BE
#define kCFStringEncodingUTF16LE kRLStringEncodingUTF16LE
#define kCFStringEncodingUTF32 kRLStringEncodingUTF32
#define kCFStringEncodingUTF32BE kRLStringEncodingUTF32BE
#define kCFStringEncodingUTF32LE kRLStringEncodingUTF32LE
#define kCFStringEncodingUTF8 kRLStringEncodingUTF8
#define kCFStringEncodingUnicode kRLStringEncodingUnicode
#define kCFStringEncodingWindowsLatin1 kRLStringEncodingWindowsLatin1
#define kCFTypeArrayCallBacks kRLTypeArrayCallBacks
#define kCFTypeDictionaryKeyCallBacks kRLTypeDictionaryKeyCallBacks
#define kCFTypeDictionaryValueCallBacks kRLTypeDictionaryValueCallBacks
#define kCFTypeSetCallBacks kRLTypeSetCallBacks
#define kCFURLPOSIXPathStyle kRLURLPOSIXPathStyle
/* Names: end. */
/* clang-format on */

#endif
