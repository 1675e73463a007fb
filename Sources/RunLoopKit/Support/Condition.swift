// Waiting for another thread. Swift's Mutex cannot wait, so this is a POSIX condition.

import Glibc

/// A value that several threads watch: changes wake the threads that wait for it.
package final class Condition<Value>: @unchecked Sendable {
    // Proof: neither property changes, and the condition lives as long as this object. It is no
    // subclass of `Locked`, whose generic function could then not be specialized.
    private let locked: Locked<Value>
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ value: sending Value) {
        locked = Locked(value)
        // Time-outs must not move with the wall clock.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Reads or changes the value, and wakes the threads that wait.
    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows
        -> sending Result
    {
        // After the unlock, so that a woken thread finds the lock free.
        defer { pthread_cond_broadcast(condition) }
        return try locked.withLock(body)
    }

    /// Waits until there is something to return.
    package func wait<Result: Sendable>(until ready: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(&locked.content.pointee.lock)
        defer { pthread_mutex_unlock(&locked.content.pointee.lock) }
        while true {
            if let result = ready(&locked.content.pointee.value) { return result }
            pthread_cond_wait(condition, &locked.content.pointee.lock)
        }
    }

    /// Waits until there is something to return, for so many seconds at most; nil if there is none.
    ///
    /// The seconds are read only if it has to wait.
    package func wait<Result: Sendable>(
        seconds: @autoclosure () -> Double,
        until ready: (inout Value) -> Result?
    ) -> Result? {
        pthread_mutex_lock(&locked.content.pointee.lock)
        defer {
            pthread_mutex_unlock(&locked.content.pointee.lock)
            pthread_cond_broadcast(condition)
        }
        if let result = ready(&locked.content.pointee.value) { return result }
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.add(timespec(seconds: seconds()))
        while pthread_cond_timedwait(condition, &locked.content.pointee.lock, &deadline) == 0 {
            if let result = ready(&locked.content.pointee.value) { return result }
        }
        return ready(&locked.content.pointee.value)
    }
}
