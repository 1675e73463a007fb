import Glibc

/// Blocks threads until it is opened, for good.
public final class Gate: @unchecked Sendable {
    // `@unchecked`: POSIX semaphores are thread-safe, and this one lives as long as the gate.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Makes a closed gate.
    public init() {
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Opens the gate, and wakes all waiting threads.
    public func open() {
        sem_post(semaphore)
    }

    /// Waits until the gate is open; stops the process after five minutes, and prints the source
    /// location of the call.
    public func wait(file: StaticString = #fileID, line: UInt = #line) {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += 300
        while sem_timedwait(semaphore, &end) != 0 {
            if errno == ETIMEDOUT {
                fatalError("the gate was not opened in five minutes", file: file, line: line)
            }
        }
        sem_post(semaphore)
    }
}

/// A Boolean that any thread may set once.
public final class Flag: Sendable {
    private let value = Guarded(false)

    /// Makes a flag that is not set.
    public init() {}

    /// Whether the flag was set.
    public var isSet: Bool { value.withLock { $0 } }

    /// Sets the flag, for good.
    public func set() {
        value.withLock { $0 = true }
    }
}
