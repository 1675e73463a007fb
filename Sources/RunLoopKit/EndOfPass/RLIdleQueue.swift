import CRunLoop.Wrapping
import CoreRunLoop

/// Work that a loop does when it is idle, in slices between which it serves events.
///
/// Whenever the loop is about to sleep, the queue does pieces of work, oldest first, until the time
/// of a slice is used up or nothing is left. If work is left, the loop polls for events without
/// sleeping, serves them, and continues with the queue. Otherwise it sleeps. Each slice does at
/// least one piece. A piece is never interrupted.
///
/// ```swift
/// let queue = RLIdleQueue()
/// for page in pages { queue.add { page.prepare() } }
/// ```
///
/// By default the queue works in default mode only, and pauses while the user drags. Work keeps a
/// run in the queue's modes from finishing; an empty queue does not. A run that does not sleep,
/// such as one with a limit in the past, does none of the queue's work.
///
/// The work of a queue is confined to the thread that made it; ``sender`` takes work from other
/// threads.
///
/// Texture: ASRunLoopQueue, which limits slices by count and not by time.
public final class RLIdleQueue {
    /// The order of the queue's observer: after the commits of ``RLTransaction``.
    public static let order = 2_500_000

    /// The time limit of a slice; with zero, each slice does one piece of work.
    ///
    /// May be used on any thread.
    public var sliceBudget: Duration {
        get { inbox.sliceBudget }
        set { inbox.sliceBudget = newValue }
    }

    /// The modes in which the work is done.
    public let modes: [RLRunLoop.Mode]

    /// Accepts work from other threads.
    public let sender: Sender

    // The seconds of about 30 years, within the range of the clock.
    private static let longestBudget = 1e9

    private let loop: RLRunLoopRef
    private let belongings: ThreadBelongings
    private let inbox: IdleInbox
    private var passEnd: PassEndObserver?

    /// Creates a queue of the calling thread's loop.
    ///
    /// - Parameters:
    ///   - modes: The modes in which the work is done.
    ///   - sliceBudget: The time limit of a slice; zero or less for one piece of work each.
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
    /// - Parameter piece: Called once, on this thread.
    public func add(_ piece: @escaping () -> Void) {
        checkGiver("RLIdleQueue.add(_:)")
        checkThread(of: loop, "RLIdleQueue.add(_:)", remedy: "use its sender")
        _ = inbox.add(IdleInbox.Piece(perform: piece))
        passEnd?.keepAwake()
    }

    /// The number of pending pieces of work, including those sent by other threads.
    ///
    /// May be read on any thread.
    public var count: Int {
        inbox.count
    }

    /// Drops all work that has not begun.
    public func removeAll() {
        checkThread(of: loop, "RLIdleQueue.removeAll()", remedy: "use its sender")
        // Releases the captured objects only when the queue is consistent again.
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

    /// Accepts work for an ``RLIdleQueue`` on any thread.
    public struct Sender: Sendable {
        private let inbox: IdleInbox

        fileprivate init(_ inbox: IdleInbox) {
            self.inbox = inbox
        }

        /// Adds a piece of work, and wakes the queue's loop.
        ///
        /// - Parameter piece: Called once, on the queue's thread.
        /// - Returns: Whether the queue accepted it. False if the queue was deallocated or its
        ///   thread has ended.
        @discardableResult
        public func add(_ piece: @escaping @Sendable () -> Void) -> Bool {
            let isTaken = inbox.add(IdleInbox.Piece(perform: piece))
            if isTaken { RLRunLoopWakeUp(inbox.loop) }
            return isTaken
        }
    }
}

/// A queue is confined to the thread that made it; pass ``RLIdleQueue/sender`` to others.
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
