import CRunLoop.Wrapping
import CoreRunLoop

/// A queue of work that a loop performs in short slices when the loop is idle.
///
/// Whenever the loop is about to sleep, the queue performs pieces of work, oldest first, until
/// ``sliceBudget`` is used up or the queue is empty. If work is left, the loop polls for events
/// without sleeping, serves the events, and continues with the queue. Otherwise the loop sleeps.
/// Each slice performs at least one piece. A piece is never interrupted.
///
/// ```swift
/// let queue = RLIdleQueue()
/// for page in pages { queue.add { page.prepare() } }
/// ```
///
/// By default the queue works in default mode only, so it pauses in ``RLRunLoop/Mode/tracking``
/// mode. Pending work keeps a run in the queue's modes from finishing. A run that does not sleep,
/// such as a run with a limit in the past, performs no work of the queue.
///
/// The queue is confined to the thread that created it. Other threads add work with ``sender``.
///
/// Texture: ASRunLoopQueue, which limits slices by count instead of time.
public final class RLIdleQueue {
    /// The order of the queue's observer, which is called after the commits of ``RLTransaction``.
    public static let order = 2_500_000

    /// The time limit of a slice.
    ///
    /// With zero, each slice performs one piece of work. May be used on any thread.
    public var sliceBudget: Duration {
        get { inbox.sliceBudget }
        set { inbox.sliceBudget = newValue }
    }

    /// The modes in which the queue performs work.
    public let modes: [RLRunLoop.Mode]

    /// An object that other threads use to add work.
    public let sender: Sender

    // About 30 years in seconds, which is within the range of the clock.
    private static let longestBudget = 1e9

    private let loop: RLRunLoopRef
    private let belongings: ThreadBelongings
    private let inbox: IdleInbox
    private var passEnd: PassEndObserver?

    /// Creates a queue for the calling thread's loop.
    ///
    /// - Parameters:
    ///   - modes: The modes in which the queue performs work.
    ///   - sliceBudget: The initial ``sliceBudget``.
    @available(*, noasync)
    public init(
        modes: [RLRunLoop.Mode] = [.default],
        sliceBudget: Duration = .milliseconds(4)
    ) {
        let current = RLRunLoop.current
        loop = current.loop
        belongings = current.belongings
        self.modes = modes
        inbox = IdleInbox(loop, modes, sliceBudget)
        sender = Sender(inbox)
        if !belongings.insert(inbox) { inbox.close() }
        passEnd = PassEndObserver(loop, modes: modes, order: Self.order) { [weak self] activity in
            if activity == .beforeWaiting { self?.doSlice() }
        }
    }

    deinit {
        inbox.close()
        belongings.letGo(of: inbox, on: loop)
    }

    /// Adds a piece of work.
    ///
    /// Texture: ASRunLoopQueue.enqueue.
    ///
    /// - Parameter piece: Called once, on the queue's thread.
    public func add(_ piece: @escaping () -> Void) {
        checkGiver("RLIdleQueue.add(_:)")
        checkThread(of: loop, "RLIdleQueue.add(_:)", remedy: "use its sender")
        _ = inbox.add(IdleInbox.Piece(perform: piece))
        passEnd?.keepAwake()
    }

    /// The number of pending pieces of work, including work from ``sender``.
    ///
    /// May be read on any thread.
    public var count: Int {
        inbox.count
    }

    /// Discards all work that has not started.
    public func removeAll() {
        checkThread(of: loop, "RLIdleQueue.removeAll()", remedy: "use its sender")
        // Releases the captured objects without the lock: their destructors may use the queue.
        withExtendedLifetime(inbox.removeAll()) {}
    }

    private func doSlice() {
        guard inbox.count > 0 else { return }
        let budget = min(max(sliceBudget.seconds, 0), Self.longestBudget)
        let end = RLClockGetNanoseconds() + Int64(budget * 1e9)
        while let piece = inbox.take() {
            piece.perform()
            if RLClockGetNanoseconds() >= end { break }
        }
        let isEmpty = inbox.rest()
        if !isEmpty || isCurrentModeEmpty(loop) { RLRunLoopWakeUp(loop) }
    }

    /// Adds work to an ``RLIdleQueue`` from any thread.
    public struct Sender: Sendable {
        private let inbox: IdleInbox

        fileprivate init(_ inbox: IdleInbox) {
            self.inbox = inbox
        }

        /// Adds a piece of work, and wakes the queue's loop.
        ///
        /// - Parameter piece: Called once, on the queue's thread.
        /// - Returns: Whether the queue accepted the work. False if the queue was deallocated or
        ///   its thread has ended.
        @discardableResult
        public func add(_ piece: @escaping @Sendable () -> Void) -> Bool {
            let isTaken = inbox.add(IdleInbox.Piece(perform: piece))
            if isTaken { RLRunLoopWakeUp(inbox.loop) }
            return isTaken
        }
    }
}

/// A queue is confined to the thread that created it. Pass ``RLIdleQueue/sender`` to other threads.
@available(*, unavailable, message: "use sender, which may be passed to any thread")
extension RLIdleQueue: Sendable {}

extension RLIdleQueue: CustomStringConvertible {
    /// The number of pending pieces of work, and the queue's thread.
    public var description: String {
        describe(
            self,
            "\(count) piece(s) of work waiting, of thread \(describeThread(threadNumber(of: loop)))"
        )
    }
}
