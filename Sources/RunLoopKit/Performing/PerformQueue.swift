import CoreRunLoop

/// The requests of other threads, which a thread's loop performs in order, each in its modes.
final class PerformQueue: Sendable {
    private struct Action {
        let block: @Sendable () -> Void
        let completion: Condition<Bool?>?
        let wait: MutualWait?
    }

    private struct State {
        // The requests, which retain the loop. Nil after the end of the loop, because the loop must
        // be released on its own thread, and not by the last release of the thread's object.
        var requests: PerformRequests<Action>?
        // False after the final request was added: later requests would never be performed.
        var takesBlocks = true
        // The waits for running blocks, which must end if such a block ends the thread.
        var running: [Condition<Bool?>] = []
    }

    private let state = Locked(State())

    init(_ loop: RLRunLoopRef) {
        let requests = PerformRequests<Action>(loop: loop) { [weak self] in self?.perform() }
        state.withLock { $0.requests = requests }
        // The loop retains the `LoopEnd`.
        LoopEnd { [weak self] in self?.close() }.watch(loop)
    }

    /// Nil if the thread has ended.
    var loop: RLRunLoopRef? {
        state.withLock { $0.requests?.loop }
    }

    var takesBlocks: Bool {
        state.withLock { $0.requests != nil && $0.takesBlocks }
    }

    /// Returns false if the thread has ended, or if the final block (`isLast`) was already queued.
    func add(
        modes: [RLRunLoop.Mode],
        completion: Condition<Bool?>? = nil,
        wait: MutualWait? = nil,
        isLast: Bool = false,
        block: @escaping @Sendable () -> Void
    ) -> Bool {
        let loop: RLRunLoopRef? = state.withLock { state in
            guard state.takesBlocks else { return nil }
            _ = state.requests?.add(modes, Action(block: block, completion: completion, wait: wait))
            state.takesBlocks = !isLast
            return state.requests?.loop
        }
        guard let loop else { return false }
        RLRunLoopWakeUp(loop)
        return true
    }

    /// Called on the loop's thread.
    private func perform() {
        guard let loop, let mode = RLRunLoopCopyCurrentMode(loop) else { return }
        // Requests that are added during this call wait for the next pass.
        guard let batch = state.withLock({ $0.requests?.batch(of: RLRunLoop.Mode(mode)) }) else {
            return
        }
        while let action = take(batch) {
            noteFunction(action)
            action.wait?.serve()
            action.block()
            if let completion = action.completion { complete(completion) }
        }
    }

    private func take(_ batch: PerformRequests<Action>.Batch) -> Action? {
        state.withLock { state in
            guard let request = state.requests?.first(of: batch) else {
                state.requests?.leaveEmptied()
                return nil
            }
            let taken = state.requests?.end(request)
            state.requests?.offerRest(of: batch)
            if let completion = taken?.completion { state.running.append(completion) }
            return taken
        }
    }

    private func complete(_ completion: Condition<Bool?>) {
        // Blocks that started later were nested in this block, and have ended.
        state.withLock { _ = $0.running.popLast() }
        completion.withLock { $0 = true }
    }

    /// Drops the remaining requests when the thread ends.
    private func close() {
        var requests: PerformRequests<Action>?
        var running: [Condition<Bool?>] = []
        state.withLock { state in
            swap(&requests, &state.requests)
            swap(&running, &state.running)
        }
        let left = requests?.all.compactMap { requests?.end($0) } ?? []
        for completion in running + left.compactMap(\.completion) {
            completion.withLock { $0 = false }
        }
        let count = left.filter { $0.completion == nil }.count
        guard count > 0 else { return }
        hint(
            "RLThread.perform",
            "thread \(describeCurrentThread()) ended before its run loop performed "
                + "\(count) request(s) of other threads: run the loop until the work is done"
        )
    }
}
