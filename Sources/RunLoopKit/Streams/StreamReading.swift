import CRunLoop.Wrapping
import CoreRunLoop

/// Reads a stream for tasks, with nonblocking calls and waits in a loop.
final class StreamReading {
    let stream: RLInputStream
    let turns: StreamTurns
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode
    // Nil until the first wait. Later reads use the same wait.
    private var readiness: StreamReadiness?

    init(_ stream: RLInputStream, _ loop: RLRunLoopRef?, _ mode: RLRunLoop.Mode) {
        self.stream = stream
        turns = stream.makeTurns()
        self.loop = loop ?? RLRunLoopGetRunningOrMain()
        self.mode = mode.mode
    }

    /// Calls `readNow` when the stream has bytes; returns its result, or 0 at EOF or after a close.
    ///
    /// The task does not suspend after the read, so a cancellation loses no bytes. The caller must
    /// have the stream's turn. `readNow` reads at most `capacity` bytes.
    @inline(__always) func read(
        upToCount capacity: Int,
        isolation: isolated (any Actor)? = #isolation,
        _ readNow: (RLInputStream) -> Int
    ) async throws -> Int {
        if stream.streamStatus == .notOpen { stream.open() }
        // After a read that left no bytes, the engine reports new bytes by an event, so a query
        // would be an unnecessary call.
        var looks = readiness?.takeDrained() != true || isOver
        while true {
            if looks {
                if stream.hasBytesAvailable {
                    let count = readNow(stream)
                    readiness?.noteDrained(count > 0 && count < capacity)
                    // Another thread may have closed the stream in the meantime.
                    return count >= 0 ? count : try endOrFailure()
                }
                if isOver { return try endOrFailure() }
            }
            looks = true
            // A new wait misses earlier events, so check the stream again.
            guard let events = takeEvents() else { continue }
            if await events.take() == nil { throw CancellationError() }
        }
    }

    private var isOver: Bool {
        switch stream.streamStatus {
        case .error, .closed, .atEnd: true
        default: false
        }
    }

    /// Returns the events of the current wait, or nil if a new wait begins with this call.
    private func takeEvents() -> Mailbox<Bool>? {
        if let readiness, !readiness.isOver { return readiness.events }
        let current = turns.readiness(of: stream, loop, mode)
        defer { readiness = current }
        return current === readiness ? current.events : nil
    }

    private func endOrFailure() throws -> Int {
        if stream.streamStatus == .error { throw stream.streamError ?? CancellationError() }
        return 0
    }
}
