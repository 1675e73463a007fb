/// Values that any thread puts in, and for which tasks wait.
///
/// Each value goes to one task, in the order of the calls.
final class Mailbox<Value: Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Value?, Never>
    }

    private struct State {
        var values: [Value] = []
        var waiters: [Waiter] = []
        var lastNumber = 0
        var isOver = false
    }

    private let state = Locked(State())

    /// Gives a value to the task that has waited longest, or keeps it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - merge: Makes one value of the one that is kept and a new one; nil keeps all.
    /// - Returns: Whether the mailbox took it: false if it is over.
    @discardableResult
    func put(_ value: Value, merge: ((Value, Value) -> Value)? = nil) -> Bool {
        let (isTaken, waiter): (Bool, Waiter?) = state.withLock { state in
            if state.isOver { return (false, nil) }
            if !state.waiters.isEmpty { return (true, state.waiters.removeFirst()) }
            if let merge, let kept = state.values.popLast() {
                state.values.append(merge(kept, value))
            } else {
                state.values.append(value)
            }
            return (true, nil)
        }
        waiter?.continuation.resume(returning: value)
        return isTaken
    }

    /// Whether a task waits.
    var hasWaiters: Bool {
        state.withLock { !$0.waiters.isEmpty }
    }

    /// Takes a value that is kept, or waits for the next one.
    ///
    /// - Parameters:
    ///   - isolation: The caller's.
    ///   - beginWaiting: Called when the task has begun to wait.
    /// - Returns: The value; nil if the mailbox is over or the task is cancelled.
    func take(
        isolation: isolated (any Actor)? = #isolation,
        beginWaiting: () -> Void = {}
    ) async -> Value? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            // Capturing it isolates the closure like this function.
            _ = isolation
            return await withCheckedContinuation { continuation in
                let (waits, value): (Bool, Value?) = state.withLock { state in
                    if !state.values.isEmpty { return (false, state.values.removeFirst()) }
                    // A task that is cancelled from here on finds its waiter.
                    if state.isOver || Task.isCancelled { return (false, nil) }
                    state.waiters.append(Waiter(number: number, continuation: continuation))
                    return (true, nil)
                }
                if waits { beginWaiting() } else { continuation.resume(returning: value) }
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
        waiter?.continuation.resume(returning: nil)
    }

    /// Ends all waits, and takes no more values.
    func finish() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    /// Takes all values that are kept.
    func drain() -> [Value] {
        state.withLock { state in
            defer { state.values = [] }
            return state.values
        }
    }
}
