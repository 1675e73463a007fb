// Mach ports: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The name of a Mach port: on Linux a descriptor.
public typealias mach_port_t = RLMachPortName
/// No port.
public let MACH_PORT_NULL: mach_port_t = -1
/// A Mach port.
public typealias CFMachPort = RLMachPortRef
/// The client data of a Mach port.
public typealias CFMachPortContext = RLMachPortContext
/// Receives a message: a header with the bytes after it.
public typealias CFMachPortCallBack = RLMachPortCallBack
/// Called once, when the port has become invalid.
public typealias CFMachPortInvalidationCallBack = RLMachPortInvalidationCallBack

/// The type number of Mach ports.
@discardableResult
@inlinable
public func CFMachPortGetTypeID() -> CFTypeID {
    RLMachPortGetTypeID()
}

/// Makes a port that receives, with a descriptor to send to.
@discardableResult
@inlinable
public func CFMachPortCreate(
    _ allocator: CFAllocator!,
    _ callout: CFMachPortCallBack!,
    _ context: UnsafeMutablePointer<CFMachPortContext>!,
    _ shouldFreeInfo: UnsafeMutablePointer<Bool>!
) -> CFMachPort! {
    RLMachPortCreate(allocator, callout, context, shouldFreeInfo)
}

/// Makes a port that receives from a descriptor, or returns the one that has it.
@discardableResult
@inlinable
public func CFMachPortCreateWithPort(
    _ allocator: CFAllocator!,
    _ portNum: mach_port_t,
    _ callout: CFMachPortCallBack!,
    _ context: UnsafeMutablePointer<CFMachPortContext>!,
    _ shouldFreeInfo: UnsafeMutablePointer<Bool>!
) -> CFMachPort! {
    RLMachPortCreateWithPort(allocator, portNum, callout, context, shouldFreeInfo)
}

/// The descriptor to send to.
@discardableResult
@inlinable
public func CFMachPortGetPort(_ port: CFMachPort!) -> mach_port_t {
    RLMachPortGetPort(port)
}

/// Copies the client data.
@inlinable
public func CFMachPortGetContext(
    _ port: CFMachPort!,
    _ context: UnsafeMutablePointer<CFMachPortContext>!
) {
    RLMachPortGetContext(port, context)
}

/// Makes the port invalid for good.
@inlinable
public func CFMachPortInvalidate(_ port: CFMachPort!) {
    RLMachPortInvalidate(port)
}

/// Whether the port can receive.
@discardableResult
@inlinable
public func CFMachPortIsValid(_ port: CFMachPort!) -> Bool {
    RLMachPortIsValid(port)
}

/// What is called when the port has become invalid.
@discardableResult
@inlinable
public func CFMachPortGetInvalidationCallBack(_ port: CFMachPort!)
    -> CFMachPortInvalidationCallBack!
{
    RLMachPortGetInvalidationCallBack(port)
}

/// Sets what is called when the port has become invalid, or calls it if it is.
@inlinable
public func CFMachPortSetInvalidationCallBack(
    _ port: CFMachPort!,
    _ callout: CFMachPortInvalidationCallBack!
) {
    RLMachPortSetInvalidationCallBack(port, callout)
}

/// The source of the port, for any loops and modes.
@discardableResult
@inlinable
public func CFMachPortCreateRunLoopSource(
    _ allocator: CFAllocator!,
    _ port: CFMachPort!,
    _ order: CFIndex
) -> CFRunLoopSource! {
    RLMachPortCreateRunLoopSource(allocator, port, order)
}
