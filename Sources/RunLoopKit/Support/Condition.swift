import Glibc

/// A value with a POSIX lock and condition variable; Swift's Mutex has no condition variable.
package final class Condition<Value>: @unchecked Sendable {
    // Proof: the value is only accessed with the lock held; value, lock and condition variable live
    // as long as this object. The pointer avoids exclusivity checks. A `Locked` would cost another
    // allocation for each awaited closure.
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
        // Time-outs must be independent of the wall clock.
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

    /// Reads or changes the value, and wakes all waiting threads.
    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows
        -> sending Result
    {
        pthread_mutex_lock(&content.pointee.lock)
        defer {
            pthread_mutex_unlock(&content.pointee.lock)
            // Broadcasts after the unlock, so that a woken thread does not block on the lock.
            pthread_cond_broadcast(&content.pointee.condition)
        }
        return try body(&content.pointee.value)
    }

    package func wait<Result: Sendable>(until ready: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(&content.pointee.lock)
        defer { pthread_mutex_unlock(&content.pointee.lock) }
        while true {
            if let result = ready(&content.pointee.value) { return result }
            pthread_cond_wait(&content.pointee.condition, &content.pointee.lock)
        }
    }

    /// Waits for a result; returns nil after a time limit in seconds.
    ///
    /// The limit is evaluated only if the call has to wait.
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
