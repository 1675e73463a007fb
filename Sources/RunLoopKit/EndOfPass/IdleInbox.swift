import CoreRunLoop

/// Returns the number of unfinished work items in a loop's idle queues.
///
/// Thread-safe.
package func idleWorkLeft(of loop: RLRunLoopRef) -> Int {
    inboxes.withLock { inboxes in
        inboxes.values.reduce(0) { $1.loop === loop ? $0 + $1.unfinished : $0 }
    }
}

private let inboxes = Locked<[ObjectIdentifier: IdleInbox]>([:])

/// The work of an idle queue, which any thread may add, and the source that keeps runs from
/// finishing while there is work.
final class IdleInbox: ThreadBelonging, Sendable {
    struct Piece: @unchecked Sendable {
        // Proof: only the queue's own thread adds pieces that are not Sendable, and only that
        // thread removes, calls and releases pieces.
        let perform: () -> Void
    }

    private struct State {
        // The first `takenCount` pieces have been taken, and are nil.
        var pieces: [Piece?] = []
        var takenCount = 0
        // Whether the last taken piece is unfinished.
        var isWorking = false
        var keepAlive: KeepAliveSource
        var isClosed = false
        var sliceBudget: Duration

        var count: Int { pieces.count - takenCount }
    }

    let loop: RLRunLoopRef
    private let modes: [RLRunLoop.Mode]
    // Adding and removing the source under the lock keeps the source and the work consistent.
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

    /// The number of unfinished pieces.
    ///
    /// A running piece counts, so the queue is never empty while a piece adds itself again.
    fileprivate var unfinished: Int {
        state.withLock { $0.count + ($0.isWorking ? 1 : 0) }
    }

    /// Adds a piece, which keeps runs from finishing.
    ///
    /// Returns false if the queue was closed.
    func add(_ piece: Piece) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.pieces.append(piece)
            for mode in modes { state.keepAlive.keep(in: mode) }
            return true
        }
    }

    /// Takes the oldest piece, or returns nil if the queue is empty.
    ///
    /// Call it after the previous piece has finished.
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

    /// Ends a slice, and lets runs finish if the queue is empty.
    ///
    /// Returns whether the queue is empty.
    func rest() -> Bool {
        state.withLock { state in
            state.isWorking = false
            if state.count == 0 { state.keepAlive.letGo() }
            return state.count == 0
        }
    }

    /// Removes all pieces, and lets runs finish.
    ///
    /// Returns the pieces, so that the caller releases them without the lock: their release may use
    /// the queue.
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

    /// Makes ``add(_:)`` reject further pieces.
    func close() {
        state.withLock { $0.isClosed = true }
        inboxes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
    }
}
