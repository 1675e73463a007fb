import CRunLoopConcurrency

/// A task that waits for a value.
///
/// It resumes on its actor's executor. The runtime by itself would first resume it on one of
/// Swift's own threads.
package struct Suspension<Value: Sendable>: Sendable {
    private let continuation: UnsafeContinuation<Value, Never>
    // The task keeps it.
    private let executor: UnownedSerialExecutor?

    /// Makes a suspension of a task, which resumes once.
    ///
    /// - Parameters:
    ///   - continuation: That of the task.
    ///   - isolation: The actor of the task; nil if it has none.
    package init(_ continuation: UnsafeContinuation<Value, Never>, _ isolation: (any Actor)?) {
        self.continuation = continuation
        executor = knowsExecutors ? isolation?.unownedExecutor : nil
    }

    /// Resumes the task.
    package func resume(returning value: Value) {
        guard let executor else { return continuation.resume(returning: value) }
        withUnsafeBytes(of: executor) { RLJobsBeginResuming($0.baseAddress) }
        continuation.resume(returning: value)
        RLJobsEndResuming()
    }
}

/// Delivers an event in a callback of the calling thread's loop.
///
/// A task that resumes on an actor of the loop runs at once, as a delegate would. Call it where the
/// callback has nothing else to do, as the task may do anything that a callback may.
package func deliverEvent(_ deliver: () -> Void) {
    RLJobsBeginEvent()
    deliver()
    RLJobsEndEvent()
}
