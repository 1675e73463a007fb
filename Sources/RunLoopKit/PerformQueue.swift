// What other threads ask a thread to perform.

import CoreRunLoop

/// The requests to one thread, which its loop performs in order, in the modes of each.
final class PerformQueue: Sendable {
    private struct Request: Sendable {
        let number: Int
        let modes: [RLRunLoop.Mode]
        let block: @Sendable () -> Void
        let completion: Condition<Bool?>?
    }

    private struct State {
        // Nil is what was taken off the front, of which a slice would keep the value.
        var requests: ArraySlice<Request?> = []
        // They hold the loop. Nil once that has been torn down, so that it goes on its own thread and
        // not with the last who keeps the thread's object.
        var sources: ModeSources?
        // Its block runs: if that ends the thread, its maker must not wait for ever.
        var running: [Request] = []
        var nextNumber = 0
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
            state.requests.append(
                Request(
                    number: state.nextNumber,
                    modes: modes,
                    block: block,
                    completion: completion
                )
            )
            state.nextNumber += 1
            state.sources?.signal(modes) { [weak self] in self?.perform() }
            return loop
        }
        guard let loop else { return false }
        RLRunLoopWakeUp(loop)
        return true
    }

    /// Performs, on the loop's thread, what is queued for the mode in which the loop runs.
    private func perform() {
        guard let loop, let current = RLRunLoopCopyCurrentMode(loop) else { return }
        // What is added from now on waits for the next pass.
        let limit = state.withLock { $0.nextNumber }
        while let request = take(RLRunLoop.Mode(current), below: limit) {
            request.block()
            state.withLock { state in
                state.running.removeAll { $0.number == request.number }
            }
            request.completion?.withLock { $0 = true }
        }
        state.withLock { state in
            state.sources?.keepOnly(Set(state.requests.lazy.compactMap(\.self).flatMap(\.modes)))
        }
    }

    private func take(_ mode: RLRunLoop.Mode, below limit: Int) -> Request? {
        state.withLock { state in
            let index = state.requests.firstIndex { request in
                guard let request, request.number < limit else { return false }
                return state.sources?.isListed(mode, in: request.modes) ?? false
            }
            guard let index, let request = state.requests[index] else { return nil }
            if index == state.requests.startIndex {
                state.requests[index] = nil
                state.requests.removeFirst()
            } else {
                state.requests.remove(at: index)
            }
            state.running.append(request)
            return request
        }
    }

    /// The thread ends: nobody is going to perform the rest.
    private func close() {
        let (left, sources) = state.withLock { state in
            defer {
                state.requests = []
                state.running = []
                state.sources = nil
            }
            return (state.running + state.requests.compactMap(\.self), state.sources)
        }
        defer { withExtendedLifetime(sources) {} }
        for request in left { request.completion?.withLock { $0 = false } }
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
