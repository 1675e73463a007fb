// Functions that create pairs of stream objects. Other functions accept stream objects as
// `RLReadStreamOwner` and `RLWriteStreamOwner`.

public import CoreRunLoop

private func storePair(
    _ readStream: UnsafeMutablePointer<RLInputStream?>?,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>?,
    _ make: (inout RLReadStreamRef?, inout RLWriteStreamRef?) -> Void
) {
    var reader: RLReadStreamRef?
    var writer: RLWriteStreamRef?
    make(&reader, &writer)
    readStream?.pointee = reader.map { RLInputStream($0) }
    writeStream?.pointee = writer.map { RLOutputStream($0) }
}

/// Creates a read stream and a write stream on a connected socket.
///
/// The caller keeps ownership of the handle.
///
/// CF: CFStreamCreatePairWithSocket.
@_disfavoredOverload
public func RLStreamCreatePairWithSocket(
    _ alloc: RLAllocatorRef!,
    _ sock: RLSocketNativeHandle,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!
) {
    storePair(readStream, writeStream) { RLStreamCreatePairWithSocket(alloc, sock, &$0, &$1) }
}

/// Creates a read stream and a write stream that connect to a host when the first of them is
/// opened.
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
    storePair(readStream, writeStream) {
        RLStreamCreatePairWithSocketToHost(alloc, host, port, &$0, &$1)
    }
}

/// Creates a read stream and a write stream that connect to an address when the first of them is
/// opened.
///
/// CF: CFStreamCreatePairWithPeerSocketSignature.
@_disfavoredOverload
public func RLStreamCreatePairWithPeerSocketSignature(
    _ alloc: RLAllocatorRef!,
    _ signature: UnsafePointer<RLSocketSignature>!,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!
) {
    storePair(readStream, writeStream) {
        RLStreamCreatePairWithPeerSocketSignature(alloc, signature, &$0, &$1)
    }
}

/// Creates a read stream and a write stream that are connected through a buffer in memory.
///
/// CF: CFStreamCreateBoundPair.
@_disfavoredOverload
public func RLStreamCreateBoundPair(
    _ alloc: RLAllocatorRef!,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!,
    _ transferBufferSize: RLIndex
) {
    storePair(readStream, writeStream) {
        RLStreamCreateBoundPair(alloc, &$0, &$1, transferBufferSize)
    }
}

/// Creates a read stream and a write stream on a connected socket.
///
/// The caller keeps ownership of the handle.
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

/// Creates a read stream and a write stream that connect to a host when the first of them is
/// opened.
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

/// Creates a read stream and a write stream that connect to an address when the first of them is
/// opened.
///
/// CF: CFStreamCreatePairWithPeerSocketSignature.
@_disfavoredOverload
public func CFStreamCreatePairWithPeerSocketSignature(
    _ alloc: RLAllocatorRef!,
    _ signature: UnsafePointer<RLSocketSignature>!,
    _ readStream: UnsafeMutablePointer<RLInputStream?>!,
    _ writeStream: UnsafeMutablePointer<RLOutputStream?>!
) {
    RLStreamCreatePairWithPeerSocketSignature(alloc, signature, readStream, writeStream)
}

/// Creates a read stream and a write stream that are connected through a buffer in memory.
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
