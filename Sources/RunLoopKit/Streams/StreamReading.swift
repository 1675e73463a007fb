import CRunLoop.Wrapping
import CoreRunLoop

/// Reads a stream for tasks, with nonblocking calls and waits in a loop.
final class StreamReading {
    let stream: RLInputStream
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode
    // Nil until the first wait; kept for further ones.
    private var readiness: StreamReadiness?

    init(_ stream: RLInputStream, _ loop: RLRunLoopRef?, _ mode: RLRunLoop.Mode) {
        self.stream = stream
        self.loop = loop ?? RLRunLoopGetRunningOrMain()
        self.mode = mode.mode
    }

    /// Calls a function that reads the stream once it has bytes.
    ///
    /// The task does not suspend after the read, so that a cancellation loses no bytes. The caller
    /// must have the stream's turn.
    ///
    /// - Returns: The number of bytes; 0 at the end, also of a closed stream.
    func read(
        isolation: isolated (any Actor)? = #isolation,
        _ readNow: (RLInputStream) -> Int
    ) async throws -> Int {
        if stream.streamStatus == .notOpen { stream.open() }
        while true {
            if stream.hasBytesAvailable {
                let count = readNow(stream)
                if count >= 0 { return count }
                // Another thread may have closed the stream meanwhile.
                return try endOrFailure()
            }
            if [.error, .closed, .atEnd].contains(stream.streamStatus) {
                return try endOrFailure()
            }
            if await !wait() { throw CancellationError() }
        }
    }

    private func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        let current = stream.makeTurns().readiness(of: stream, loop, mode)
        // A new wait misses earlier events: the caller checks again.
        if current !== readiness {
            readiness = current
            return true
        }
        return await current.wait()
    }

    private func endOrFailure() throws -> Int {
        if stream.streamStatus == .error { throw stream.streamError ?? CancellationError() }
        return 0
    }
}
