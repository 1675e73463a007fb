// Errors: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// An error.
public typealias CFError = RLErrorRef
/// The name of a domain of codes.
public typealias CFErrorDomain = CFString

/// The domain of errno values, `NSPOSIXErrorDomain`.
@inlinable public var kCFErrorDomainPOSIX: CFErrorDomain! { kRLErrorDomainPOSIX }
/// The domain of codes of Mac OS, `NSOSStatusErrorDomain`.
@inlinable public var kCFErrorDomainOSStatus: CFErrorDomain! { kRLErrorDomainOSStatus }
/// The domain of codes of Mach, `NSMachErrorDomain`.
@inlinable public var kCFErrorDomainMach: CFErrorDomain! { kRLErrorDomainMach }
/// The domain of codes of Foundation, `NSCocoaErrorDomain`.
@inlinable public var kCFErrorDomainCocoa: CFErrorDomain! { kRLErrorDomainCocoa }
/// A key: what failed and why, for the user.
@inlinable public var kCFErrorLocalizedDescriptionKey: CFString! { kRLErrorLocalizedDescriptionKey }
/// A key: what failed, for the user.
@inlinable public var kCFErrorLocalizedFailureKey: CFString! { kRLErrorLocalizedFailureKey }
/// A key: why it failed, for the user.
@inlinable public var kCFErrorLocalizedFailureReasonKey: CFString! {
    kRLErrorLocalizedFailureReasonKey
}
/// A key: what the user may do.
@inlinable public var kCFErrorLocalizedRecoverySuggestionKey: CFString! {
    kRLErrorLocalizedRecoverySuggestionKey
}
/// A key: a description that need not be for the user.
@inlinable public var kCFErrorDescriptionKey: CFString! { kRLErrorDescriptionKey }
/// A key: the error behind this one.
@inlinable public var kCFErrorUnderlyingErrorKey: CFString! { kRLErrorUnderlyingErrorKey }
/// A key: the URL that it is about.
@inlinable public var kCFErrorURLKey: CFString! { kRLErrorURLKey }
/// A key: the path that it is about.
@inlinable public var kCFErrorFilePathKey: CFString! { kRLErrorFilePathKey }

/// The type number of errors.
@discardableResult
@inlinable
public func CFErrorGetTypeID() -> CFTypeID {
    RLErrorGetTypeID()
}

/// Makes an error.
@discardableResult
@inlinable
public func CFErrorCreate(
    _ allocator: CFAllocator!,
    _ domain: CFErrorDomain!,
    _ code: CFIndex,
    _ userInfo: CFDictionary!
) -> CFError! {
    RLErrorCreate(allocator, domain, code, userInfo)
}

/// As CFErrorCreate, with lists of keys, which are strings, and values, which are objects; both
/// may be nil if there are none.
@discardableResult
@inlinable
public func CFErrorCreateWithUserInfoKeysAndValues(
    _ allocator: CFAllocator!,
    _ domain: CFErrorDomain!,
    _ code: CFIndex,
    _ userInfoKeys: UnsafePointer<UnsafeRawPointer?>!,
    _ userInfoValues: UnsafePointer<UnsafeRawPointer?>!,
    _ numUserInfoValues: CFIndex
) -> CFError! {
    RLErrorCreateWithUserInfoKeysAndValues(
        allocator,
        domain,
        code,
        userInfoKeys,
        userInfoValues,
        numUserInfoValues
    )
}

/// The domain of an error, not retained.
@discardableResult
@inlinable
public func CFErrorGetDomain(_ err: CFError!) -> CFErrorDomain! {
    RLErrorGetDomain(err)
}

/// The code of an error.
@discardableResult
@inlinable
public func CFErrorGetCode(_ err: CFError!) -> CFIndex {
    RLErrorGetCode(err)
}

/// Further information, which may be empty.
@discardableResult
@inlinable
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! {
    RLErrorCopyUserInfo(err)
}

/// A sentence about the error for the user, which the caller owns: by the keys of descriptions and
/// reasons, or else by domain and code.
@discardableResult
@inlinable
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! {
    RLErrorCopyDescription(err)
}

/// Why it failed, which the caller owns: by the key, or what the system calls an errno value; nil
/// if that is not known.
@discardableResult
@inlinable
public func CFErrorCopyFailureReason(_ err: CFError!) -> CFString! {
    RLErrorCopyFailureReason(err)
}

/// What the user may do, by the key, which the caller owns; nil if that is not known.
@discardableResult
@inlinable
public func CFErrorCopyRecoverySuggestion(_ err: CFError!) -> CFString! {
    RLErrorCopyRecoverySuggestion(err)
}
