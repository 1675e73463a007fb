import Glibc

/// Keeps threads waiting until it is opened, for good.
public final class Gate: @unchecked Sendable {
    // `@unchecked`: POSIX semaphores are for any thread, and this one lives as long as the gate.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Makes a closed gate.
    public init() {
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets everybody through.
    public func open() {
        sem_post(semaphore)
    }

    /// Waits until the gate is open.
    public func wait() {
        while sem_wait(semaphore) != 0 {}
        sem_post(semaphore)
    }
}

/// A condition that any thread may set.
public final class Flag: Sendable {
    private let value = Guarded(false)

    /// Makes a flag that is not set.
    public init() {}

    /// Whether it has been set.
    public var isSet: Bool { value.withLock { $0 } }

    /// Sets it, for good.
    public func set() {
        value.withLock { $0 = true }
    }
}
