import CRunLoop.Wrapping
import CoreRunLoop

/// Reads a stream for tasks, with nonblocking calls and waits in a loop.
final class StreamReading {
    let stream: RLInputStream
    let turns: StreamTurns
    private let loop: RLRunLoopRef
    private let mode: RLRunLoopMode
    // Nil until the first wait; kept for further ones.
    private var readiness: StreamReadiness?

    init(_ stream: RLInputStream, _ loop: RLRunLoopRef?, _ mode: RLRunLoop.Mode) {
        self.stream = stream
        turns = stream.makeTurns()
        self.loop = loop ?? RLRunLoopGetRunningOrMain()
        self.mode = mode.mode
    }

    /// Calls a function that reads the stream once it has bytes.
    ///
    /// The task does not suspend after the read, so that a cancellation loses no bytes. The caller
    /// must have the stream's turn.
    ///
    /// - Parameters:
    ///   - capacity: The greatest number of bytes that the function reads.
    ///   - readNow: The function.
    /// - Returns: The number of bytes; 0 at the end, also of a closed stream.
    /// - Throws: The error of the stream, or a `CancellationError`.
    nonisolated(nonsending) func read(
        upToCount capacity: Int,
        _ readNow: (RLInputStream) -> Int
    ) async throws -> Int {
        if stream.streamStatus == .notOpen { stream.open() }
        // The engine reports all that comes after a read, so that asking it would be a call more.
        var looks = readiness?.takeDrained() != true || isOver
        while true {
            if looks {
                if stream.hasBytesAvailable {
                    let count = readNow(stream)
                    readiness?.noteDrained(count > 0 && count < capacity)
                    // Another thread may have closed the stream meanwhile.
                    return count >= 0 ? count : try endOrFailure()
                }
                if isOver { return try endOrFailure() }
            }
            looks = true
            // A new wait misses earlier events: check again.
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

    /// The events of the wait that has begun; nil if it begins only now.
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
