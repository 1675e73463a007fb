/*
 * Errors: a domain, a code of the domain, and user info.
 *
 * The objects are immutable. All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLERROR_H
#define CRUNLOOP_RLERROR_H

#include <CRunLoop/RLDictionary.h>
#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** An error. CF: CFErrorRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_error, rl_swift_release_error) RL_SWIFT_NAME(RLErrorRef)
    RLOpaqueError {
    uintptr_t _reserved;
};

#define RLErrorRef struct RLOpaqueError *
#else
/** A reference to an error. CF: CFErrorRef. */
typedef struct __CFError *RLErrorRef;
#endif

/** The name of a domain of error codes. CF: CFErrorDomain. */
typedef RLStringRef RLErrorDomain;

/** The domain of errno values, `NSPOSIXErrorDomain`. CF: kCFErrorDomainPOSIX. */
RL_EXPORT RLErrorDomain const kRLErrorDomainPOSIX;
/** The domain of error codes of Mac OS, `NSOSStatusErrorDomain`. CF: kCFErrorDomainOSStatus. */
RL_EXPORT RLErrorDomain const kRLErrorDomainOSStatus;
/** The domain of error codes of Mach, `NSMachErrorDomain`. CF: kCFErrorDomainMach. */
RL_EXPORT RLErrorDomain const kRLErrorDomainMach;
/** The domain of error codes of Foundation, `NSCocoaErrorDomain`. CF: kCFErrorDomainCocoa. */
RL_EXPORT RLErrorDomain const kRLErrorDomainCocoa;

/**
 * A key for userInfo: a string that describes the failure and its reason to the user.
 * CF: kCFErrorLocalizedDescriptionKey.
 */
RL_EXPORT RLStringRef const kRLErrorLocalizedDescriptionKey;
/**
 * A key for userInfo: a string that describes the failure to the user.
 * CF: kCFErrorLocalizedFailureKey.
 */
RL_EXPORT RLStringRef const kRLErrorLocalizedFailureKey;
/**
 * A key for userInfo: a string that describes the reason of the failure to the user.
 * CF: kCFErrorLocalizedFailureReasonKey.
 */
RL_EXPORT RLStringRef const kRLErrorLocalizedFailureReasonKey;
/**
 * A key for userInfo: a string that suggests a recovery to the user.
 * CF: kCFErrorLocalizedRecoverySuggestionKey.
 */
RL_EXPORT RLStringRef const kRLErrorLocalizedRecoverySuggestionKey;
/**
 * A key for userInfo: a string that describes the error to developers. CF: kCFErrorDescriptionKey.
 */
RL_EXPORT RLStringRef const kRLErrorDescriptionKey;
/** A key for userInfo: the RLErrorRef that caused this error. CF: kCFErrorUnderlyingErrorKey. */
RL_EXPORT RLStringRef const kRLErrorUnderlyingErrorKey;
/**
 * A key for userInfo: the RLURLRef of the file or resource that the error concerns.
 * CF: kCFErrorURLKey.
 */
RL_EXPORT RLStringRef const kRLErrorURLKey;
/**
 * A key for userInfo: a string with the path of the file that the error concerns.
 * RLErrorCopyDescription does not use this key. CF: kCFErrorFilePathKey.
 */
RL_EXPORT RLStringRef const kRLErrorFilePathKey;

/** Returns the type ID of errors. CF: CFErrorGetTypeID. */
RL_EXPORT RLTypeID RLErrorGetTypeID(void);

/**
 * Creates an error.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - domain: The domain; copied.
 *   - code: The code.
 *   - userInfo: Additional information, with the keys above and other keys; copied. May be null.
 * - Returns: An error that the caller owns.
 * - CF: CFErrorCreate.
 */
RL_EXPORT RLErrorRef RLErrorCreate(RLAllocatorRef allocator, RLErrorDomain domain, RLIndex code,
                                   RLDictionaryRef userInfo) RL_RETURNS_RETAINED;

/**
 * Creates an error like RLErrorCreate, with the user info in two lists: the keys are strings, and
 * the values are objects. Both lists may be null if there are no entries.
 * CF: CFErrorCreateWithUserInfoKeysAndValues.
 */
RL_EXPORT RLErrorRef RLErrorCreateWithUserInfoKeysAndValues(
    RLAllocatorRef allocator, RLErrorDomain domain, RLIndex code, const void *const *userInfoKeys,
    const void *const *userInfoValues, RLIndex numUserInfoValues) RL_RETURNS_RETAINED;

/** Returns the domain of an error, not retained. CF: CFErrorGetDomain. */
RL_EXPORT RLErrorDomain RLErrorGetDomain(RLErrorRef err) RL_RETURNS_NOT_RETAINED;

/** Returns the code of an error. CF: CFErrorGetCode. */
RL_EXPORT RLIndex RLErrorGetCode(RLErrorRef err);

/**
 * Returns the user info, which may be empty; the caller owns the dictionary.
 * CF: CFErrorCopyUserInfo.
 */
RL_EXPORT RLDictionaryRef RLErrorCopyUserInfo(RLErrorRef err) RL_RETURNS_RETAINED;

/**
 * Returns a description of the error for the user; the caller owns the string. The description
 * consists of the descriptions and reasons in the user info. If there are none, it consists of the
 * domain and the code. CF: CFErrorCopyDescription.
 */
RL_EXPORT RLStringRef RLErrorCopyDescription(RLErrorRef err) RL_RETURNS_RETAINED;

/**
 * Returns the reason of the failure; the caller owns the string. The reason is the value of
 * kRLErrorLocalizedFailureReasonKey, or the system's text for an errno value. Returns null if the
 * reason is unknown. CF: CFErrorCopyFailureReason.
 */
RL_EXPORT RLStringRef RLErrorCopyFailureReason(RLErrorRef err) RL_RETURNS_RETAINED;

/**
 * Returns the recovery suggestion; the caller owns the string. The suggestion is the value of
 * kRLErrorLocalizedRecoverySuggestionKey. Returns null if there is none.
 * CF: CFErrorCopyRecoverySuggestion.
 */
RL_EXPORT RLStringRef RLErrorCopyRecoverySuggestion(RLErrorRef err) RL_RETURNS_RETAINED;

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_error(RLErrorRef error);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_error(RLErrorRef error);

RL_EXTERN_C_END

#endif
