// Constants that C defines as enumerations or macros.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

/// Returned instead of an index if nothing was found.
@inlinable public var kCFNotFound: CFIndex { -1 }

/// The mode in which a loop usually runs, in the spelling of CoreFoundation on Linux.
@inlinable public var kCFRunLoopDefaultMode: CFRunLoopMode! { .defaultMode }
/// The name that represents all common modes, in the spelling of CoreFoundation on Linux.
@inlinable public var kCFRunLoopCommonModes: CFRunLoopMode! { .commonModes }

/// The descriptor can be read without blocking.
@inlinable public var kCFFileDescriptorReadCallBack: CFOptionFlags { kRLFileDescriptorReadCallBack }
/// The descriptor can be written without blocking.
@inlinable public var kCFFileDescriptorWriteCallBack: CFOptionFlags {
    kRLFileDescriptorWriteCallBack
}

/// The read callback is enabled again after each call.
@inlinable public var kCFSocketAutomaticallyReenableReadCallBack: CFOptionFlags {
    kRLSocketAutomaticallyReenableReadCallBack
}
/// The accept callback is enabled again after each call.
@inlinable public var kCFSocketAutomaticallyReenableAcceptCallBack: CFOptionFlags {
    kRLSocketAutomaticallyReenableAcceptCallBack
}
/// The data callback is enabled again after each call.
@inlinable public var kCFSocketAutomaticallyReenableDataCallBack: CFOptionFlags {
    kRLSocketAutomaticallyReenableDataCallBack
}
/// The write callback is enabled again after each call.
@inlinable public var kCFSocketAutomaticallyReenableWriteCallBack: CFOptionFlags {
    kRLSocketAutomaticallyReenableWriteCallBack
}
/// The socket leaves `SO_ERROR` for the client to read.
@inlinable public var kCFSocketLeaveErrors: CFOptionFlags {
    kRLSocketLeaveErrors
}
/// Invalidating the socket closes the native handle.
@inlinable public var kCFSocketCloseOnInvalidate: CFOptionFlags {
    kRLSocketCloseOnInvalidate
}

/// The message was sent and, if a reply was requested, the reply was received.
@inlinable public var kCFMessagePortSuccess: Int32 { kRLMessagePortSuccess }
/// The message could not be sent before the send timeout.
@inlinable public var kCFMessagePortSendTimeout: Int32 { kRLMessagePortSendTimeout }
/// The message was sent, but no reply arrived before the receive timeout.
@inlinable public var kCFMessagePortReceiveTimeout: Int32 { kRLMessagePortReceiveTimeout }
/// The port is invalid; nothing was sent.
@inlinable public var kCFMessagePortIsInvalid: Int32 { kRLMessagePortIsInvalid }
/// The message or the reply cannot be transmitted.
@inlinable public var kCFMessagePortTransportError: Int32 { kRLMessagePortTransportError }
/// The message was sent, but the port became invalid before the reply arrived.
@inlinable public var kCFMessagePortBecameInvalidError: Int32 { kRLMessagePortBecameInvalidError }

/// Also delivers the notification to suspended observers.
@inlinable public var kCFNotificationDeliverImmediately: CFOptionFlags {
    CFOptionFlags(kRLNotificationDeliverImmediately)
}
/// No effect on Linux.
@inlinable public var kCFNotificationPostToAllSessions: CFOptionFlags {
    CFOptionFlags(kRLNotificationPostToAllSessions)
}

/// The system is unusable.
@inlinable public var kCFLogLevelEmergency: Int { kRLLogLevelEmergency }
/// Action is needed immediately.
@inlinable public var kCFLogLevelAlert: Int { kRLLogLevelAlert }
/// A critical condition, such as the failure of a resource on which others depend.
@inlinable public var kCFLogLevelCritical: Int { kRLLogLevelCritical }
/// An error.
@inlinable public var kCFLogLevelError: Int { kRLLogLevelError }
/// A condition that will cause an error if it persists.
@inlinable public var kCFLogLevelWarning: Int { kRLLogLevelWarning }
/// A normal, but significant condition.
@inlinable public var kCFLogLevelNotice: Int { kRLLogLevelNotice }
/// An informational message.
@inlinable public var kCFLogLevelInfo: Int { kRLLogLevelInfo }
/// A message for debugging.
@inlinable public var kCFLogLevelDebug: Int { kRLLogLevelDebug }

/// The null port, which is never a valid descriptor.
public let MACH_PORT_NULL: mach_port_t = -1

extension CFNumberType {
    /// The type of `CFIndex`, the same as `rlIndexType`.
    @inlinable public static var cfIndexType: CFNumberType { .rlIndexType }
}

/// The invalid encoding.
@inlinable public var kCFStringEncodingInvalidId: CFStringEncoding { kRLStringEncodingInvalidId }

extension CFURLPathStyle {
    /// The POSIX style, with slashes; no other style is supported.
    @inlinable public static var cfurlposixPathStyle: CFURLPathStyle { kRLURLPOSIXPathStyle }
}

extension RLHostInfoType {
    /// The addresses of a host.
    @inlinable public static var addresses: RLHostInfoType { kRLHostAddresses }
    /// The names of a host.
    @inlinable public static var names: RLHostInfoType { kRLHostNames }
}

// On Apple's systems, Swift imports the property keys as a type with these initializers and
// members.
extension RLReference where Self == CFStreamPropertyKey {
    /// Creates a key, which is the name itself.
    @inlinable
    public init(_ rawValue: CFString) {
        self = rawValue
    }

    /// Creates a key, which is the name itself.
    @inlinable
    public init(rawValue: CFString) {
        self = rawValue
    }

    /// The bytes that were written to a memory stream.
    @inlinable public static var dataWritten: CFStreamPropertyKey { kCFStreamPropertyDataWritten }
    /// Whether a file stream appends.
    @inlinable public static var appendToFile: CFStreamPropertyKey { kCFStreamPropertyAppendToFile }
    /// The position of the stream in its file.
    @inlinable public static var fileCurrentOffset: CFStreamPropertyKey {
        kCFStreamPropertyFileCurrentOffset
    }
    /// The native handle of a socket stream.
    @inlinable public static var socketNativeHandle: CFStreamPropertyKey {
        kCFStreamPropertySocketNativeHandle
    }
    /// The host name with which a pair of streams was created, a string.
    @inlinable public static var socketRemoteHostName: CFStreamPropertyKey {
        kCFStreamPropertySocketRemoteHostName
    }
    /// The port number with which a pair of streams was created, a number.
    @inlinable public static var socketRemotePortNumber: CFStreamPropertyKey {
        kCFStreamPropertySocketRemotePortNumber
    }
}
