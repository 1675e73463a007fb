// Pairs of streams: to a host, and bound to each other.

import CoreRunLoop

extension RLStream {
    /// Creates two streams that connect to a host by TCP when the first of them is opened.
    ///
    /// Opening does not block: name resolution is asynchronous.
    ///
    /// Foundation: getStreamsToHost(withName:port:inputStream:outputStream:).
    ///
    /// - Parameters:
    ///   - hostname: A name, or a numeric address of IPv4 or IPv6.
    ///   - port: From 1 to 65535; another one stops the process.
    ///   - inputStream: Receives the read stream, or nil if the system has no more sockets; may be
    ///     nil.
    ///   - outputStream: Receives the write stream, or nil if the system has no more sockets; may
    ///     be nil.
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
        let streams = RLStreamCreatePair(toHost: hostname, port: number)
        inputStream?.pointee = streams.map { RLInputStream($0.reader) }
        outputStream?.pointee = streams.map { RLOutputStream($0.writer) }
    }

    /// Creates a read stream and a write stream that are connected through a buffer in memory.
    ///
    /// After the write stream was closed, reads return the rest and then EOF. After the read stream
    /// was closed, writes fail with `EPIPE`. Two threads may use one stream each.
    ///
    /// Foundation: getBoundStreams(withBufferSize:inputStream:outputStream:).
    ///
    /// - Parameters:
    ///   - bufferSize: The size of the buffer in bytes: at least 1, or the process stops.
    ///   - inputStream: Receives the read stream; may be nil.
    ///   - outputStream: Receives the write stream; may be nil.
    public class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: UnsafeMutablePointer<RLInputStream?>?,
        outputStream: UnsafeMutablePointer<RLOutputStream?>?
    ) {
        if bufferSize < 1 {
            stopProcess(
                "RLStream.getBoundStreams",
                "argument `bufferSize` (\(bufferSize)) is not greater than 0"
            )
        }
        let streams = RLStreamCreateBoundPair(bufferSize: bufferSize)
        inputStream?.pointee = streams.map { RLInputStream($0.reader) }
        outputStream?.pointee = streams.map { RLOutputStream($0.writer) }
    }
}
