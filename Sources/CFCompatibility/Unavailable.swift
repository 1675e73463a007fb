// On Apple's systems, these functions store `Unmanaged` objects. Here they store references, which
// Swift counts. The compiler's messages show the replacements.

public import CRunLoop.CFDeclarations

/// Declare the variable for the reply without `Unmanaged`, because Swift counts its references.
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

/// Declare the variables for the streams without `Unmanaged`, as references or RunLoopKit's stream
/// objects.
@_disfavoredOverload
@available(
    *,
    unavailable,
    message: "declare CFReadStream? and CFWriteStream?, without takeRetainedValue()"
)
public func CFStreamCreatePairWithSocket(
    _ alloc: CFAllocator!,
    _ sock: CFSocketNativeHandle,
    _ readStream: UnsafeMutablePointer<Unmanaged<CFReadStream>?>!,
    _ writeStream: UnsafeMutablePointer<Unmanaged<CFWriteStream>?>!
) {}

/// Declare the variables for the streams without `Unmanaged`, as references or RunLoopKit's stream
/// objects.
@_disfavoredOverload
@available(
    *,
    unavailable,
    message: "declare CFReadStream? and CFWriteStream?, without takeRetainedValue()"
)
public func CFStreamCreatePairWithSocketToHost(
    _ alloc: CFAllocator!,
    _ host: CFString!,
    _ port: UInt32,
    _ readStream: UnsafeMutablePointer<Unmanaged<CFReadStream>?>!,
    _ writeStream: UnsafeMutablePointer<Unmanaged<CFWriteStream>?>!
) {}

/// Declare the variables for the streams without `Unmanaged`, as references or RunLoopKit's stream
/// objects.
@_disfavoredOverload
@available(
    *,
    unavailable,
    message: "declare CFReadStream? and CFWriteStream?, without takeRetainedValue()"
)
public func CFStreamCreateBoundPair(
    _ alloc: CFAllocator!,
    _ readStream: UnsafeMutablePointer<Unmanaged<CFReadStream>?>!,
    _ writeStream: UnsafeMutablePointer<Unmanaged<CFWriteStream>?>!,
    _ transferBufferSize: CFIndex
) {}
