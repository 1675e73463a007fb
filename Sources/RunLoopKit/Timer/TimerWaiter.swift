/// Waits for a timer to fire, and is told once: by the timer or by the end of the task.
final class TimerWaiter: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Bool, Never>?
        // Whether the timer has fired, once that is known.
        var result: Bool?
    }

    private let state = Locked(State())

    /// Waits, on the caller's executor, until it is told or the task is cancelled.
    func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        await withTaskCancellationHandler {
            // Capturing it isolates the closure like this function, so no other thread is involved.
            _ = isolation
            return await withCheckedContinuation { begin($0) }
        } onCancel: {
            end(false)
        }
    }

    /// The waiter may have been told before.
    private func begin(_ continuation: CheckedContinuation<Bool, Never>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }

    /// Tells the waiter, unless it has been told.
    func end(_ hasFired: Bool) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            state.result = state.result ?? hasFired
            return state.continuation
        }
        continuation?.resume(returning: hasFired)
    }
}
