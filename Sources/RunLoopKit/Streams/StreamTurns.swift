import CoreRunLoop

/// The exclusive access of tasks to a stream, and their shared wait.
///
/// Without sharing, a second wait would replace the client of the first, which would never end.
final class StreamTurns: Sendable {
    private struct State {
        weak var readiness: StreamReadiness?
    }

    // A one-element semaphore: a task takes the value, uses the stream, and returns the value.
    private let turn = Mailbox<Bool>()
    private let state = Locked(State())

    init() {
        turn.put(true)
    }

    /// Waits until no other task uses the stream; balance with ``end()``.
    nonisolated(nonsending) func begin() async throws {
        if beginNow() { return }
        if await turn.take() == nil { throw CancellationError() }
    }

    /// Begins a turn if no other task uses the stream.
    private func beginNow() -> Bool {
        turn.takeNow() ?? false
    }

    func end() {
        turn.put(true)
    }

    /// Returns the wait of the stream in a mode of a loop, for the task that has access.
    ///
    /// A new wait misses earlier events: the task must check the stream again.
    func readiness(
        of stream: RLStream,
        _ loop: RLRunLoopRef,
        _ mode: RLRunLoopMode
    ) -> StreamReadiness {
        let former = state.withLock { $0.readiness }
        if let former, former.isIn(loop, mode) { return former }
        former?.leave()
        let readiness = StreamReadiness(of: stream, loop, mode)
        state.withLock { $0.readiness = readiness }
        return readiness
    }
}
