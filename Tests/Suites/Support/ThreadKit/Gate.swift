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

    /// Waits until the gate is open; stops the process after five minutes, with the place in the
    /// source that waits.
    public func wait(file: StaticString = #fileID, line: UInt = #line) {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += 300
        while sem_timedwait(semaphore, &end) != 0 {
            if errno == ETIMEDOUT { fatalError("nobody opens this gate", file: file, line: line) }
        }
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
