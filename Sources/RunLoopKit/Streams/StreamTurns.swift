import CoreRunLoop

/// The tasks that use a stream, one at a time, and the wait that they share.
///
/// Without sharing, a second wait would replace the client of the first, which then never ends.
final class StreamTurns: Sendable {
    private struct State {
        weak var readiness: StreamReadiness?
    }

    // A task takes the value, uses the stream, and puts the value back.
    private let turn = Mailbox<Bool>()
    private let state = Locked(State())

    init() {
        turn.put(true)
    }

    /// Waits until no other task uses the stream; ``end()`` ends the turn.
    func begin(isolation: isolated (any Actor)? = #isolation) async throws {
        if await turn.take() == nil { throw CancellationError() }
    }

    func end() {
        turn.put(true)
    }

    /// The wait of the stream in a mode of a loop, for the task whose turn it is.
    ///
    /// A new wait has no event of what happened before: the task looks at the stream again.
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
