import CoreRunLoop

extension RLStream {
    /// Creates a read stream and a write stream that connect to a host by TCP when the first of
    /// them is opened.
    ///
    /// Opening does not block: name resolution is asynchronous.
    ///
    /// Foundation: getStreamsToHost(withName:port:inputStream:outputStream:).
    ///
    /// - Parameters:
    ///   - hostname: A host name, or a numeric IPv4 or IPv6 address.
    ///   - port: From 1 to 65535. Any other number stops the process.
    ///   - inputStream: Receives the read stream, or nil if the system cannot create a socket. The
    ///     pointer may be nil.
    ///   - outputStream: Receives the write stream, or nil if the system cannot create a socket.
    ///     The pointer may be nil.
    public class func getStreamsToHost(
        withName hostname: String,
        port: Int,
        inputStream: UnsafeMutablePointer<RLInputStream?>?,
        outputStream: UnsafeMutablePointer<RLOutputStream?>?
    ) {
        guard let number = UInt32(exactly: port), (1...65535).contains(number) else {
            stopProcess(
                "RLStream.getStreamsToHost",
                "argument `port` (\(port)) must be from 1 to 65535"
            )
        }
        let streams = RLStreamCreatePair(toHost: hostname, port: number)
        inputStream?.pointee = streams.map { RLInputStream($0.reader) }
        outputStream?.pointee = streams.map { RLOutputStream($0.writer) }
    }

    /// Creates a read stream and a write stream that are connected through a buffer in memory.
    ///
    /// After the write stream is closed, reads return the remaining bytes and then EOF. After the
    /// read stream is closed, writes fail with `EPIPE`. The two streams may be used on different
    /// threads.
    ///
    /// Foundation: getBoundStreams(withBufferSize:inputStream:outputStream:).
    ///
    /// - Parameters:
    ///   - bufferSize: The size of the buffer in bytes. A size less than 1 stops the process.
    ///   - inputStream: Receives the read stream. The pointer may be nil.
    ///   - outputStream: Receives the write stream. The pointer may be nil.
    public class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: UnsafeMutablePointer<RLInputStream?>?,
        outputStream: UnsafeMutablePointer<RLOutputStream?>?
    ) {
        if bufferSize < 1 {
            stopProcess(
                "RLStream.getBoundStreams",
                "argument `bufferSize` (\(bufferSize)) must be greater than 0"
            )
        }
        let streams = RLStreamCreateBoundPair(bufferSize: bufferSize)
        inputStream?.pointee = streams.map { RLInputStream($0.reader) }
        outputStream?.pointee = streams.map { RLOutputStream($0.writer) }
    }
}
