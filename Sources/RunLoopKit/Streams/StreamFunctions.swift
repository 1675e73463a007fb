// The functions of the engine's streams for stream objects. On Apple's systems the two are one, so
// that programs pass either. `nil` is for the functions of references.

public import CoreRunLoop
public import Dispatch

/// Opens the stream of an object, or begins to.
///
/// Returns false if it fails at once, or was opened before.
///
/// CF: CFReadStreamOpen.
@_disfavoredOverload
@discardableResult
public func RLReadStreamOpen(_ stream: RLInputStream!) -> Bool {
    RLReadStreamOpen(stream?.getRLReadStream())
}

/// Sets a property of an object's stream.
///
/// Returns whether it can be set.
///
/// CF: CFReadStreamSetProperty.
@_disfavoredOverload
@discardableResult
public func RLReadStreamSetProperty(
    _ stream: RLInputStream!,
    _ propertyName: RLStringRef!,
    _ propertyValue: (any RLReference)!
) -> Bool {
    let reference = stream?.getRLReadStream()
    return withExtendedLifetime(propertyValue) {
        RLReadStreamSetProperty(reference, propertyName, propertyValue?.unsafeTypeReference)
    }
}

/// Delivers the events of an object's stream in a mode of a loop.
///
/// Its delegate is called there if it may be (``RLStream/delegate``).
///
/// CF: CFReadStreamScheduleWithRunLoop.
@_disfavoredOverload
public func RLReadStreamScheduleWithRunLoop(
    _ stream: RLInputStream!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    if let runLoop { stream?.noteLoop(runLoop) }
    RLReadStreamScheduleWithRunLoop(stream?.getRLReadStream(), runLoop, runLoopMode)
}

/// Delivers the events of an object's stream on a dispatch queue, and in no loop any more.
///
/// Its delegate is called there if it may be (``RLStream/delegate``).
///
/// CF: CFReadStreamSetDispatchQueue.
@_disfavoredOverload
public func RLReadStreamSetDispatchQueue(_ stream: RLInputStream!, _ q: DispatchQueue!) {
    if q != nil { stream?.noteQueue() }
    RLReadStreamSetDispatchQueue(stream?.getRLReadStream(), q)
}

/// The queue of an object's stream, or nil if it has none, or one that C code has set.
///
/// CF: CFReadStreamCopyDispatchQueue.
@_disfavoredOverload
public func RLReadStreamCopyDispatchQueue(_ stream: RLInputStream!) -> DispatchQueue! {
    RLReadStreamCopyDispatchQueue(stream?.getRLReadStream())
}

/// Opens the stream of an object, or begins to.
///
/// Returns false if it fails at once, or was opened before.
///
/// CF: CFWriteStreamOpen.
@_disfavoredOverload
@discardableResult
public func RLWriteStreamOpen(_ stream: RLOutputStream!) -> Bool {
    RLWriteStreamOpen(stream?.getRLWriteStream())
}

/// Sets a property of an object's stream.
///
/// Returns whether it can be set.
///
/// CF: CFWriteStreamSetProperty.
@_disfavoredOverload
@discardableResult
public func RLWriteStreamSetProperty(
    _ stream: RLOutputStream!,
    _ propertyName: RLStringRef!,
    _ propertyValue: (any RLReference)!
) -> Bool {
    let reference = stream?.getRLWriteStream()
    return withExtendedLifetime(propertyValue) {
        RLWriteStreamSetProperty(reference, propertyName, propertyValue?.unsafeTypeReference)
    }
}

/// Delivers the events of an object's stream in a mode of a loop.
///
/// Its delegate is called there if it may be (``RLStream/delegate``).
///
/// CF: CFWriteStreamScheduleWithRunLoop.
@_disfavoredOverload
public func RLWriteStreamScheduleWithRunLoop(
    _ stream: RLOutputStream!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    if let runLoop { stream?.noteLoop(runLoop) }
    RLWriteStreamScheduleWithRunLoop(stream?.getRLWriteStream(), runLoop, runLoopMode)
}

/// Delivers the events of an object's stream on a dispatch queue, and in no loop any more.
///
/// Its delegate is called there if it may be (``RLStream/delegate``).
///
/// CF: CFWriteStreamSetDispatchQueue.
@_disfavoredOverload
public func RLWriteStreamSetDispatchQueue(_ stream: RLOutputStream!, _ q: DispatchQueue!) {
    if q != nil { stream?.noteQueue() }
    RLWriteStreamSetDispatchQueue(stream?.getRLWriteStream(), q)
}

/// The queue of an object's stream, or nil if it has none, or one that C code has set.
///
/// CF: CFWriteStreamCopyDispatchQueue.
@_disfavoredOverload
public func RLWriteStreamCopyDispatchQueue(_ stream: RLOutputStream!) -> DispatchQueue! {
    RLWriteStreamCopyDispatchQueue(stream?.getRLWriteStream())
}

/// Makes two stream objects over a connected socket, whose handle stays the caller's.
///
/// CF: CFStreamCreatePairWithSocket.
@_disfavoredOverload
public func RLStreamCreatePairWithSocket(
    _ alloc: RLAllocatorRef!,
    _ sock: RLSocketNativeHandle,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!
) {
    var reader: RLReadStreamRef?
    var writer: RLWriteStreamRef?
    RLStreamCreatePairWithSocket(alloc, sock, &reader, &writer)
    readStream?.pointee = reader.map { RLInputStream($0) }
    writeStream?.pointee = writer.map { RLOutputStream($0) }
}

/// Makes two stream objects that connect to a host when the first of them is opened.
///
/// CF: CFStreamCreatePairWithSocketToHost.
@_disfavoredOverload
public func RLStreamCreatePairWithSocketToHost(
    _ alloc: RLAllocatorRef!,
    _ host: RLStringRef!,
    _ port: UInt32,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!
) {
    var reader: RLReadStreamRef?
    var writer: RLWriteStreamRef?
    RLStreamCreatePairWithSocketToHost(alloc, host, port, &reader, &writer)
    readStream?.pointee = reader.map { RLInputStream($0) }
    writeStream?.pointee = writer.map { RLOutputStream($0) }
}

/// Makes two stream objects of which one reads what is written to the other.
///
/// CF: CFStreamCreateBoundPair.
@_disfavoredOverload
public func RLStreamCreateBoundPair(
    _ alloc: RLAllocatorRef!,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!,
    _ transferBufferSize: RLIndex
) {
    var reader: RLReadStreamRef?
    var writer: RLWriteStreamRef?
    RLStreamCreateBoundPair(alloc, &reader, &writer, transferBufferSize)
    readStream?.pointee = reader.map { RLInputStream($0) }
    writeStream?.pointee = writer.map { RLOutputStream($0) }
}
