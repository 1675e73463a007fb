import CoreRunLoop

/// How many pieces of work the idle queues of a loop have not finished; on any thread.
package func idleWorkLeft(of loop: RLRunLoopRef) -> Int {
    inboxes.withLock { inboxes in
        inboxes.values.reduce(0) { $1.belongs(to: loop) ? $0 + $1.left : $0 }
    }
}

/// The inboxes of all idle queues.
private let inboxes = Locked<[ObjectIdentifier: IdleInbox]>([:])

/// What other threads have sent to an idle queue, and what keeps a run of its loop going while the
/// queue has work.
final class IdleInbox: Sendable {
    private struct State {
        var pieces: [@Sendable () -> Void] = []
        // How many pieces the queue has taken and not finished.
        var taken = 0
        var keepAlive: KeepAliveSource
        var isClosed = false
    }

    private let loop: RLRunLoopRef
    private let modes: [RLRunLoop.Mode]
    // The source enters and leaves the loop with the lock held, so that the two agree.
    private let state: Condition<State>

    init(_ loop: RLRunLoopRef, _ modes: [RLRunLoop.Mode]) {
        self.loop = loop
        self.modes = modes
        state = Condition(State(keepAlive: KeepAliveSource(loop)))
        inboxes.withLock { $0[ObjectIdentifier(self)] = self }
    }

    var count: Int {
        state.withLock { $0.pieces.count }
    }

    /// Notes how many pieces the queue has taken and not finished.
    func note(taken count: Int) {
        state.withLock { $0.taken = count }
    }

    /// How many pieces are not finished.
    ///
    /// One that is being done counts, and one that moves to the queue counts once, so that a piece
    /// that adds itself again never leaves the queue empty.
    fileprivate var left: Int {
        state.withLock { $0.taken + $0.pieces.count }
    }

    fileprivate func belongs(to loop: RLRunLoopRef) -> Bool {
        self.loop === loop
    }

    /// Takes a piece from any thread; returns false if the queue is gone.
    func add(_ piece: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = state.withLock { state in
            if state.isClosed { return false }
            state.pieces.append(piece)
            keepLoop(&state)
            return true
        }
        if isTaken { RLRunLoopWakeUp(loop) }
        return isTaken
    }

    func takeAll() -> [@Sendable () -> Void] {
        state.withLock { state in
            defer { state.pieces = [] }
            state.taken += state.pieces.count
            return state.pieces
        }
    }

    /// Keeps runs going, as there is work.
    func keepLoop() {
        state.withLock { keepLoop(&$0) }
    }

    private func keepLoop(_ state: inout State) {
        for mode in modes { state.keepAlive.keep(in: mode) }
    }

    /// Lets runs end, unless something was sent meanwhile.
    func leaveLoopIfEmpty() {
        state.withLock { state in
            if state.pieces.isEmpty { state.keepAlive.letGo() }
        }
    }

    /// Takes nothing more, and returns how much was left.
    func close() -> Int {
        let left = state.withLock { state in
            defer { state.pieces = [] }
            state.isClosed = true
            state.keepAlive.invalidate()
            return state.pieces
        }
        inboxes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
        return left.count
    }
}
