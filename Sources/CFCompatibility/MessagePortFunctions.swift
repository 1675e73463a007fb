// Message ports: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// A message port.
public typealias CFMessagePort = RLMessagePortRef
/// The client data of a local port.
public typealias CFMessagePortContext = RLMessagePortContext
/// Receives a message.
///
/// The result is nil, or the pointer of a reply with one reference added, where
/// Apple's type has `Unmanaged<CFData>?`.
public typealias CFMessagePortCallBack = RLMessagePortCallBack
/// Called once, when the port has become invalid.
public typealias CFMessagePortInvalidationCallBack = RLMessagePortInvalidationCallBack

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

/// The type number of message ports.
@discardableResult
@inlinable
public func CFMessagePortGetTypeID() -> CFTypeID {
    RLMessagePortGetTypeID()
}

/// Makes a port that receives, or returns the one of this process that has the name.
@discardableResult
@inlinable
public func CFMessagePortCreateLocal(
    _ allocator: CFAllocator!,
    _ name: CFString!,
    _ callback: CFMessagePortCallBack!,
    _ context: UnsafeMutablePointer<CFMessagePortContext>!,
    _ shouldFreeInfo: UnsafeMutablePointer<Bool>!
) -> CFMessagePort! {
    RLMessagePortCreateLocal(allocator, name, callback, context, shouldFreeInfo)
}

/// Makes a port that sends, or returns the one of this process for the name.
@discardableResult
@inlinable
public func CFMessagePortCreateRemote(_ allocator: CFAllocator!, _ name: CFString!)
    -> CFMessagePort!
{
    RLMessagePortCreateRemote(allocator, name)
}

/// Whether the port is remote, that is, sends.
@discardableResult
@inlinable
public func CFMessagePortIsRemote(_ port: CFMessagePort!) -> Bool {
    RLMessagePortIsRemote(port)
}

/// The name, valid until the port is destroyed or gets another one; nil without one.
@discardableResult
@inlinable
public func CFMessagePortGetName(_ port: CFMessagePort!) -> CFString! {
    RLMessagePortGetName(port)
}

/// Gives a local port another name.
///
/// Remote ports that are connected stay so.
@discardableResult
@inlinable
public func CFMessagePortSetName(_ port: CFMessagePort!, _ name: CFString!) -> Bool {
    RLMessagePortSetName(port, name)
}

/// Copies the context: of a remote or invalid port, one whose info is nil.
@inlinable
public func CFMessagePortGetContext(
    _ port: CFMessagePort!,
    _ context: UnsafeMutablePointer<CFMessagePortContext>!
) {
    RLMessagePortGetContext(port, context)
}

/// Makes the port invalid for good: frees its name, calls its invalidation callback on the calling
/// thread, releases its context, invalidates its source and closes its connections, in this order.
///
/// The other sides are informed. Messages that were not yet delivered are lost.
@inlinable
public func CFMessagePortInvalidate(_ port: CFMessagePort!) {
    RLMessagePortInvalidate(port)
}

/// Whether the port can be used.
///
/// Looks for the other side of a remote port, and invalidates the port if that is gone.
@discardableResult
@inlinable
public func CFMessagePortIsValid(_ port: CFMessagePort!) -> Bool {
    RLMessagePortIsValid(port)
}

/// The invalidation callback, or nil.
@discardableResult
@inlinable
public func CFMessagePortGetInvalidationCallBack(_ port: CFMessagePort!)
    -> CFMessagePortInvalidationCallBack!
{
    RLMessagePortGetInvalidationCallBack(port)
}

/// Sets what is called when the port becomes invalid; nil for nothing.
///
/// If it is invalid already, calls it at once.
@inlinable
public func CFMessagePortSetInvalidationCallBack(
    _ port: CFMessagePort!,
    _ callback: CFMessagePortInvalidationCallBack!
) {
    RLMessagePortSetInvalidationCallBack(port, callback)
}

/// Sends a message, and waits for the reply if there is a mode to wait in.
@available(*, noasync)
@discardableResult
@inlinable
public func CFMessagePortSendRequest(
    _ remote: CFMessagePort!,
    _ messageID: Int32,
    _ data: CFData!,
    _ sendTimeout: CFTimeInterval,
    _ receiveTimeout: CFTimeInterval,
    _ replyMode: CFString!,
    _ returnData: UnsafeMutablePointer<CFData?>!
) -> Int32 {
    RLMessagePortSendRequest(
        remote,
        messageID,
        data,
        sendTimeout,
        receiveTimeout,
        replyMode,
        returnData
    )
}

// `nil` for no reply is then the other function's.
/// Sends a message, and waits for the reply in a mode if one is given.
@_disfavoredOverload
@available(*, noasync)
@discardableResult
@inlinable
public func CFMessagePortSendRequest(
    _ remote: CFMessagePort!,
    _ messageID: Int32,
    _ data: CFData!,
    _ sendTimeout: CFTimeInterval,
    _ receiveTimeout: CFTimeInterval,
    _ replyMode: CFRunLoopMode!,
    _ returnData: UnsafeMutablePointer<CFData?>!
) -> Int32 {
    CFMessagePortSendRequest(
        remote,
        messageID,
        data,
        sendTimeout,
        receiveTimeout,
        replyMode?.rawValue,
        returnData
    )
}

/// The source by which a loop serves a local port.
///
/// There is one for a port, as long as it is valid.
@discardableResult
@inlinable
public func CFMessagePortCreateRunLoopSource(
    _ allocator: CFAllocator!,
    _ local: CFMessagePort!,
    _ order: CFIndex
) -> CFRunLoopSource! {
    RLMessagePortCreateRunLoopSource(allocator, local, order)
}

/// Declare the variable for the reply without `Unmanaged`: Swift counts its references.
@_disfavoredOverload
@available(*, unavailable, message: "declare CFData?, without takeRetainedValue()")
public func CFMessagePortSendRequest(
    _ remote: CFMessagePort!,
    _ messageID: Int32,
    _ data: CFData!,
    _ sendTimeout: CFTimeInterval,
    _ receiveTimeout: CFTimeInterval,
    _ replyMode: CFString!,
    _ returnData: UnsafeMutablePointer<Unmanaged<CFData>?>!
) -> Int32 {
    kCFMessagePortTransportError
}
