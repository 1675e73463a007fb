// Streams that come in pairs: to a host, and of a pipe.

import CoreRunLoop
import Glibc

extension RLStream {
    /// Makes two streams that connect to a host when the first of them is opened, by TCP.
    ///
    /// Opening does not wait: the name is looked up in the background.
    ///
    /// Foundation: getStreamsToHost(withName:port:inputStream:outputStream:).
    ///
    /// - Parameters:
    ///   - hostname: A name, or a numeric address of IPv4 or IPv6.
    ///   - port: From 1 to 65535; another one stops the process.
    ///   - inputStream: Where to put the stream to read; may be nil. Nil is put there if the system
    ///     has no more sockets.
    ///   - outputStream: Where to put the stream to write, likewise.
    public class func getStreamsToHost(
        withName hostname: String,
        port: Int,
        inputStream: UnsafeMutablePointer<RLInputStream?>?,
        outputStream: UnsafeMutablePointer<RLOutputStream?>?
    ) {
        guard let number = UInt32(exactly: port), (1...65535).contains(number) else {
            stopProcess(
                "RLStream.getStreamsToHost",
                "argument `port` (\(port)) is not from 1 to 65535"
            )
        }
        var reader: RLReadStreamRef?
        var writer: RLWriteStreamRef?
        RLStreamCreatePairWithSocketToHost(
            kRLAllocatorDefault,
            RLStringCreate(hostname),
            number,
            &reader,
            &writer
        )
        inputStream?.pointee = reader.map(RLInputStream.init(_:))
        outputStream?.pointee = writer.map(RLOutputStream.init(_:))
    }

    /// Makes two streams of which one reads what is written to the other.
    ///
    /// Closing the one to write is the end for the reader; closing the one to read is the error
    /// `EPIPE` for the writer. The two may be used by two threads.
    ///
    /// Foundation: getBoundStreams(withBufferSize:inputStream:outputStream:).
    ///
    /// - Parameters:
    ///   - bufferSize: How many bytes wait between them before there is no room: at least 1, and
    ///     rounded up by the kernel.
    ///   - inputStream: Where to put the stream to read. Nil is put there if the system has no more
    ///     descriptors.
    ///   - outputStream: Where to put the stream to write, likewise.
    public class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: UnsafeMutablePointer<RLInputStream?>,
        outputStream: UnsafeMutablePointer<RLOutputStream?>
    ) {
        guard let size = CInt(exactly: bufferSize), size > 0 else {
            stopProcess(
                "RLStream.getBoundStreams",
                "argument `bufferSize` (\(bufferSize)) is not from 1 to \(CInt.max)"
            )
        }
        inputStream.pointee = nil
        outputStream.pointee = nil
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return }
        var room = size
        setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<CInt>.size))
        var reader: RLReadStreamRef?
        var writer: RLWriteStreamRef?
        RLStreamCreatePairWithSocket(kRLAllocatorDefault, ends[0], &reader, nil)
        RLStreamCreatePairWithSocket(kRLAllocatorDefault, ends[1], nil, &writer)
        inputStream.pointee = reader.map(RLInputStream.init(_:))
        outputStream.pointee = writer.map(RLOutputStream.init(_:))
        inputStream.pointee?.setProperty(true, forKey: .shouldCloseNativeSocketKey)
        outputStream.pointee?.setProperty(true, forKey: .shouldCloseNativeSocketKey)
    }
}
