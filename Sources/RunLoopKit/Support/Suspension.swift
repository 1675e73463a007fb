import CRunLoopConcurrency

/// A suspended task, which resumes on its actor's executor.
///
/// Without this type, the runtime would first resume the task on one of Swift's own threads.
package struct Suspension<Value: Sendable>: Sendable {
    private let continuation: UnsafeContinuation<Value, Never>
    // The task retains the executor.
    private let executor: UnownedSerialExecutor?

    /// Creates a suspension, which the caller must resume exactly once.
    package init(_ continuation: UnsafeContinuation<Value, Never>, _ isolation: (any Actor)?) {
        self.continuation = continuation
        executor = knowsExecutors ? isolation?.unownedExecutor : nil
    }

    package func resume(returning value: Value) {
        guard let executor else { return continuation.resume(returning: value) }
        withUnsafeBytes(of: executor) { RLJobsBeginResuming($0.baseAddress) }
        continuation.resume(returning: value)
        RLJobsEndResuming()
    }
}

/// Delivers an event in a callback of the calling thread's loop.
///
/// A task that resumes on an actor of the loop runs immediately, like a delegate. Call this
/// function at the end of the callback, because the task may do anything that a callback may do.
package func deliverEvent(_ deliver: () -> Void) {
    RLJobsBeginEvent()
    deliver()
    RLJobsEndEvent()
}
