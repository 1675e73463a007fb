import Glibc

/// A value that one thread at a time may use.
///
/// The lock is the C library's: the thread sanitizer does not know `Synchronization.Mutex`.
public final class Guarded<Value>: @unchecked Sendable {
    // `@unchecked`: `value` is only used with the lock held.
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Guards a value.
    public init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Calls a closure with the value and the lock held.
    public func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(&value)
    }
}
