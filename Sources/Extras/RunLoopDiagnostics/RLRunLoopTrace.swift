import Glibc
public import RunLoopKit

/// The activity of run loops, as a tracer has recorded it.
///
/// Ours, no Foundation counterpart.
public struct RLRunLoopTrace: Sendable {
    /// The recordings, in the order in which they began.
    ///
    /// A loop has several if it was traced several times.
    public let recordings: [Recording]

    /// The number of recordings that the tracer discarded.
    ///
    /// It keeps the last 256 that have ended.
    public let droppedRecordings: Int

    var names = TraceNames.shared
    var process = getpid()
    package var processName = nameOfThread(getpid())

    /// An event of a recording.
    public struct Event: Sendable {
        /// The index in the recording, counted from 0.
        public let number: Int

        /// The time in nanoseconds of the monotonic clock, never less than the time of the previous
        /// event.
        public let time: UInt64

        /// The mode of the innermost run, or nil outside of runs.
        public let mode: RLRunLoopMode?

        /// The kind of the event.
        public let kind: Kind

        /// The duration of the run, callback or sleep that ended here, in nanoseconds, as measured
        /// by the loop.
        ///
        /// 0 for other kinds, for wake-ups without a sleep, and if tracing began in between.
        public let duration: UInt64
    }

    /// The kinds of events.
    public enum Kind: Sendable, Equatable {
        /// A run began.
        case runBegan
        /// The innermost run ended.
        case runEnded
        /// The loop reached an activity, observed or not.
        case activity(RLRunLoopActivity)
        /// A callback began.
        case calloutBegan(Callout)
        /// The innermost callback ended.
        case calloutEnded(Callout)
        /// The innermost callback is a library's adaptor, which calls this function of the client.
        case calloutFunction(UInt)
        /// The loop fell asleep. A descriptor that is ready ends the sleep at once.
        case fellAsleep
        /// The loop found something to serve, after a sleep or without one.
        case wokeUp(WakeReason)
        /// The loop's thread ended.
        case threadEnded
    }

    /// A callback that a loop calls.
    public struct Callout: Sendable, Hashable {
        /// The kind of callback, one of those from `kRLRunLoopPhaseObserver` on.
        ///
        /// `kRLRunLoopPhaseIdle` for a callback whose beginning was not recorded.
        public let phase: RLRunLoopPhase

        /// The address of the function, or 0.
        public var function: UInt

        /// The address of the observer, timer, source or block, which may have been released; 0 in
        /// `calloutEnded`.
        public let object: UInt

        /// The first word that a block has captured; for a wrapped Swift closure, the closure's
        /// function.
        let captured: UInt
    }

    /// The reason for the end of a sleep.
    public enum WakeReason: Sendable, Hashable {
        /// The time limit of the run had passed.
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

    /// A run, callback or sleep with its duration.
    public struct Span: Sendable {
        /// The kind of a span.
        public enum Kind: Sendable, Equatable {
            /// A run of the loop.
            case run
            /// A callback.
            case callout(Callout)
            /// A sleep with the reason for its end; nil if it has not ended.
            case sleep(WakeReason?)
        }

        /// The kind of a span.
        public internal(set) var kind: Kind

        /// The time of its beginning, in nanoseconds of the monotonic clock.
        public let began: UInt64

        /// The time of its end, in nanoseconds of the monotonic clock.
        public internal(set) var ended: UInt64

        /// The number of spans that enclose it.
        public internal(set) var depth: Int

        /// The mode of the innermost run; nil outside of runs.
        public let mode: RLRunLoopMode?

        /// Whether it began before the recording, or in a part that was overwritten.
        public let isCutAtStart: Bool

        /// Whether it had not ended at the end of the recording; ``ended`` is then the end of the
        /// recording.
        public internal(set) var isCutAtEnd: Bool

        /// The duration in nanoseconds.
        public var duration: UInt64 { ended - began }
    }

    /// The activity of one loop while it was traced.
    public struct Recording: Sendable {
        /// The kernel's number of the loop's thread.
        public let thread: Int32

        /// Whether it is the main loop.
        public let isMain: Bool

        /// The kernel's name of the thread, or nil if it has none.
        public let threadName: String?

        /// The time of its beginning, in nanoseconds of the monotonic clock.
        public let began: UInt64

        /// The time of its end, or of the snapshot.
        public let ended: UInt64

        /// Whether the recording had ended when the snapshot was made.
        public let isOver: Bool

        /// The events, in order.
        public let events: [Event]

        /// The number of events before the first of `events` that were overwritten.
        public let lostEvents: Int

        /// The runs, callbacks and sleeps in the order of their beginning, so that a span precedes
        /// its nested spans.
        public let spans: [Span]
    }
}
