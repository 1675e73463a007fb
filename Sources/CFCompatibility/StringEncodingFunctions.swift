// Encodings of strings: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// Whether strings know an encoding.
@discardableResult
@inlinable
public func CFStringIsEncodingAvailable(_ encoding: CFStringEncoding) -> Bool {
    RLStringIsEncodingAvailable(encoding)
}

/// The encodings that strings know, with kCFStringEncodingInvalidId behind them.
@discardableResult
@inlinable
public func CFStringGetListOfAvailableEncodings() -> UnsafePointer<CFStringEncoding>! {
    RLStringGetListOfAvailableEncodings()
}

/// The name of an encoding for people, or nil; not retained.
@discardableResult
@inlinable
public func CFStringGetNameOfEncoding(_ encoding: CFStringEncoding) -> CFString! {
    RLStringGetNameOfEncoding(encoding)
}

/// The encoding of the system's texts: kCFStringEncodingUTF8.
@discardableResult
@inlinable
public func CFStringGetSystemEncoding() -> CFStringEncoding {
    RLStringGetSystemEncoding()
}

/// The encoding into which a string is converted at least cost: ASCII if it is that, or else
/// UTF-8.
@discardableResult
@inlinable
public func CFStringGetFastestEncoding(_ string: CFString!) -> CFStringEncoding {
    RLStringGetFastestEncoding(string)
}

/// The encoding in which a string is short: ASCII if it is that, or else UTF-8.
@discardableResult
@inlinable
public func CFStringGetSmallestEncoding(_ string: CFString!) -> CFStringEncoding {
    RLStringGetSmallestEncoding(string)
}

/// NSString's number of an encoding, or kCFStringEncodingInvalidId.
@discardableResult
@inlinable
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt {
    RLStringConvertEncodingToNSStringEncoding(encoding)
}

/// The encoding of NSString's number, or kCFStringEncodingInvalidId if strings do not know it.
@discardableResult
@inlinable
public func CFStringConvertNSStringEncodingToEncoding(_ encoding: UInt) -> CFStringEncoding {
    RLStringConvertNSStringEncodingToEncoding(encoding)
}

/// Windows' number of an encoding, or kCFStringEncodingInvalidId.
@discardableResult
@inlinable
public func CFStringConvertEncodingToWindowsCodepage(_ encoding: CFStringEncoding) -> UInt32 {
    RLStringConvertEncodingToWindowsCodepage(encoding)
}

/// The encoding of Windows' number, or kCFStringEncodingInvalidId if strings do not know it.
@discardableResult
@inlinable
public func CFStringConvertWindowsCodepageToEncoding(_ codepage: UInt32) -> CFStringEncoding {
    RLStringConvertWindowsCodepageToEncoding(codepage)
}

/// The name of an encoding on the Internet, such as utf-8, or nil; not retained.
@discardableResult
@inlinable
public func CFStringConvertEncodingToIANACharSetName(_ encoding: CFStringEncoding) -> CFString! {
    RLStringConvertEncodingToIANACharSetName(encoding)
}

/// The encoding of a name on the Internet, in which case does not matter, or
/// kCFStringEncodingInvalidId if strings do not know it.
@discardableResult
@inlinable
public func CFStringConvertIANACharSetNameToEncoding(_ name: CFString!) -> CFStringEncoding {
    RLStringConvertIANACharSetNameToEncoding(name)
}

/// The encoding of the Macintosh that is nearest, or kCFStringEncodingInvalidId; it may be one
/// that strings do not know.
@discardableResult
@inlinable
public func CFStringGetMostCompatibleMacStringEncoding(_ encoding: CFStringEncoding)
    -> CFStringEncoding
{
    RLStringGetMostCompatibleMacStringEncoding(encoding)
}
