import CoreRunLoop

/// Counts the work that the idle queues of a loop have not finished; on any thread.
package func idleWorkLeft(of loop: RLRunLoopRef) -> Int {
    inboxes.withLock { inboxes in
        inboxes.values.reduce(0) { $1.loop === loop ? $0 + $1.unfinished : $0 }
    }
}

/// The inboxes of all idle queues.
private let inboxes = Locked<[ObjectIdentifier: IdleInbox]>([:])

/// The work of an idle queue, which any thread adds, and what keeps a run of its loop going while
/// there is some.
final class IdleInbox: ThreadBelonging, Sendable {
    struct Piece: @unchecked Sendable {
        // Proof: if it is not for any thread, the queue has added it, which belongs to one thread,
        // and alone takes pieces out to call and release them.
        let perform: () -> Void
    }

    private struct State {
        // The first ones have been taken, and are nil.
        var pieces: [Piece?] = []
        var takenCount = 0
        // The piece that was taken last is not finished.
        var isWorking = false
        var keepAlive: KeepAliveSource
        var isClosed = false
        var sliceBudget: Duration

        var count: Int { pieces.count - takenCount }
    }

    let loop: RLRunLoopRef
    private let modes: [RLRunLoop.Mode]
    // The source enters and leaves the loop with the lock held, so that the two agree.
    private let state: Locked<State>

    init(_ loop: RLRunLoopRef, _ modes: [RLRunLoop.Mode], _ sliceBudget: Duration) {
        self.loop = loop
        self.modes = modes
        state = Locked(State(keepAlive: KeepAliveSource(loop), sliceBudget: sliceBudget))
        inboxes.withLock { $0[ObjectIdentifier(self)] = self }
    }

    /// The time limit of a slice of work.
    var sliceBudget: Duration {
        get { state.withLock { $0.sliceBudget } }
        set { state.withLock { $0.sliceBudget = newValue } }
    }

    /// The number of pieces that wait.
    var count: Int {
        state.withLock { $0.count }
    }

    /// The number of pieces that are not finished.
    ///
    /// One that is being done counts, so that a piece that adds itself again never leaves the queue
    /// empty.
    fileprivate var unfinished: Int {
        state.withLock { $0.count + ($0.isWorking ? 1 : 0) }
    }

    /// Adds a piece, which keeps runs going; returns false if the queue is gone.
    func add(_ piece: Piece) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.pieces.append(piece)
            for mode in modes { state.keepAlive.keep(in: mode) }
            return true
        }
    }

    /// Takes the oldest piece, when the one before it is finished; nil if there is none.
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

    /// Ends a slice of work, and lets runs end if nothing is left; returns whether that is so.
    func rest() -> Bool {
        state.withLock { state in
            state.isWorking = false
            if state.count == 0 { state.keepAlive.letGo() }
            return state.count == 0
        }
    }

    /// Forgets all pieces, and lets runs end; returns the pieces, as their release may use the
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
        if left > 0 { hint("RLIdleQueue", "\(left) piece(s) of work are dropped with it") }
        withExtendedLifetime(removeAll()) {}
    }

    /// Takes no more pieces.
    func close() {
        state.withLock { $0.isClosed = true }
        inboxes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
    }
}
