import CoreRunLoop

/// Gives tasks exclusive access to a stream, one after the other, with one shared wait.
///
/// The wait is shared because a second wait would replace the client of the first wait, which would
/// then never end.
final class StreamTurns: Sendable {
    private struct State {
        weak var readiness: StreamReadiness?
        // Keeps the stream in a loop after the task has ended its wait.
        var finishing: StreamReadiness?
    }

    // A binary semaphore: a task takes the value, uses the stream, and returns the value.
    private let turn = Mailbox<Bool>()
    private let state = Locked(State())

    init() {
        turn.put(true)
    }

    /// Waits until no other task uses the stream; balance each call with ``end()``.
    @inline(__always) func begin(isolation: isolated (any Actor)? = #isolation) async throws {
        if beginNow() { return }
        if await turn.take() == nil { throw CancellationError() }
    }

    private func beginNow() -> Bool {
        turn.takeNow() ?? false
    }

    func end() {
        turn.put(true)
    }

    var isAwaited: Bool {
        let readiness = state.withLock { $0.readiness }
        return readiness?.isAwaited == true && readiness?.isOver == false
    }

    /// Returns the shared wait, or a new wait, which misses earlier events: check the stream again.
    ///
    /// Only the task that has the turn may call this.
    func readiness(
        of stream: RLStream,
        _ loop: RLRunLoopRef,
        _ mode: RLRunLoopMode
    ) -> StreamReadiness {
        let former = state.withLock { $0.readiness }
        if let former, !former.isOver, former.isIn(loop, mode) { return former }
        former?.leave()
        let readiness = StreamReadiness(of: stream, loop, mode)
        // The former wait is released without the lock.
        var formerFinishing: StreamReadiness?
        state.withLock { state in
            state.readiness = readiness
            swap(&state.finishing, &formerFinishing)
        }
        return readiness
    }

    /// Keeps the stream in the loop of a wait, so that the loop sends the remaining bytes and EOF
    /// even if no task waits.
    ///
    /// Nil releases the wait. Only the task that has the turn may call this.
    func keep(_ readiness: StreamReadiness?) {
        var former = readiness
        state.withLock { swap(&$0.finishing, &former) }
    }
}
