/// An asynchronous sequence of the events of an object in a loop.
///
/// The sequence ends when its iteration ends.
///
/// ```swift
/// var count = 0
/// for await _ in RLTimer.fires(every: .seconds(1)) {
///     count += 1
///     if count == 3 { break }    // ends the timer
/// }
/// ```
///
/// The object stops when the first iterator is released, even if the sequence is still retained;
/// further iterations end immediately. The object also stops when the sequence is released without
/// an iteration, and when the iterating task is cancelled.
///
/// Foundation has no counterpart.
public struct RLEventSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The sequence never throws.
    public typealias Failure = Never

    private let reading: Reading

    /// Creates a sequence, and the queue to which the object adds events.
    ///
    /// The object adds each event as an ``EventBox`` of this element type, and detects the end of
    /// the sequence with ``EventQueue/whenOver(_:)``.
    package static func make() -> (RLEventSequence, EventQueue) {
        let queue = EventQueue()
        return (RLEventSequence(reading: Reading(queue)), queue)
    }

    private init(reading: Reading) {
        self.reading = reading
    }

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(sequence: reading, iteration: Reading(reading.queue))
    }

    /// An iterator, whose release ends the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let sequence: Reading
        fileprivate let iteration: Reading

        /// Waits for the next event; returns nil after the last event, and if the task is
        /// cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }

        /// Waits for the next event like `next()`, but stays on the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            let queue = iteration.queue
            if let event = await queue.events.take() {
                return unsafeDowncast(event, to: EventBox<Element>.self).element
            }
            // The sequence has ended, or the task is cancelled.
            queue.finish()
            return nil
        }
    }
}

/// An event without its type.
///
/// A generic queue would be compiled for each type, and would be slower.
package class AnyEventBox: @unchecked Sendable {
    // Proof: the only subclass is the class below, whose element is constant and `Sendable`.
    fileprivate init() {}
}

package final class EventBox<Element: Sendable>: AnyEventBox, @unchecked Sendable {
    // Proof: see `AnyEventBox`.
    fileprivate let element: Element

    package init(_ element: Element) {
        self.element = element
    }
}

/// An object in a loop adds events, and tasks read them.
package final class EventQueue: Sendable {
    fileprivate let events = Mailbox<AnyEventBox>()
    private let end = Locked<(isOver: Bool, function: (@Sendable () -> Void)?)>((false, nil))

    package func yield(_ event: AnyEventBox) {
        events.put(event)
    }

    /// Passes an event to the waiting task, or replaces the newest queued event.
    package func yieldNewest(_ event: AnyEventBox) {
        events.put(event) { _, newest in newest }
    }

    /// Ends the sequence after the queued events.
    package func finish() {
        events.finish()
        let function = end.withLock { end in
            end.isOver = true
            return end.function.take()
        }
        function?()
    }

    /// Ends the sequence and discards the queued events.
    func abandon() {
        finish()
        _ = events.drain()
    }

    /// Calls a function once when the sequence ends, or immediately if it has already ended.
    package func whenOver(_ function: @escaping @Sendable () -> Void) {
        let isOver = end.withLock { end in
            if !end.isOver { end.function = function }
            return end.isOver
        }
        if isOver { function() }
    }
}

/// Ends the sequence when it is deallocated: with the last copy of the sequence and its iterators,
/// or with the last copy of one iterator.
private final class Reading: Sendable {
    let queue: EventQueue

    init(_ queue: EventQueue) {
        self.queue = queue
    }

    deinit {
        queue.abandon()
    }
}
