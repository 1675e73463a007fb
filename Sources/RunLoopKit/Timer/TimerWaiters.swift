import Synchronization

/// The waiters of one timer, on any thread.
struct TimerWaiters: ~Copyable, Sendable {
    private final class List: Sendable {
        let waiters = Locked<[TimerWaiter]>([])

        func resume(returning hasFired: Bool) {
            let resumed = waiters.withLock { waiters in
                defer { waiters = [] }
                return waiters
            }
            for waiter in resumed { waiter.end(hasFired) }
        }
    }

    // Retained. Made for the first waiter, as hardly any timer has one; a lazy reference of the
    // standard library would cost as much as the rest of a timer.
    private let address = Atomic<Unmanaged<List>?>(nil)

    /// Releases the list, at the end of the owner: a `deinit` here would cost each timer more than
    /// its own.
    @inline(__always) func destroy() {
        address.load(ordering: .acquiring)?.release()
    }

    @inline(__always) private var list: List? {
        // The list lives as long as this.
        address.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    private func makeList() -> List {
        let made = Unmanaged.passRetained(List())
        let (isKept, other) = address.compareExchange(
            expected: nil,
            desired: made,
            ordering: .acquiringAndReleasing
        )
        guard !isKept, let other else { return made.takeUnretainedValue() }
        made.release()
        return other.takeUnretainedValue()
    }

    func add(_ waiter: TimerWaiter) {
        (list ?? makeList()).waiters.withLock { $0.append(waiter) }
    }

    func remove(_ waiter: TimerWaiter) {
        list?.waiters.withLock { $0.removeAll { $0 === waiter } }
    }

    /// Tells all waiters, who wait no more then.
    @inline(__always) func resume(returning hasFired: Bool) {
        list?.resume(returning: hasFired)
    }
}
