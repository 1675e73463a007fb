import Glibc

/// A value that one thread at a time may use.
///
/// The lock is the C library's: the thread sanitizer sees it, unlike `Synchronization.Mutex`.
package final class Locked<Value>: @unchecked Sendable {
    // Proof: the value is touched only with the lock held, and both live as long as this object.
    // They lie behind a pointer, where Swift makes no check of its own that access is exclusive.
    private struct Content {
        var lock = pthread_mutex_t()
        var value: Value
    }

    private let content: UnsafeMutablePointer<Content>

    package init(_ value: sending Value) {
        content = .allocate(capacity: 1)
        content.initialize(to: Content(value: value))
        pthread_mutex_init(&content.pointee.lock, nil)
    }

    deinit {
        pthread_mutex_destroy(&content.pointee.lock)
        content.deinitialize(count: 1)
        content.deallocate()
    }

    /// Reads or changes the value.
    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows
        -> sending Result
    {
        pthread_mutex_lock(&content.pointee.lock)
        defer { pthread_mutex_unlock(&content.pointee.lock) }
        return try body(&content.pointee.value)
    }
}

extension Locked: CustomReflectable {
    /// Shows the value, as a debugger could not read it behind its pointer.
    package var customMirror: Mirror {
        pthread_mutex_lock(&content.pointee.lock)
        defer { pthread_mutex_unlock(&content.pointee.lock) }
        return Mirror(self, children: ["value": content.pointee.value], displayStyle: .class)
    }
}
