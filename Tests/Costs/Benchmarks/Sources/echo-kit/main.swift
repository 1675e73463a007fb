// An echo server with a timer on RunLoopKit, which ends at SIGTERM.

import Glibc
import RunLoopKit

@MainActor final class Echo: @MainActor RLStreamDelegate {
    private static var echoes: [ObjectIdentifier: Echo] = [:]
    private let connection: RLConnection
    private var bytes = [UInt8](repeating: 0, count: 65_536)

    init(_ connection: RLConnection) {
        self.connection = connection
        connection.input.delegate = self
        connection.input.schedule(in: .current, forMode: .default)
        connection.input.open()
        connection.output.open()
        Self.echoes[ObjectIdentifier(self)] = self
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        let count = connection.input.read(&bytes, maxLength: bytes.count)
        if count > 0, connection.output.write(bytes, maxLength: count) == count { return }
        connection.close()
        Self.echoes[ObjectIdentifier(self)] = nil
    }
}

let port = UInt16(CommandLine.arguments[1]) ?? 0
let listener = try RLListener(host: "127.0.0.1", port: port)
listener.accept(in: .current) { _ = Echo($0) }
RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in print("still here") }
RLRunLoop.main.observe(signals: [SIGTERM]) { _, _ in RLRunLoop.main.stop() }
exit(RLRunLoop.main.runUntilStopped())
