// Streams: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The type number of read streams.
@discardableResult
@inlinable
public func CFReadStreamGetTypeID() -> CFTypeID {
    RLReadStreamGetTypeID()
}

/// The type number of write streams.
@discardableResult
@inlinable
public func CFWriteStreamGetTypeID() -> CFTypeID {
    RLWriteStreamGetTypeID()
}

/// Makes a stream that reads bytes in memory.
@discardableResult
@inlinable
public func CFReadStreamCreateWithBytesNoCopy(
    _ alloc: CFAllocator!,
    _ bytes: UnsafePointer<UInt8>!,
    _ length: CFIndex,
    _ bytesDeallocator: CFAllocator!
) -> CFReadStream! {
    RLReadStreamCreateWithBytesNoCopy(alloc, bytes, length, bytesDeallocator)
}

/// Makes a stream that writes into the client's memory, which outlives it.
///
/// Writing more than it holds is the error ENOMEM. A nil buffer or a negative capacity yields nil.
@discardableResult
@inlinable
public func CFWriteStreamCreateWithBuffer(
    _ alloc: CFAllocator!,
    _ buffer: UnsafeMutablePointer<UInt8>!,
    _ bufferCapacity: CFIndex
) -> CFWriteStream! {
    RLWriteStreamCreateWithBuffer(alloc, buffer, bufferCapacity)
}

/// Makes a stream that writes into memory of its own, see kCFStreamPropertyDataWritten.
///
/// Both allocators are ignored.
@discardableResult
@inlinable
public func CFWriteStreamCreateWithAllocatedBuffers(
    _ alloc: CFAllocator!,
    _ bufferAllocator: CFAllocator!
) -> CFWriteStream! {
    RLWriteStreamCreateWithAllocatedBuffers(alloc, bufferAllocator)
}

/// Makes two streams over a connected socket.
@inlinable
public func CFStreamCreatePairWithSocket(
    _ alloc: CFAllocator!,
    _ sock: CFSocketNativeHandle,
    _ readStream: UnsafeMutablePointer<CFReadStream?>!,
    _ writeStream: UnsafeMutablePointer<CFWriteStream?>!
) {
    RLStreamCreatePairWithSocket(alloc, sock, readStream, writeStream)
}

/// Makes two streams that connect to a host when the first of them is opened, by TCP.
@inlinable
public func CFStreamCreatePairWithSocketToHost(
    _ alloc: CFAllocator!,
    _ host: CFString!,
    _ port: UInt32,
    _ readStream: UnsafeMutablePointer<CFReadStream?>!,
    _ writeStream: UnsafeMutablePointer<CFWriteStream?>!
) {
    RLStreamCreatePairWithSocketToHost(alloc, host, port, readStream, writeStream)
}

/// Makes two streams that connect to the signature's address when the first of them is opened;
/// otherwise as CFStreamCreatePairWithSocketToHost.
@inlinable
public func CFStreamCreatePairWithPeerSocketSignature(
    _ alloc: CFAllocator!,
    _ signature: UnsafePointer<CFSocketSignature>!,
    _ readStream: UnsafeMutablePointer<CFReadStream?>!,
    _ writeStream: UnsafeMutablePointer<CFWriteStream?>!
) {
    RLStreamCreatePairWithPeerSocketSignature(alloc, signature, readStream, writeStream)
}

/// The status of the stream.
@discardableResult
@inlinable
public func CFReadStreamGetStatus(_ stream: CFReadStream!) -> CFStreamStatus {
    RLReadStreamGetStatus(stream)
}

/// The status of the stream.
@discardableResult
@inlinable
public func CFWriteStreamGetStatus(_ stream: CFWriteStream!) -> CFStreamStatus {
    RLWriteStreamGetStatus(stream)
}

/// Why the stream failed; a domain of 0 if it did not.
@discardableResult
@inlinable
public func CFReadStreamGetError(_ stream: CFReadStream!) -> CFStreamError {
    RLReadStreamGetError(stream)
}

/// Why the stream failed; a domain of 0 if it did not.
@discardableResult
@inlinable
public func CFWriteStreamGetError(_ stream: CFWriteStream!) -> CFStreamError {
    RLWriteStreamGetError(stream)
}

/// Opens the stream, or begins to.
///
/// The client is not called from here, but by the loops and queues in which the stream is
/// scheduled; on other threads that may happen before this returns.
@discardableResult
@inlinable
public func CFReadStreamOpen(_ stream: (any RLReadStreamOwner)!) -> Bool {
    RLReadStreamOpen(stream)
}

