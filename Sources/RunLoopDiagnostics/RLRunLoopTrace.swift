public import RunLoopKit

/// What run loops did, as a tracer has recorded it.
public struct RLRunLoopTrace: Sendable {
    /// The recordings, in the order in which they began.
    ///
    /// A loop has several if it was traced several times.
    public let recordings: [Recording]

    /// How many recordings the tracer gave up, because it keeps the last 256 that have ended.
    public let droppedRecordings: Int

    /// One thing that a loop did.
    public struct Event: Sendable {
        /// Its place in the recording, counted from 0.
        public let number: Int

        /// When, in nanoseconds of the monotonic clock.
        ///
        /// Never less than that of the event before.
        public let time: UInt64

        /// The mode of the innermost run, or nil outside of runs.
        public let mode: RLRunLoopMode?

        /// What it was.
        public let kind: Kind

        /// For how long that lasted which ended here, in nanoseconds, as the loop has measured it.
        ///
        /// 0 for other kinds, for what was found without a sleep, and if tracing began in between.
        public let duration: UInt64
    }

    /// What events tell.
    public enum Kind: Sendable, Equatable {
        /// A run began.
        case runBegan
        /// The run ended that began last.
        case runEnded
        /// The loop came to an activity, whether somebody observes it or not.
        case activity(RLRunLoopActivity)
        /// A callback began.
        case calloutBegan(Callout)
        /// The callback ended that began last.
        case calloutEnded(Callout)
        /// What the innermost callback really calls: the function was one of a library.
        case calloutFunction(UInt)
        /// The loop fell asleep.
        case fellAsleep
        /// Something was there: after a sleep, or without one.
        case wokeUp(WakeReason)
        /// The loop's thread ended.
        case threadEnded
    }

    /// What a loop calls.
    public struct Callout: Sendable, Hashable {
        /// What kind of thing calls, one of those from `kRLRunLoopPhaseObserver` on.
        ///
        /// `kRLRunLoopPhaseIdle` for a callback whose beginning was not recorded.
        public let phase: RLRunLoopPhase

        /// The address of the function, or 0.
        public var function: UInt

        /// The address of the observer, timer, source or block: it may be gone.
        ///
        /// 0 at the end.
        public let object: UInt

        /// Of blocks, the first word that they have captured: of Swift's closures, the function.
        let captured: UInt
    }

    /// What ended a sleep.
    public enum WakeReason: Sendable, Hashable {
        /// The time of the run was up.
        case timeout
        /// `RLRunLoopWakeUp`, or a stop.
        case wakeUp
        /// Timers were due.
        case timer
        /// There was work on the main dispatch queue.
        case mainQueue
        /// A descriptor was ready, or a port.
        case descriptor(Int32)
        /// The host of the loop runs it.
        case host
    }

    /// Something that took time.
    public struct Span: Sendable {
        /// What took time.
        public enum Kind: Sendable, Equatable {
            /// A run of the loop.
            case run
            /// A callback.
            case callout(Callout)
            /// A sleep, and what ended it; nil if it has not ended.
            case sleep(WakeReason?)
        }

        /// What took time.
        public internal(set) var kind: Kind

        /// When it began, in nanoseconds of the monotonic clock.
        public let began: UInt64

        /// When it ended.
        public internal(set) var ended: UInt64

        /// How many other spans are around it.
        public internal(set) var depth: Int

        /// The mode.
        public let mode: RLRunLoopMode?

        /// Whether it began earlier, when the loop was not traced or in what was overwritten.
        public let isCutAtStart: Bool

        /// Whether it ended later.
        public internal(set) var isCutAtEnd: Bool

        /// How long it took, in nanoseconds.
        public var duration: UInt64 { ended - began }
    }

    /// What one loop did while it was traced.
    public struct Recording: Sendable {
        /// The kernel's number of the loop's thread.
        public let thread: Int32

        /// Whether it is the main loop.
        public let isMain: Bool

        /// The kernel's name of the thread, or nil if it has none.
        public let threadName: String?

        /// When it began, in nanoseconds of the monotonic clock.
        public let began: UInt64

        /// When it ended, or when the snapshot was made.
        public let ended: UInt64

        /// Whether it had ended.
        public let isOver: Bool

        /// What happened, in order.
        public let events: [Event]

        /// How many events before the first of `events` have been overwritten.
        public let lostEvents: Int

        /// What took time, in the order of beginning: a span comes before those within it.
        public let spans: [Span]
    }
}
