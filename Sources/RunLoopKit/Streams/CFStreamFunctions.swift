// The same in CoreFoundation's spelling: CFCompatibility does not know stream objects.

public import CoreRunLoop
public import Dispatch

/// Opens the stream of an object, or begins to.
///
/// Returns false if it fails at once, or was opened before.
///
/// CF: CFReadStreamOpen.
@_disfavoredOverload
@discardableResult
public func CFReadStreamOpen(_ stream: RLInputStream!) -> Bool {
    RLReadStreamOpen(stream)
}

/// Sets a property of an object's stream.
///
/// Returns whether it can be set.
///
/// CF: CFReadStreamSetProperty.
@_disfavoredOverload
@discardableResult
public func CFReadStreamSetProperty(
    _ stream: RLInputStream!,
    _ propertyName: RLStringRef!,
    _ propertyValue: (any RLReference)!
) -> Bool {
    RLReadStreamSetProperty(stream, propertyName, propertyValue)
}

/// Delivers the events of an object's stream in a mode of a loop.
///
/// Its delegate is called there if it may be (``RLStream/delegate``).
///
/// CF: CFReadStreamScheduleWithRunLoop.
@_disfavoredOverload
public func CFReadStreamScheduleWithRunLoop(
    _ stream: RLInputStream!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    RLReadStreamScheduleWithRunLoop(stream, runLoop, runLoopMode)
}

/// Delivers the events of an object's stream on a dispatch queue, and in no loop any more.
///
/// Its delegate is called there if it may be (``RLStream/delegate``).
///
/// CF: CFReadStreamSetDispatchQueue.
@_disfavoredOverload
public func CFReadStreamSetDispatchQueue(_ stream: RLInputStream!, _ q: DispatchQueue!) {
    RLReadStreamSetDispatchQueue(stream, q)
}

/// The queue of an object's stream, or nil if it has none, or one that C code has set.
///
/// CF: CFReadStreamCopyDispatchQueue.
@_disfavoredOverload
public func CFReadStreamCopyDispatchQueue(_ stream: RLInputStream!) -> DispatchQueue! {
    RLReadStreamCopyDispatchQueue(stream)
}

/// Opens the stream of an object, or begins to.
///
/// Returns false if it fails at once, or was opened before.
///
/// CF: CFWriteStreamOpen.
@_disfavoredOverload
@discardableResult
public func CFWriteStreamOpen(_ stream: RLOutputStream!) -> Bool {
    RLWriteStreamOpen(stream)
}

/// Sets a property of an object's stream.
///
/// Returns whether it can be set.
///
/// CF: CFWriteStreamSetProperty.
@_disfavoredOverload
@discardableResult
public func CFWriteStreamSetProperty(
    _ stream: RLOutputStream!,
    _ propertyName: RLStringRef!,
    _ propertyValue: (any RLReference)!
) -> Bool {
    RLWriteStreamSetProperty(stream, propertyName, propertyValue)
}

/// Delivers the events of an object's stream in a mode of a loop.
///
/// Its delegate is called there if it may be (``RLStream/delegate``).
///
/// CF: CFWriteStreamScheduleWithRunLoop.
@_disfavoredOverload
public func CFWriteStreamScheduleWithRunLoop(
    _ stream: RLOutputStream!,
    _ runLoop: RLRunLoopRef!,
    _ runLoopMode: RLRunLoopMode!
) {
    RLWriteStreamScheduleWithRunLoop(stream, runLoop, runLoopMode)
}

/// Delivers the events of an object's stream on a dispatch queue, and in no loop any more.
///
/// Its delegate is called there if it may be (``RLStream/delegate``).
///
/// CF: CFWriteStreamSetDispatchQueue.
@_disfavoredOverload
public func CFWriteStreamSetDispatchQueue(_ stream: RLOutputStream!, _ q: DispatchQueue!) {
    RLWriteStreamSetDispatchQueue(stream, q)
}

/// The queue of an object's stream, or nil if it has none, or one that C code has set.
///
/// CF: CFWriteStreamCopyDispatchQueue.
@_disfavoredOverload
public func CFWriteStreamCopyDispatchQueue(_ stream: RLOutputStream!) -> DispatchQueue! {
    RLWriteStreamCopyDispatchQueue(stream)
}

/// Makes two stream objects over a connected socket, whose handle stays the caller's.
///
/// CF: CFStreamCreatePairWithSocket.
@_disfavoredOverload
public func CFStreamCreatePairWithSocket(
    _ alloc: RLAllocatorRef!,
    _ sock: RLSocketNativeHandle,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!
) {
    RLStreamCreatePairWithSocket(alloc, sock, readStream, writeStream)
}

/// Makes two stream objects that connect to a host when the first of them is opened.
///
/// CF: CFStreamCreatePairWithSocketToHost.
@_disfavoredOverload
public func CFStreamCreatePairWithSocketToHost(
    _ alloc: RLAllocatorRef!,
    _ host: RLStringRef!,
    _ port: UInt32,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!
) {
    RLStreamCreatePairWithSocketToHost(alloc, host, port, readStream, writeStream)
}

/// Makes two stream objects of which one reads what is written to the other.
///
/// CF: CFStreamCreateBoundPair.
@_disfavoredOverload
public func CFStreamCreateBoundPair(
    _ alloc: RLAllocatorRef!,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!,
    _ transferBufferSize: RLIndex
) {
    RLStreamCreateBoundPair(alloc, readStream, writeStream, transferBufferSize)
}