/// Opens the stream, or begins to.
///
/// The client is not called from here, but by the loops and queues in which the stream is
/// scheduled; on other threads that may happen before this returns.
@discardableResult
@inlinable
public func CFWriteStreamOpen(_ stream: (any RLWriteStreamOwner)!) -> Bool {
    RLWriteStreamOpen(stream)
}

/// Closes the stream, removes it from all loops, and ends its events.
///
/// A stream can be opened only once. A handle that two streams share is closed with the second one.
@inlinable
public func CFReadStreamClose(_ stream: CFReadStream!) {
    RLReadStreamClose(stream)
}

/// Closes the stream, removes it from all loops, and ends its events.
///
/// A stream can be opened only once. A handle that two streams share is closed with the second one.
@inlinable
public func CFWriteStreamClose(_ stream: CFWriteStream!) {
    RLWriteStreamClose(stream)
}

/// A property of the stream, or nil if it has no such property.
@discardableResult
public func CFReadStreamCopyProperty(_ stream: CFReadStream!, _ propertyName: CFString!)
    -> CFTypeRef!
{
    takeObject(RLReadStreamCopyProperty(stream, propertyName))
}

/// A property of the stream, or nil if it has no such property.
@discardableResult
public func CFWriteStreamCopyProperty(_ stream: CFWriteStream!, _ propertyName: CFString!)
    -> CFTypeRef!
{
    takeObject(RLWriteStreamCopyProperty(stream, propertyName))
}

/// Sets a property.
///
/// Returns whether it can be set.
@discardableResult
@inlinable
public func CFReadStreamSetProperty(
    _ stream: (any RLReadStreamOwner)!,
    _ propertyName: CFString!,
    _ propertyValue: CFTypeRef!
) -> Bool {
    RLReadStreamSetProperty(stream, propertyName, propertyValue)
}

/// Sets a property.
///
/// Returns whether it can be set.
@discardableResult
@inlinable
public func CFWriteStreamSetProperty(
    _ stream: (any RLWriteStreamOwner)!,
    _ propertyName: CFString!,
    _ propertyValue: CFTypeRef!
) -> Bool {
    RLWriteStreamSetProperty(stream, propertyName, propertyValue)
}

/// Sets the client that receives the stream's events, and replaces the former one.
@discardableResult
@inlinable
public func CFReadStreamSetClient(
    _ stream: CFReadStream!,
    _ streamEvents: CFOptionFlags,
    _ clientCB: CFReadStreamClientCallBack!,
    _ clientContext: UnsafeMutablePointer<CFStreamClientContext>!
) -> Bool {
    RLReadStreamSetClient(stream, streamEvents, clientCB, clientContext)
}

/// Sets the client that receives the stream's events, and replaces the former one.
@discardableResult
@inlinable
public func CFWriteStreamSetClient(
    _ stream: CFWriteStream!,
    _ streamEvents: CFOptionFlags,
    _ clientCB: CFWriteStreamClientCallBack!,
    _ clientContext: UnsafeMutablePointer<CFStreamClientContext>!
) -> Bool {
    RLWriteStreamSetClient(stream, streamEvents, clientCB, clientContext)
}

/// Delivers events to the client in a mode of a loop, in addition to others.
///
/// Events that were not delivered before come then. Without effect on a closed stream.
@inlinable
public func CFReadStreamScheduleWithRunLoop(
    _ stream: (any RLReadStreamOwner)!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFRunLoopMode!
) {
    RLReadStreamScheduleWithRunLoop(stream, runLoop, runLoopMode)
}

/// Delivers events to the client in a mode of a loop, in addition to others.
///
/// Events that were not delivered before come then. Without effect on a closed stream.
@inlinable
public func CFWriteStreamScheduleWithRunLoop(
    _ stream: (any RLWriteStreamOwner)!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFRunLoopMode!
) {
    RLWriteStreamScheduleWithRunLoop(stream, runLoop, runLoopMode)
}

/// Stops delivering events in a mode of a loop; events are kept until the stream is scheduled
/// again.
@inlinable
public func CFReadStreamUnscheduleFromRunLoop(
    _ stream: CFReadStream!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFRunLoopMode!
) {
    RLReadStreamUnscheduleFromRunLoop(stream, runLoop, runLoopMode)
}

/// Stops delivering events in a mode of a loop; events are kept until the stream is scheduled
/// again.
@inlinable
public func CFWriteStreamUnscheduleFromRunLoop(
    _ stream: CFWriteStream!,
    _ runLoop: CFRunLoop!,
    _ runLoopMode: CFRunLoopMode!
) {
    RLWriteStreamUnscheduleFromRunLoop(stream, runLoop, runLoopMode)
}

