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
