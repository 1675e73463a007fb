// The types and constants of streams, in the spellings in which Apple's systems import them.

public import CoreRunLoop

/// A stream that is read.
public typealias CFReadStream = RLReadStreamRef
/// A stream that is written.
public typealias CFWriteStream = RLWriteStreamRef
/// The status of a stream.
public typealias CFStreamStatus = RLStreamStatus
/// The key of a property.
public typealias CFStreamPropertyKey = CFString
/// The events of a stream.
public typealias CFStreamEventType = RLStreamEventType
/// Why a stream failed.
public typealias CFStreamError = RLStreamError
/// The domain of an error's number.
public typealias CFStreamErrorDomain = RLStreamErrorDomain
/// The client data of a stream.
public typealias CFStreamClientContext = RLStreamClientContext
/// The callback of a read stream.
public typealias CFReadStreamClientCallBack = RLReadStreamClientCallBack
/// The callback of a write stream.
public typealias CFWriteStreamClientCallBack = RLWriteStreamClientCallBack

/// The bytes that were written.
@inlinable public var kCFStreamPropertyDataWritten: CFString! {
    kRLStreamPropertyDataWritten
}
/// Whether a stream to a file appends.
@inlinable public var kCFStreamPropertyAppendToFile: CFString! {
    kRLStreamPropertyAppendToFile
}
/// The position of the stream in its file.
@inlinable public var kCFStreamPropertyFileCurrentOffset: CFString! {
    kRLStreamPropertyFileCurrentOffset
}
/// The handle of a stream over a socket.
@inlinable public var kCFStreamPropertySocketNativeHandle: CFString! {
    kRLStreamPropertySocketNativeHandle
}
/// The host that a pair of streams was made to connect to, a string.
@inlinable public var kCFStreamPropertySocketRemoteHostName: CFString! {
    kRLStreamPropertySocketRemoteHostName
}
/// The port that a pair of streams was made to connect to, a number.
@inlinable public var kCFStreamPropertySocketRemotePortNumber: CFString! {
    kRLStreamPropertySocketRemotePortNumber
}
/// Whether the handle is closed with the streams.
@inlinable public var kCFStreamPropertyShouldCloseNativeSocket: CFString! {
    kRLStreamPropertyShouldCloseNativeSocket
}

/// What a stream over a socket is used for, one of the strings that follow.
@inlinable public var kCFStreamNetworkServiceType: CFString! { kRLStreamNetworkServiceType }
/// The control of voice calls over IP.
@inlinable public var kCFStreamNetworkServiceTypeVoIP: CFString! { kRLStreamNetworkServiceTypeVoIP }
/// The pictures of a conference.
@inlinable public var kCFStreamNetworkServiceTypeVideo: CFString! {
    kRLStreamNetworkServiceTypeVideo
}
/// What nobody waits for.
@inlinable public var kCFStreamNetworkServiceTypeBackground: CFString! {
    kRLStreamNetworkServiceTypeBackground
}
/// The voice of a call.
@inlinable public var kCFStreamNetworkServiceTypeVoice: CFString! {
    kRLStreamNetworkServiceTypeVoice
}
/// Data that the user waits for.
@inlinable public var kCFStreamNetworkServiceTypeResponsiveData: CFString! {
    kRLStreamNetworkServiceTypeResponsiveData
}
/// Sound and pictures that are played as they come.
@inlinable public var kCFStreamNetworkServiceTypeAVStreaming: CFString! {
    kRLStreamNetworkServiceTypeAVStreaming
}
/// Sound and pictures that must not be late.
@inlinable public var kCFStreamNetworkServiceTypeResponsiveAV: CFString! {
    kRLStreamNetworkServiceTypeResponsiveAV
}
/// What sets up and ends calls.
@inlinable public var kCFStreamNetworkServiceTypeCallSignaling: CFString! {
    kRLStreamNetworkServiceTypeCallSignaling
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