/// Whether reading would not block: there are bytes, the end, or an error.
///
/// False unless the stream is open.
@discardableResult
@inlinable
public func CFReadStreamHasBytesAvailable(_ stream: CFReadStream!) -> Bool {
    RLReadStreamHasBytesAvailable(stream)
}

/// Reads what is available, and waits if nothing is.
@discardableResult
@inlinable
public func CFReadStreamRead(
    _ stream: CFReadStream!,
    _ buffer: UnsafeMutablePointer<UInt8>!,
    _ bufferLength: CFIndex
) -> CFIndex {
    RLReadStreamRead(stream, buffer, bufferLength)
}

/// Whether writing would not block.
///
/// False unless the stream is open.
@discardableResult
@inlinable
public func CFWriteStreamCanAcceptBytes(_ stream: CFWriteStream!) -> Bool {
    RLWriteStreamCanAcceptBytes(stream)
}

/// Writes as much as there is room for, and waits if there is none.
///
/// If the peer is gone, this is an error and sends no signal.
@discardableResult
@inlinable
public func CFWriteStreamWrite(
    _ stream: CFWriteStream!,
    _ buffer: UnsafePointer<UInt8>!,
    _ bufferLength: CFIndex
) -> CFIndex {
    RLWriteStreamWrite(stream, buffer, bufferLength)
}

/// The object that a function returned for its caller to own; of the types that properties have.
private func takeObject(_ object: RLTypeRef?) -> CFTypeRef? {
    guard let object else { return nil }
    // The cast adds a reference of its own, so that the caller's is given up.
    defer { RLRelease(object) }
    switch RLGetTypeID(object) {
    case RLDataGetTypeID(): return unsafeBitCast(object, to: RLDataRef.self)
    case RLBooleanGetTypeID(): return unsafeBitCast(object, to: RLBooleanRef.self)
    case RLNumberGetTypeID(): return unsafeBitCast(object, to: RLNumberRef.self)
    case RLStringGetTypeID(): return unsafeBitCast(object, to: RLStringRef.self)
    case RLArrayGetTypeID(): return unsafeBitCast(object, to: RLArrayRef.self)
    case RLDictionaryGetTypeID(): return unsafeBitCast(object, to: RLDictionaryRef.self)
    default: return nil
    }
}

/// Makes a stream that reads the file of a URL.
@discardableResult
@inlinable
public func CFReadStreamCreateWithFile(_ alloc: CFAllocator!, _ fileURL: CFURL!) -> CFReadStream! {
    RLReadStreamCreateWithFile(alloc, fileURL)
}

/// Makes a stream that writes the file of a URL.
@discardableResult
@inlinable
public func CFWriteStreamCreateWithFile(_ alloc: CFAllocator!, _ fileURL: CFURL!) -> CFWriteStream!
{
    RLWriteStreamCreateWithFile(alloc, fileURL)
}

/// Makes two streams of which one reads what is written to the other, through a buffer in memory.
@inlinable
public func CFStreamCreateBoundPair(
    _ alloc: CFAllocator!,
    _ readStream: UnsafeMutablePointer<CFReadStream?>!,
    _ writeStream: UnsafeMutablePointer<CFWriteStream?>!,
    _ transferBufferSize: CFIndex
) {
    RLStreamCreateBoundPair(alloc, readStream, writeStream, transferBufferSize)
}

/// Why the stream failed, an error of the domain of errno values; nil if it did not.
@discardableResult
@inlinable
public func CFReadStreamCopyError(_ stream: CFReadStream!) -> CFError! {
    RLReadStreamCopyError(stream)
}

/// Why the stream failed, an error of the domain of errno values; nil if it did not.
@discardableResult
@inlinable
public func CFWriteStreamCopyError(_ stream: CFWriteStream!) -> CFError! {
    RLWriteStreamCopyError(stream)
}

/// Reads bytes without copying them, if they are in memory: those of a stream that was made of
/// bytes.
@discardableResult
@inlinable
public func CFReadStreamGetBuffer(
    _ stream: CFReadStream!,
    _ maxBytesToRead: CFIndex,
    _ numBytesRead: UnsafeMutablePointer<CFIndex>!
) -> UnsafePointer<UInt8>! {
    RLReadStreamGetBuffer(stream, maxBytesToRead, numBytesRead)
}

// Apple's functions store `Unmanaged` streams. Swift counts the references to ours, and so these
// say what to write.

/// Declare the variables for the streams without `Unmanaged`: references, or RunLoopKit's objects.
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

/// Declare the variables for the streams without `Unmanaged`: references, or RunLoopKit's objects.
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

/// Declare the variables for the streams without `Unmanaged`: references, or RunLoopKit's objects.
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
