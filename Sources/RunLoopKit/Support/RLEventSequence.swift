import Synchronization

/// The events of a loop's object, as a sequence that ends with its iteration.
///
/// ```swift
/// var count = 0
/// for await _ in RLTimer.fires(every: .seconds(1)) {
///     count += 1
///     if count == 3 { break }    // ends the timer
/// }
/// ```
///
/// The object stops when the first iterator is released, even if the sequence is kept; further
/// iterations end at once. It also stops when the sequence is released without an iteration, and
/// when the task that iterates is cancelled.
///
/// Ours, no Foundation counterpart.
public struct RLEventSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// No event is an error.
    public typealias Failure = Never

    private let events: AsyncStream<Element>
    private let end: SequenceEnd

    /// Makes a sequence, and what its object gives events by and learns of the end from.
    package static func make(
        _ bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> (RLEventSequence, AsyncStream<Element>.Continuation) {
        let (events, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: bufferingPolicy
        )
        let end = SequenceEnd { continuation.finish() }
        return (RLEventSequence(events: events, end: end), continuation)
    }

    private init(events: AsyncStream<Element>, end: SequenceEnd) {
        self.events = events
        self.end = end
    }

    /// Makes an iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), iteration: Iteration(end))
    }

    /// An iterator, whose release ends the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<Element>.Iterator
        fileprivate let iteration: Iteration

        /// Waits for the next event; nil after the last, and if the task is cancelled.
        public mutating func next() async -> Element? {
            iteration.end.hasCome ? nil : await events.next()
        }

        /// Waits for the next event, on the caller's actor; nil after the last, and if the task is
        /// cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            iteration.end.hasCome ? nil : await events.next(isolation: actor)
        }
    }
}

/// The end of a sequence by its iteration.
///
/// A stream that is finished still has its last events.
private final class SequenceEnd: Sendable {
    private let finish: @Sendable () -> Void
    private let isOver = Atomic(false)

    init(_ finish: @escaping @Sendable () -> Void) {
        self.finish = finish
    }

    var hasCome: Bool { isOver.load(ordering: .acquiring) }

    func come() {
        isOver.store(true, ordering: .releasing)
        finish()
    }
}

/// Ends the sequence with the last copy of an iterator.
private final class Iteration: Sendable {
    let end: SequenceEnd

    init(_ end: SequenceEnd) {
        self.end = end
    }

    deinit {
        end.come()
    }
}
