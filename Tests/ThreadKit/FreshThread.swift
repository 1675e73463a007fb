import Glibc
import Synchronization

/// Does something on a thread of its own, with a loop that nothing else uses, and waits until the
/// thread and its loop are gone.
@discardableResult
public func onFreshThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    let errand = Errand(body)
    var thread = pthread_t()
    // The thread borrows the errand, which outlives it.
    let info = Unmanaged<AnyErrand>.passUnretained(errand).toOpaque()
    let failure = withExtendedLifetime(errand) {
        let failure = pthread_create(
            &thread,
            nil,
            { info in
                info.map { Unmanaged<AnyErrand>.fromOpaque($0).takeUnretainedValue().run() }
                return nil
            },
            info
        )
        if failure == 0 { pthread_join(thread, nil) }
        return failure
    }
    precondition(failure == 0, "A thread cannot be started: error \(failure).")
    return errand.result
}

private class AnyErrand {
    func run() {}
}

private final class Errand<Result: Sendable>: AnyErrand {
    private let body: @Sendable () -> Result
    // Written by the thread, read after it was joined.
    private(set) var result: Result?

    init(_ body: @escaping @Sendable () -> Result) {
        self.body = body
    }

    override func run() {
        result = body()
    }
}

/// A list that any thread may add to.
public final class Log<Entry: Sendable>: Sendable {
    private let list = Mutex<[Entry]>([])

    /// What was added, in order.
    public var entries: [Entry] { list.withLock { $0 } }

    /// Makes an empty list.
    public init() {}

    /// Adds an entry.
    public func add(_ entry: Entry) {
        list.withLock { $0.append(entry) }
    }
}

/// Tells a log when the last reference to it is gone.
public final class Token: Sendable {
    private let log: Log<String>

    /// Makes a token that says `released` when it goes.
    public init(_ log: Log<String>) {
        self.log = log
    }

    /// Does nothing, but makes a closure hold the token.
    public func hold() {}

    deinit {
        log.add("released")
    }
}
