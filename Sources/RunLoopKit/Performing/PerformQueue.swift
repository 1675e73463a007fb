// What other threads ask a thread to perform.

import CoreRunLoop

/// The requests to one thread, which its loop performs in order, in the modes of each.
final class PerformQueue: Sendable {
    private struct Action {
        let block: @Sendable () -> Void
        let completion: Condition<Bool?>?
    }

    private struct State {
        var requests = PerformRequests<Action>()
        // They hold the loop. Nil once that has been torn down, so that it goes on its own thread
        // and not with the last who keeps the thread's object.
        var sources: ModeSources?
        // Those that wait for a block that runs: if that ends the thread, they must not wait for
        // ever.
        var running: [Condition<Bool?>] = []
    }

    private let state: Locked<State>

    init(_ loop: RLRunLoopRef) {
        state = Locked(State(sources: ModeSources(loop: loop)))
        // In a mode that never runs: it is only told when the loop is torn down.
        let sentinel = RLRunLoopSourceCreate(
            cancel: { [weak self] _, _ in self?.close() },
            perform: {}
        )
        RLRunLoopAddSource(loop, sentinel, "RLThreadEndMode")
        if !RLRunLoopContainsSource(loop, sentinel, "RLThreadEndMode") { close() }
    }

    /// The thread's loop; nil if the thread has ended.
    var loop: RLRunLoopRef? {
        state.withLock { $0.sources?.loop }
    }

    /// Queues a block and wakes the loop; false if the thread has ended.
    func add(
        modes: [RLRunLoop.Mode],
        completion: Condition<Bool?>?,
        block: @escaping @Sendable () -> Void
    ) -> Bool {
        let loop = state.withLock { state -> RLRunLoopRef? in
            guard let loop = state.sources?.loop else { return nil }
            state.requests.add(modes, Action(block: block, completion: completion))
            state.sources?.signal(modes) { [weak self] in self?.perform() }
            return loop
        }
        guard let loop else { return false }
        RLRunLoopWakeUp(loop)
        return true
    }

    /// Performs, on the loop's thread, what is queued for the mode in which the loop runs.
    private func perform() {
        guard let loop, let mode = RLRunLoopCopyCurrentMode(loop) else { return }
        let current = RLRunLoop.Mode(mode)
        // What is added from now on waits for the next pass.
        let (limit, common) = state.withLock { state in
            (state.requests.nextNumber, state.sources?.commonMode(of: current))
        }
        while let action = take(current, or: common, below: limit) {
            action.block()
            if let completion = action.completion { complete(completion) }
        }
        state.withLock { state in
            let requests = state.requests
            state.sources?.leave { requests.isEmpty($0) }
        }
    }

    private func take(
        _ mode: RLRunLoop.Mode,
        or common: RLRunLoop.Mode?,
        below limit: Int
    ) -> Action? {
        var taken: Action?
        state.withLock { state in
            guard let request = state.requests.first(in: mode, or: common), request.number < limit
            else {
                return
            }
            taken = state.requests.end(request)
            if let completion = taken?.completion { state.running.append(completion) }
        }
        return taken
    }

    private func complete(_ completion: Condition<Bool?>) {
        state.withLock { state in state.running.removeAll { $0 === completion } }
        completion.withLock { $0 = true }
    }

    /// The thread ends: nobody is going to perform the rest.
    private func close() {
        var left: [Action] = []
        var running: [Condition<Bool?>] = []
        var sources: ModeSources?
        state.withLock { state in
            left = state.requests.all.compactMap { state.requests.end($0) }
            swap(&running, &state.running)
            swap(&sources, &state.sources)
        }
        defer { withExtendedLifetime(sources) {} }
        for completion in running + left.compactMap(\.completion) {
            completion.withLock { $0 = false }
        }
        #if DEBUG
            let count = left.filter { $0.completion == nil }.count
            guard count > 0 else { return }
            warn(
                "perform",
                "thread \(describeCurrentThread()) ended before its run loop performed \(count) "
                    + "request(s) of other threads"
            )
        #endif
    }
}
