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

    private let reading: Reading

    /// Makes a sequence, and the queue to which its object gives events, each an ``EventBox`` of
    /// this element, and from which it learns of the end.
    package static func make() -> (RLEventSequence, EventQueue) {
        let queue = EventQueue()
        return (RLEventSequence(reading: Reading(queue)), queue)
    }

    private init(reading: Reading) {
        self.reading = reading
    }

    /// Makes an iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(sequence: reading, iteration: Reading(reading.queue))
    }

    /// An iterator, whose release ends the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let sequence: Reading
        fileprivate let iteration: Reading

        /// Waits for the next event; nil after the last, and if the task is cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }

        /// Waits for the next event, on the caller's actor; nil after the last, and if the task is
        /// cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            let queue = iteration.queue
            if let event = await queue.events.take() {
                return unsafeDowncast(event, to: EventBox<Element>.self).element
            }
            // It has ended, or the task is cancelled.
            queue.finish()
            return nil
        }
    }
}

/// An event of a queue, whose type its sequence knows.
///
/// The queue itself is not generic, so that the code for it is compiled once, and faster.
package class AnyEventBox: @unchecked Sendable {
    // Proof: only the class below inherits it, whose element is constant and `Sendable`.
    fileprivate init() {}
}

package final class EventBox<Element: Sendable>: AnyEventBox, @unchecked Sendable {
    // Proof: see above.
    fileprivate let element: Element

    package init(_ element: Element) {
        self.element = element
    }
}

/// The events of a sequence, from a loop's object to the tasks that read them.
package final class EventQueue: Sendable {
    fileprivate let events = Mailbox<AnyEventBox>()
    private let end = Locked<(isOver: Bool, function: (@Sendable () -> Void)?)>((false, nil))

    /// Gives an event to the task that waits, or keeps it.
    package func yield(_ event: AnyEventBox) {
        events.put(event)
    }

    /// Gives an event to the task that waits, or replaces the newest kept event.
    package func yieldNewest(_ event: AnyEventBox) {
        events.put(event) { _, newest in newest }
    }

    /// Ends the sequence after the events that are kept.
    package func finish() {
        events.finish()
        let function = end.withLock { end in
            end.isOver = true
            return end.function.take()
        }
        function?()
    }

    /// Ends the sequence for its readers.
    func abandon() {
        finish()
        _ = events.drain()
    }

    /// Calls a function once at the end of the sequence; at once if that has come.
    package func whenOver(_ function: @escaping @Sendable () -> Void) {
        let isOver = end.withLock { end in
            if !end.isOver { end.function = function }
            return end.isOver
        }
        if isOver { function() }
    }
}

/// Ends the sequence with its last copy: of the sequence and its iterators, or of one iterator.
private final class Reading: Sendable {
    let queue: EventQueue

    init(_ queue: EventQueue) {
        self.queue = queue
    }

    deinit {
        queue.abandon()
    }
}
