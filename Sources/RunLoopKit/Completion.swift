// Waiting for another thread. Swift's Mutex cannot wait, so this is a POSIX condition.

import Glibc

/// A value that several threads watch: changes wake those who wait for it.
final class Condition<State>: @unchecked Sendable {
    // Proof: `state` is touched only with `mutex` held, and both live as long as this object.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    init(_ state: sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the state.
    func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result
    {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until there is something to return.
    func wait<Result: Sendable>(until ready: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = ready(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}
