public import Glibc

/// A value with a `pthread_mutex_t`, because the thread sanitizer does not support Swift's `Mutex`.
@usableFromInline package final class Locked<Value>: @unchecked Sendable {
    // Proof: the value is only accessed with the lock held; value and lock live as long as this
    // object. The pointer avoids exclusivity checks.
    @usableFromInline struct Content {
        @usableFromInline var lock = pthread_mutex_t()
        @usableFromInline var value: Value
    }

    @usableFromInline let content: UnsafeMutablePointer<Content>

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

    /// Inlinable, because other modules would look up the metadata of `Content` in each call.
    @inlinable package func withLock<Result>(
        _ body: (inout Value) throws -> sending Result
    ) rethrows -> sending Result {
        pthread_mutex_lock(&content.pointee.lock)
        defer { pthread_mutex_unlock(&content.pointee.lock) }
        return try body(&content.pointee.value)
    }
}

extension Locked: CustomReflectable {
    /// Shows the value, because debuggers do not follow the pointer.
    @usableFromInline package var customMirror: Mirror {
        pthread_mutex_lock(&content.pointee.lock)
        defer { pthread_mutex_unlock(&content.pointee.lock) }
        return Mirror(self, children: ["value": content.pointee.value], displayStyle: .class)
    }
}
