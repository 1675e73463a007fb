import Glibc

/// A value that one thread at a time may use.
///
/// A lock of the C library, unlike `Synchronization.Mutex`, is one that the thread sanitizer sees.
public final class Guarded<Value>: @unchecked Sendable {
    // `@unchecked`: `value` is used with the lock held and only there.
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

    /// Calls a closure with the value, with the lock held.
    public func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(&value)
    }
}
