// Waiting for another thread. Swift's Mutex cannot wait, so this is a POSIX condition.

import Glibc

/// A value that several threads watch: changes wake the threads that wait for it.
package final class Condition<State>: @unchecked Sendable {
    // Proof: `state` is touched only with `mutex` held, and both live as long as this object.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    package init(_ state: sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        // Time-outs must not move with the wall clock.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the state.
    package func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows
        -> sending Result
    {
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            // After the unlock, so that a woken thread finds the mutex free.
            pthread_cond_broadcast(condition)
        }
        return try body(&state)
    }

    /// Waits until there is something to return.
    package func wait<Result: Sendable>(until ready: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = ready(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Waits until there is something to return, for so many seconds at most; nil if there is none.
    ///
    /// The seconds are read only if it has to wait.
    package func wait<Result: Sendable>(
        seconds: @autoclosure () -> Double,
        until ready: (inout State) -> Result?
    ) -> Result? {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        if let result = ready(&state) { return result }
        var deadline = Self.deadline(after: seconds())
        while pthread_cond_timedwait(condition, mutex, &deadline) == 0 {
            if let result = ready(&state) { return result }
        }
        return ready(&state)
    }

    private static func deadline(after seconds: Double) -> timespec {
        // Not a number counts as 0.
        let seconds = seconds > 0 ? seconds : 0
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let whole = min(seconds.rounded(.down), Double(Int32.max))
        let nanoseconds = deadline.tv_nsec + Int(min(seconds - whole, 0.999_999_999) * 1e9)
        deadline.tv_sec += Int(whole) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        return deadline
    }
}
