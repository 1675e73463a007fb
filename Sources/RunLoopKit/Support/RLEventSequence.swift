/// The events of a loop's object, as a sequence that ends with its iteration.
///
/// ```swift
/// let dates = RLTimer.fires(every: .seconds(1))
/// for await date in dates { if isLate(date) { break } }    // ends the timer
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
    private let finish: @Sendable () -> Void

    /// Makes a sequence, and what its object gives events by and learns of the end from.
    package static func make(
        _ bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> (RLEventSequence, AsyncStream<Element>.Continuation) {
        let (events, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: bufferingPolicy
        )
        return (RLEventSequence(events: events) { continuation.finish() }, continuation)
    }

    private init(events: AsyncStream<Element>, finish: @escaping @Sendable () -> Void) {
        self.events = events
        self.finish = finish
    }

    /// Makes an iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), iteration: Iteration(finish))
    }

    /// An iterator, whose release ends the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<Element>.Iterator
        fileprivate let iteration: Iteration

        /// Waits for the next event; nil after the last, and if the task is cancelled.
        public mutating func next() async -> Element? {
            await events.next()
        }

        /// Waits for the next event, on the caller's actor; nil after the last, and if the task is
        /// cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await events.next(isolation: actor)
        }
    }
}

/// Ends the sequence with the last copy of an iterator.
private final class Iteration: Sendable {
    private let finish: @Sendable () -> Void

    init(_ finish: @escaping @Sendable () -> Void) {
        self.finish = finish
    }

    deinit {
        finish()
    }
}
