import CoreRunLoop

/// Counts the unfinished pieces of work in a loop's idle queues; thread-safe.
package func idleWorkLeft(of loop: RLRunLoopRef) -> Int {
    inboxes.withLock { inboxes in
        inboxes.values.reduce(0) { $1.loop === loop ? $0 + $1.unfinished : $0 }
    }
}

private let inboxes = Locked<[ObjectIdentifier: IdleInbox]>([:])

/// The pending work of an idle queue; any thread may add work.
final class IdleInbox: ThreadBelonging, Sendable {
    struct Piece: @unchecked Sendable {
        // Proof: only the queue's own thread adds pieces that are not Sendable, and only that
        // thread removes, calls and releases pieces.
        let perform: () -> Void
    }

    private struct State {
        // The first `takenCount` pieces are nil.
        var pieces: [Piece?] = []
        var takenCount = 0
        var isWorking = false
        var keepAlive: KeepAliveSource
        var isClosed = false
        var sliceBudget: Duration

        var count: Int { pieces.count - takenCount }
    }

    let loop: RLRunLoopRef
    private let modes: [RLRunLoop.Mode]
    // The lock also guards the addition and the removal of the source, so that the source and the
    // work are consistent.
    private let state: Locked<State>

    init(_ loop: RLRunLoopRef, _ modes: [RLRunLoop.Mode], _ sliceBudget: Duration) {
        self.loop = loop
        self.modes = modes
        state = Locked(State(keepAlive: KeepAliveSource(loop), sliceBudget: sliceBudget))
        inboxes.withLock { $0[ObjectIdentifier(self)] = self }
    }

    var sliceBudget: Duration {
        get { state.withLock { $0.sliceBudget } }
        set { state.withLock { $0.sliceBudget = newValue } }
    }

    var count: Int {
        state.withLock { $0.count }
    }

    /// The number of pending pieces, plus the running piece, which may add itself again.
    fileprivate var unfinished: Int {
        state.withLock { $0.count + ($0.isWorking ? 1 : 0) }
    }

    /// Adds a piece; returns false if the queue is closed.
    func add(_ piece: Piece) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.pieces.append(piece)
            for mode in modes { state.keepAlive.keep(in: mode) }
            return true
        }
    }

    /// Takes the next piece; call this after the previous piece has finished.
    func take() -> Piece? {
        state.withLock { state in
            state.isWorking = state.count > 0
            guard state.isWorking else { return nil }
            let piece = state.pieces[state.takenCount].take()
            state.takenCount += 1
            if state.takenCount > state.pieces.count / 2 {
                state.pieces.removeFirst(state.takenCount)
                state.takenCount = 0
            }
            return piece
        }
    }

    /// Ends a slice of work, and returns whether the queue is empty.
    func rest() -> Bool {
        state.withLock { state in
            state.isWorking = false
            if state.count == 0 { state.keepAlive.letGo() }
            return state.count == 0
        }
    }

    /// The caller releases the returned pieces without the lock: their destructors may use the
    /// queue.
    func removeAll() -> [Piece?] {
        state.withLock { state in
            defer { state.pieces = [] }
            state.takenCount = 0
            state.keepAlive.letGo()
            return state.pieces
        }
    }

    func letGo() {
        close()
        let left = count
        if left > 0 {
            hint(
                "RLIdleQueue",
                "the queue was released with \(left) piece(s) of work: keep the queue "
                    + "until its `count` is 0"
            )
        }
        withExtendedLifetime(removeAll()) {}
    }

    func close() {
        state.withLock { $0.isClosed = true }
        inboxes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
    }
}
