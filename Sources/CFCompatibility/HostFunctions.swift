// Hosts: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// A host.
public typealias CFHost = RLHostRef
/// What is known of a host.
public typealias CFHostInfoType = RLHostInfoType
/// The client data of a host.
public typealias CFHostClientContext = RLHostClientContext
/// The callback of a host.
public typealias CFHostClientCallBack = RLHostClientCallBack

/// The domain of errors whose numbers are those of getaddrinfo(3).
@inlinable public var kCFStreamErrorDomainNetDB: Int32 { kRLStreamErrorDomainNetDB }

extension RLHostInfoType {
    /// Its addresses.
    @inlinable public static var addresses: RLHostInfoType { kRLHostAddresses }
    /// Its names.
    @inlinable public static var names: RLHostInfoType { kRLHostNames }
}

/// The type number of hosts.
@discardableResult
@inlinable
public func CFHostGetTypeID() -> CFTypeID {
    RLHostGetTypeID()
}

/// Makes a host with a name, or a numeric address as text.
@discardableResult
@inlinable
public func CFHostCreateWithName(_ allocator: CFAllocator!, _ hostname: CFString!) -> CFHost! {
    RLHostCreateWithName(allocator, hostname)
}

/// Makes a host with an address, a `sockaddr_in` or `sockaddr_in6`; nil for anything else.
@discardableResult
@inlinable
public func CFHostCreateWithAddress(_ allocator: CFAllocator!, _ addr: CFData!) -> CFHost! {
    RLHostCreateWithAddress(allocator, addr)
}

/// Makes a host that knows what this one does, without its client.
@discardableResult
@inlinable
public func CFHostCreateCopy(_ alloc: CFAllocator!, _ host: CFHost!) -> CFHost! {
    RLHostCreateCopy(alloc, host)
}

/// Resolves names or addresses: in the background if the host has a client, else in this call.
@discardableResult
@inlinable
public func CFHostStartInfoResolution(
    _ theHost: CFHost!,
    _ info: CFHostInfoType,
    _ error: UnsafeMutablePointer<CFStreamError>!
) -> Bool {
    RLHostStartInfoResolution(theHost, info, error)
}

/// The addresses of a host, until the next resolution of addresses ends; nil if they are unknown.
@discardableResult
@inlinable
public func CFHostGetAddressing(
    _ theHost: CFHost!,
    _ hasBeenResolved: UnsafeMutablePointer<Bool>!
) -> CFArray! {
    RLHostGetAddressing(theHost, hasBeenResolved)
}

/// The names of a host, until the next resolution of names ends; nil if they are unknown.
@discardableResult
@inlinable
public func CFHostGetNames(
    _ theHost: CFHost!,
    _ hasBeenResolved: UnsafeMutablePointer<Bool>!
) -> CFArray! {
    RLHostGetNames(theHost, hasBeenResolved)
}

/// Ends a resolution: a call that waits for it fails, and the client is not told.
@inlinable
public func CFHostCancelInfoResolution(_ theHost: CFHost!, _ info: CFHostInfoType) {
    RLHostCancelInfoResolution(theHost, info)
}

/// Sets the client that is told of the end of resolutions, and replaces the former one.
@discardableResult
@inlinable
public func CFHostSetClient(
    _ theHost: CFHost!,
    _ clientCB: CFHostClientCallBack!,
    _ clientContext: UnsafeMutablePointer<CFHostClientContext>!
) -> Bool {
    RLHostSetClient(theHost, clientCB, clientContext)
}

/// Has the client called in a mode of a loop, in addition to others.
@inlinable
public func CFHostScheduleWithRunLoop(
    _ theHost: CFHost!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFString!
) {
    RLHostScheduleWithRunLoop(theHost, runLoop, runLoopMode)
}

/// Has the client called there no longer.
@inlinable
public func CFHostUnscheduleFromRunLoop(
    _ theHost: CFHost!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFString!
) {
    RLHostUnscheduleFromRunLoop(theHost, runLoop, runLoopMode)
}
