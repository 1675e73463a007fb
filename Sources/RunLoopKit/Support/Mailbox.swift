import Synchronization

/// A queue of values, each for one task; tasks receive values in the order of their calls.
final class Mailbox<Value: Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        let task: Suspension<Value?>
    }

    private struct State {
        // The values before `first` were taken, and are nil.
        var values: [Value?] = []
        var first = 0
        var waiters: [Waiter] = []
        var isOver = false

        /// Removes the first waiter; the list must not be empty.
        mutating func takeWaiter() -> Waiter {
            // Usually only one task waits, and `removeLast` is faster.
            waiters.count == 1 ? waiters.removeLast() : waiters.removeFirst()
        }

        mutating func popFirst() -> Value? {
            if values.isEmpty { return nil }
            if first + 1 == values.count {
                defer { if first > 0 { removeTaken() } }
                return values.removeLast()
            }
            let value = values[first].take()
            first += 1
            if first > 32, first > values.count / 2 { removeTaken() }
            return value
        }

        private mutating func removeTaken() {
            values.removeFirst(first)
            first = 0
        }
    }

    private let state = Locked(State())
    private let lastNumber = Atomic(0)

    /// Passes a value to the task that has waited longest, or queues the value if no task waits.
    ///
    /// `merge` combines the queued value with the new value. Returns false after ``finish()``.
    @discardableResult
    func put(_ value: Value, merge: ((Value, Value) -> Value)? = nil) -> Bool {
        let (isTaken, waiter): (Bool, Waiter?) = state.withLock { state in
            if state.isOver { return (false, nil) }
            if !state.waiters.isEmpty { return (true, state.takeWaiter()) }
            if let merge, let kept = state.popFirst() {
                state.values.append(merge(kept, value))
            } else {
                state.values.append(value)
            }
            return (true, nil)
        }
        waiter?.task.resume(returning: value)
        return isTaken
    }

    var hasWaiters: Bool {
        state.withLock { !$0.waiters.isEmpty }
    }

    func takeNow() -> Value? {
        state.withLock { $0.popFirst() }
    }

    /// Takes the first value, or waits for a value.
    ///
    /// Returns nil if the mailbox is finished or the task is cancelled. `beginWaiting` is called
    /// when the task has started to wait.
    ///
    /// Inlined, as are its async callers, because an async call costs about 200 instructions.
    @inline(__always) func take(
        isolation: isolated (any Actor)? = #isolation,
        beginWaiting: () -> Void = {}
    ) async -> Value? {
        let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            // The closure captures `isolation` and so has the isolation of this function.
            return await withUnsafeContinuation { continuation in
                let task = Suspension(continuation, isolation)
                let (waits, value): (Bool, Value?) = state.withLock { state in
                    if let value = state.popFirst() { return (false, value) }
                    // If the task is cancelled from here on, the cancellation handler finds the
                    // waiter.
                    if state.isOver || Task.isCancelled { return (false, nil) }
                    state.waiters.append(Waiter(number: number, task: task))
                    return (true, nil)
                }
                if waits { beginWaiting() } else { task.resume(returning: value) }
            }
        } onCancel: {
            endWaiting(number)
        }
    }

    private func endWaiting(_ number: Int) {
        let waiter: Waiter? = state.withLock { state in
            let place = state.waiters.firstIndex { $0.number == number }
            return place.map { state.waiters.remove(at: $0) }
        }
        waiter?.task.resume(returning: nil)
    }

    /// Ends all waits, and rejects further values.
    func finish() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.task.resume(returning: nil) }
    }

    func drain() -> [Value] {
        state.withLock { state in
            defer {
                state.values = []
                state.first = 0
            }
            return state.values.compactMap(\.self)
        }
    }
}
