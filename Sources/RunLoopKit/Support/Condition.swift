// Waiting for another thread. Swift's Mutex cannot wait, so this is a POSIX condition.

import Glibc

/// A value that several threads watch: changes wake the threads that wait for it.
package final class Condition<Value>: @unchecked Sendable {
    // Proof: the value is touched only with the lock held, and all live as long as this object.
    // They lie behind a pointer, where Swift makes no check of its own that access is exclusive.
    // Not made of a `Locked`: each closure that is waited for makes a condition.
    private struct Content {
        var lock = pthread_mutex_t()
        var condition = pthread_cond_t()
        var value: Value
    }

    private let content: UnsafeMutablePointer<Content>

    package init(_ value: sending Value) {
        content = .allocate(capacity: 1)
        content.initialize(to: Content(value: value))
        pthread_mutex_init(&content.pointee.lock, nil)
        // Time-outs must not move with the wall clock.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(&content.pointee.condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(&content.pointee.condition)
        pthread_mutex_destroy(&content.pointee.lock)
        content.deinitialize(count: 1)
        content.deallocate()
    }

    /// Reads or changes the value, and wakes the threads that wait.
    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows
        -> sending Result
    {
        pthread_mutex_lock(&content.pointee.lock)
        defer {
            pthread_mutex_unlock(&content.pointee.lock)
            // After the unlock, so that a woken thread finds the lock free.
            pthread_cond_broadcast(&content.pointee.condition)
        }
        return try body(&content.pointee.value)
    }

    /// Waits until there is something to return.
    package func wait<Result: Sendable>(until ready: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(&content.pointee.lock)
        defer { pthread_mutex_unlock(&content.pointee.lock) }
        while true {
            if let result = ready(&content.pointee.value) { return result }
            pthread_cond_wait(&content.pointee.condition, &content.pointee.lock)
        }
    }

    /// Waits until there is something to return, for so many seconds at most; nil if there is none.
    ///
    /// The seconds are read only if it has to wait.
    package func wait<Result: Sendable>(
        seconds: @autoclosure () -> Double,
        until ready: (inout Value) -> Result?
    ) -> Result? {
        pthread_mutex_lock(&content.pointee.lock)
        defer {
            pthread_mutex_unlock(&content.pointee.lock)
            pthread_cond_broadcast(&content.pointee.condition)
        }
        if let result = ready(&content.pointee.value) { return result }
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.add(timespec(seconds: seconds()))
        while pthread_cond_timedwait(
            &content.pointee.condition,
            &content.pointee.lock,
            &deadline
        ) == 0 {
            if let result = ready(&content.pointee.value) { return result }
        }
        return ready(&content.pointee.value)
    }
}
