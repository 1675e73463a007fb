// What other threads ask a thread to perform.

import CoreRunLoop
import Synchronization

/// The requests to one thread, which its loop performs in order, in the modes of each.
///
/// There is a source for each mode with requests, in the loop only while there are some: a request
/// keeps a loop from running out of work, the queue itself does not.
final class PerformQueue: Sendable {
    private struct Request: Sendable {
        let number: Int
        let modes: [RLRunLoop.Mode]
        let block: @Sendable () -> Void
        let completion: Condition<Bool?>?

        func isDeliverable(in mode: RLRunLoop.Mode, isCommon: Bool) -> Bool {
            modes.contains(mode) || (isCommon && modes.contains(.common))
        }
    }

    private struct State {
        var requests: ArraySlice<Request> = []
        var sources: [RLRunLoop.Mode: RLRunLoopSourceRef] = [:]
        // Its block runs: if that ends the thread, its maker must not wait for ever.
        var running: [Request] = []
        var nextNumber = 0
        var isOver = false
    }

    let loop: RLRunLoopRef
    private let state = Mutex(State())

    init(_ loop: RLRunLoopRef) {
        self.loop = loop
        // In a mode that never runs: it is only told when the loop is torn down.
        let sentinel = RLRunLoopSourceCreate(
            cancel: { [weak self] _, _ in self?.close() },
            perform: {}
        )
        RLRunLoopAddSource(loop, sentinel, "RLThreadEndMode")
        if !RLRunLoopContainsSource(loop, sentinel, "RLThreadEndMode") { close() }
    }

    /// Queues a block and wakes the loop; false if the thread has ended.
    func add(
        modes: [RLRunLoop.Mode],
        completion: Condition<Bool?>?,
        block: @escaping @Sendable () -> Void
    ) -> Bool {
        let isAdded = state.withLock { state in
            guard !state.isOver else { return false }
            state.requests.append(
                Request(
                    number: state.nextNumber,
                    modes: modes,
                    block: block,
                    completion: completion
                )
            )
            state.nextNumber += 1
            for mode in modes { signal(mode, &state) }
            return true
        }
        if isAdded { RLRunLoopWakeUp(loop) }
        return isAdded
    }

    private func signal(_ mode: RLRunLoop.Mode, _ state: inout State) {
        if let source = state.sources[mode] {
            RLRunLoopSourceSignal(source)
            return
        }
        let source = RLRunLoopSourceCreate { [weak self] in self?.perform() }
        state.sources[mode] = source
        RLRunLoopAddSource(loop, source, mode.mode)
        RLRunLoopSourceSignal(source)
    }

    /// Performs, on the loop's thread, what is queued for the mode in which the loop runs.
    private func perform() {
        guard let current = RLRunLoopCopyCurrentMode(loop) else { return }
        // What is added from now on waits for the next pass.
        let limit = state.withLock { $0.nextNumber }
        while let request = take(RLRunLoop.Mode(current), below: limit) {
            request.block()
            state.withLock { state in
                state.running.removeAll { $0.number == request.number }
            }
            request.completion?.withLock { $0 = true }
        }
        state.withLock { removeIdleSources(&$0) }
    }

    private func take(_ mode: RLRunLoop.Mode, below limit: Int) -> Request? {
        state.withLock { state in
            let isCommon =
                state.sources[.common].map { RLRunLoopContainsSource(loop, $0, mode.mode) } ?? false
            let index = state.requests.firstIndex {
                $0.number < limit && $0.isDeliverable(in: mode, isCommon: isCommon)
            }
            guard let index else { return nil }
            let isFirst = index == state.requests.startIndex
            let request = isFirst ? state.requests.removeFirst() : state.requests.remove(at: index)
            state.running.append(request)
            return request
        }
    }

    private func removeIdleSources(_ state: inout State) {
        let wanted = Set(state.requests.flatMap(\.modes))
        for (mode, source) in state.sources where !wanted.contains(mode) {
            RLRunLoopSourceInvalidate(source)
            state.sources[mode] = nil
        }
    }

    /// The thread ends: nobody is going to perform the rest.
    private func close() {
        let left = state.withLock { state in
            defer {
                state.requests = []
                state.running = []
                state.isOver = true
            }
            return state.running + state.requests
        }
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
