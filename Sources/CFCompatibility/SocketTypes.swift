// The types and constants of sockets, in the spellings in which Apple's systems import them.

public import CoreRunLoop

/// A socket with callbacks.
public typealias CFSocket = RLSocketRef
/// The system's type of a socket.
public typealias CFSocketNativeHandle = RLSocketNativeHandle
/// The result of an operation.
public typealias CFSocketError = RLSocketError
/// The types of callbacks.
public typealias CFSocketCallBackType = RLSocketCallBackType
/// A description of a socket that is bound or connected.
public typealias CFSocketSignature = RLSocketSignature
/// The client data of a socket.
public typealias CFSocketContext = RLSocketContext
/// The callback of a socket.
public typealias CFSocketCallBack = RLSocketCallBack

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
/// The registry's "Command".
@inlinable public var kCFSocketCommandKey: CFString! { kRLSocketCommandKey }
/// The registry's "Name".
@inlinable public var kCFSocketNameKey: CFString! { kRLSocketNameKey }
/// The registry's "Value".
@inlinable public var kCFSocketValueKey: CFString! { kRLSocketValueKey }
/// The registry's "Result".
@inlinable public var kCFSocketResultKey: CFString! { kRLSocketResultKey }
/// The registry's "Error".
@inlinable public var kCFSocketErrorKey: CFString! { kRLSocketErrorKey }
/// The registry's "Register".
@inlinable public var kCFSocketRegisterCommand: CFString! { kRLSocketRegisterCommand }
/// The registry's "Retrieve".
@inlinable public var kCFSocketRetrieveCommand: CFString! { kRLSocketRetrieveCommand }
