import Glibc
import Synchronization

/// Calls a closure on a new thread with a loop of its own, and waits until the thread and its loop
/// have ended.
///
/// It has the time limit of a ``Gate``.
@discardableResult
public func onFreshThread<Result: Sendable>(
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable () -> Result
) -> Result? {
    let errand = Errand(body)
    // The thread borrows the errand, which outlives it.
    withExtendedLifetime(errand) {
        let thread = start(errand)
        errand.isDone.wait(file: file, line: line)
        pthread_join(thread, nil)
    }
    return errand.result
}

/// Calls several closures at the same time, each on a new thread, and waits until the threads and
/// their loops have ended, with the same limit.
public func onFreshThreads(
    file: StaticString = #fileID,
    line: UInt = #line,
    _ bodies: [@Sendable () -> Void]
) {
    let errands = bodies.map(Errand.init(_:))
    // The threads borrow the errands, which outlive them.
    withExtendedLifetime(errands) {
        let threads = errands.map(start)
        for errand in errands { errand.isDone.wait(file: file, line: line) }
        for thread in threads { pthread_join(thread, nil) }
    }
}

private func start(_ errand: AnyErrand) -> pthread_t {
    var thread = pthread_t()
    // The caller keeps the errand until it has joined the thread.
    let info = Unmanaged<AnyErrand>.passUnretained(errand).toOpaque()
    let failure = pthread_create(
        &thread,
        nil,
        { info in
            if let info {
                let errand = Unmanaged<AnyErrand>.fromOpaque(info).takeUnretainedValue()
                errand.run()
                errand.isDone.open()
            }
            return nil
        },
        info
    )
    precondition(failure == 0, "A thread cannot be started: error \(failure).")
    return thread
}

private class AnyErrand {
    let isDone = Gate()

    func run() {}
}

private final class Errand<Result: Sendable>: AnyErrand {
    private let body: @Sendable () -> Result
    // Written by the thread, read after the join.
    private(set) var result: Result?

    init(_ body: @escaping @Sendable () -> Result) {
        self.body = body
    }

    override func run() {
        result = body()
    }
}

/// A list that any thread may append to.
public final class Log<Entry: Sendable>: Sendable {
    private let list = Guarded<[Entry]>([])

    /// The entries in order.
    public var entries: [Entry] { list.withLock { $0 } }

    /// Makes an empty list.
    public init() {}

    /// Appends an entry.
    public func add(_ entry: Entry) {
        list.withLock { $0.append(entry) }
    }
}

/// Adds an entry to a log when it is deallocated.
public final class Token: Sendable {
    private let log: Log<String>

    /// Makes a token that logs `released` in `deinit`.
    public init(_ log: Log<String>) {
        self.log = log
    }

    /// Does nothing; the call makes a closure capture the token.
    public func hold() {}

    deinit {
        log.add("released")
    }
}
