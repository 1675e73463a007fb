// The common part of the samples' servers and clients: two streams of one connection.

import RunLoopKit

/// The server's side of a connection: two streams, which close its socket when both are closed.
class AcceptedConnection: RLStreamDelegate {
    let input: RLInputStream
    let output: RLOutputStream
    /// Called when the client has hung up, or the connection is broken.
    var onEnd: () -> Void = {}

    /// Secures the connection if there are settings for that.
    init?(_ handle: CInt, security: RLStreamTLSSettings? = nil) {
        guard let pair = RLStreamCreatePair(withSocket: handle) else { return nil }
        input = RLInputStream(pair.reader)
        output = RLOutputStream(pair.writer)
        input.setProperty(true, forKey: .shouldCloseNativeSocketKey)
        if let security, !input.setProperty(security, forKey: .sslSettingsKey) { return nil }
        openStreams([input, output], for: self)
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        switch eventCode {
        case .hasBytesAvailable: read()
        case .hasSpaceAvailable: write()
        case .endEncountered, .errorOccurred: end()
        default: break
        }
    }

    /// There are bytes to read.
    func read() {}

    /// There is room to write.
    func write() {}

    private func end() {
        input.close()
        output.close()
        onEnd()
    }
}

/// Opens both streams of a connection, whose events come in the calling thread's loop.
func openStreams(_ streams: [RLStream], for delegate: any RLStreamDelegate) {
    for stream in streams {
        stream.delegate = delegate
        stream.schedule(in: .current, forMode: .default)
        stream.open()
    }
}
