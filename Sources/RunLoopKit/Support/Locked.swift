import Glibc

/// A value that one thread at a time may use.
///
/// The lock is the C library's: the thread sanitizer sees it, unlike `Synchronization.Mutex`.
package final class Locked<Value>: @unchecked Sendable {
    // Proof: the value is touched only with `lock` held, and both live as long as this object. It
    // lies behind a pointer, where Swift makes no check of its own that access is exclusive.
    private let value: UnsafeMutablePointer<Value>
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows
        -> sending Result
    {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}

extension Locked: CustomReflectable {
    /// Shows the value, as a debugger could not read it behind its pointer.
    package var customMirror: Mirror {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return Mirror(self, children: ["value": value.pointee], displayStyle: .class)
    }
}
