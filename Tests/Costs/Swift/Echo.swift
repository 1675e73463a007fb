// An echo server with a listener and its connections.

import RunLoopKit

/// Echoes the bytes of a connection.
private final class Echo: RLStreamDelegate {
    private let connection: RLConnection
    private var hasRoom = false
    private var hasBytes = false

    init(_ connection: RLConnection) {
        self.connection = connection
        for stream in [connection.input, connection.output] as [RLStream] {
            stream.delegate = self
            stream.schedule(in: .current, forMode: .default)
            stream.open()
        }
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        switch event {
        case .hasSpaceAvailable: hasRoom = true
        case .hasBytesAvailable: hasBytes = true
        default: return
        }
        if hasRoom, hasBytes { copy() }
    }

    private func copy() {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { buffer in
            guard let bytes = buffer.baseAddress else { return }
            let count = connection.input.read(bytes, maxLength: buffer.count)
            if count > 0 { _ = connection.output.write(bytes, maxLength: count) }
        }
        hasRoom = false
        hasBytes = false
    }
}

/// Serves echoes on its own thread.
func countEchoes(connections: Int) -> (Int) -> Void {
    { times in
        guard let listener = try? RLListener(host: "127.0.0.1", port: 0) else { return }
        let server = RLPermanentThread(name: "echo")
        server.execute {
            var echoes: [Echo] = []
            listener.accept(in: .current) { echoes.append(Echo($0)) }
        }
        requestEchoes(times, connections: connections, port: listener.port)
        server.stop()
        server.join()
    }
}
