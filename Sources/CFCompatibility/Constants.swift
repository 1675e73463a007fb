// The constants that C has in enumerations or as macros.

public import CRunLoop.CFDeclarations
public import CoreRunLoop

/// Returned instead of an index when nothing was found.
@inlinable public var kCFNotFound: CFIndex { -1 }

/// The mode in which a loop usually runs, as Linux's own CoreFoundation spells it.
@inlinable public var kCFRunLoopDefaultMode: CFRunLoopMode! { .defaultMode }
/// The name that stands for all common modes, as Linux's own CoreFoundation spells it.
@inlinable public var kCFRunLoopCommonModes: CFRunLoopMode! { .commonModes }

/// Reading would not block.
@inlinable public var kCFFileDescriptorReadCallBack: CFOptionFlags { kRLFileDescriptorReadCallBack }
/// Writing would not block.
@inlinable public var kCFFileDescriptorWriteCallBack: CFOptionFlags {
    kRLFileDescriptorWriteCallBack
}

/// The read callback comes as long as there is something to read.
@inlinable public var kCFSocketAutomaticallyReenableReadCallBack: CFOptionFlags {
    kRLSocketAutomaticallyReenableReadCallBack
}
/// The accept callback comes as long as there are connections.
@inlinable public var kCFSocketAutomaticallyReenableAcceptCallBack: CFOptionFlags {
    kRLSocketAutomaticallyReenableAcceptCallBack
}
/// The data callback comes as long as there is data.
@inlinable public var kCFSocketAutomaticallyReenableDataCallBack: CFOptionFlags {
    kRLSocketAutomaticallyReenableDataCallBack
}
/// The write callback comes as long as there is room.
@inlinable public var kCFSocketAutomaticallyReenableWriteCallBack: CFOptionFlags {
    kRLSocketAutomaticallyReenableWriteCallBack
}
/// The error of the socket is left to the client.
@inlinable public var kCFSocketLeaveErrors: CFOptionFlags {
    kRLSocketLeaveErrors
}
/// Invalidation closes the native handle.
@inlinable public var kCFSocketCloseOnInvalidate: CFOptionFlags {
    kRLSocketCloseOnInvalidate
}

/// The message was sent and, if asked for, answered.
@inlinable public var kCFMessagePortSuccess: Int32 { kRLMessagePortSuccess }
/// It could not be sent in time.
@inlinable public var kCFMessagePortSendTimeout: Int32 { kRLMessagePortSendTimeout }
/// It was sent, but not answered in time.
@inlinable public var kCFMessagePortReceiveTimeout: Int32 { kRLMessagePortReceiveTimeout }
/// The port is invalid; nothing was sent.
@inlinable public var kCFMessagePortIsInvalid: Int32 { kRLMessagePortIsInvalid }
/// The message or the reply cannot be sent.
@inlinable public var kCFMessagePortTransportError: Int32 { kRLMessagePortTransportError }
/// It was sent, and the port became invalid before there was a reply.
@inlinable public var kCFMessagePortBecameInvalidError: Int32 { kRLMessagePortBecameInvalidError }

/// Also to observers that are suspended.
@inlinable public var kCFNotificationDeliverImmediately: CFOptionFlags {
    CFOptionFlags(kRLNotificationDeliverImmediately)
}
/// Has no effect.
@inlinable public var kCFNotificationPostToAllSessions: CFOptionFlags {
    CFOptionFlags(kRLNotificationPostToAllSessions)
}

/// Nothing works.
@inlinable public var kCFLogLevelEmergency: Int { kRLLogLevelEmergency }
/// To be mended at once.
@inlinable public var kCFLogLevelAlert: Int { kRLLogLevelAlert }
/// A failure of what others need.
@inlinable public var kCFLogLevelCritical: Int { kRLLogLevelCritical }
/// A failure.
@inlinable public var kCFLogLevelError: Int { kRLLogLevelError }
/// Something will fail unless it is seen to.
@inlinable public var kCFLogLevelWarning: Int { kRLLogLevelWarning }
/// Normal, and worth knowing.
@inlinable public var kCFLogLevelNotice: Int { kRLLogLevelNotice }
/// Normal.
@inlinable public var kCFLogLevelInfo: Int { kRLLogLevelInfo }
/// For those who look for mistakes.
@inlinable public var kCFLogLevelDebug: Int { kRLLogLevelDebug }

/// No port.
public let MACH_PORT_NULL: mach_port_t = -1

extension CFNumberType {
    /// An index, whose type has another name here.
    @inlinable public static var cfIndexType: CFNumberType { .rlIndexType }
}

/// No encoding.
@inlinable public var kCFStringEncodingInvalidId: CFStringEncoding { kRLStringEncodingInvalidId }

extension CFURLPathStyle {
    /// With slashes, the only style here.
    @inlinable public static var cfurlposixPathStyle: CFURLPathStyle { kRLURLPOSIXPathStyle }
}

extension RLHostInfoType {
    /// Its addresses.
    @inlinable public static var addresses: RLHostInfoType { kRLHostAddresses }
    /// Its names.
    @inlinable public static var names: RLHostInfoType { kRLHostNames }
}

// Apple's importer makes a type of the keys, with these initializers and members.
extension RLReference where Self == CFStreamPropertyKey {
    /// The key with a name, which is the name itself.
    @inlinable
    public init(_ rawValue: CFString) {
        self = rawValue
    }

    /// The key with a name, which is the name itself.
    @inlinable
    public init(rawValue: CFString) {
        self = rawValue
    }

    /// The bytes that were written.
    @inlinable public static var dataWritten: CFStreamPropertyKey { kCFStreamPropertyDataWritten }
    /// Whether a stream to a file appends.
    @inlinable public static var appendToFile: CFStreamPropertyKey { kCFStreamPropertyAppendToFile }
    /// The position of the stream in its file.
    @inlinable public static var fileCurrentOffset: CFStreamPropertyKey {
        kCFStreamPropertyFileCurrentOffset
    }
    /// The handle of a stream over a socket.
    @inlinable public static var socketNativeHandle: CFStreamPropertyKey {
        kCFStreamPropertySocketNativeHandle
    }
    /// The host that a pair of streams was made to connect to, a string.
    @inlinable public static var socketRemoteHostName: CFStreamPropertyKey {
        kCFStreamPropertySocketRemoteHostName
    }
    /// The port that a pair of streams was made to connect to, a number.
    @inlinable public static var socketRemotePortNumber: CFStreamPropertyKey {
        kCFStreamPropertySocketRemotePortNumber
    }
}
