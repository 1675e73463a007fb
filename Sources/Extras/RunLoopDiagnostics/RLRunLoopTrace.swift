import Glibc
public import RunLoopKit

/// The activity of run loops that a tracer has recorded.
///
/// Foundation has no counterpart.
public struct RLRunLoopTrace: Sendable {
    /// The recordings, in the order in which they began.
    ///
    /// A loop that was traced several times has several recordings.
    public let recordings: [Recording]

    /// The number of recordings that the tracer discarded.
    ///
    /// A tracer keeps the last 256 recordings that have ended.
    public let droppedRecordings: Int

    var names = TraceNames.shared
    var process = getpid()
    package var processName = nameOfThread(getpid())

    /// An event of a recording.
    public struct Event: Sendable {
        /// The index in the recording, from 0.
        ///
        /// Overwritten events are numbered, too.
        public let number: Int

        /// The time in nanoseconds of the monotonic clock; never before the time of the previous
        /// event.
        public let time: UInt64

        /// The mode of the innermost run; nil outside of runs.
        public let mode: RLRunLoopMode?

        /// The kind of the event.
        public let kind: Kind

        /// The duration of the run, callback or sleep that this event ends, in nanoseconds, as
        /// measured by the loop.
        ///
        /// 0 for other kinds, for wake-ups without a sleep, and for runs and callbacks that began
        /// before tracing.
        public let duration: UInt64
    }

    /// The kinds of events.
    public enum Kind: Sendable, Equatable {
        /// A run began.
        case runBegan
        /// The innermost run ended.
        case runEnded
        /// The loop reached an activity, whether an observer was called or not.
        case activity(RLRunLoopActivity)
        /// A callback began.
        case calloutBegan(Callout)
        /// The innermost callback ended.
        case calloutEnded(Callout)
        /// The innermost callback is a library's adaptor, which calls the given function of the
        /// client.
        case calloutFunction(UInt)
        /// The loop went to sleep; a ready descriptor ends the sleep at once.
        case fellAsleep
        /// The loop found an event to serve, after a sleep or without a sleep.
        case wokeUp(WakeReason)
        /// The loop's thread ended.
        case threadEnded
    }

    /// A callback that a loop calls.
    public struct Callout: Sendable, Hashable {
        /// The kind of the callback: `kRLRunLoopPhaseObserver` or a later constant.
        ///
        /// `kRLRunLoopPhaseIdle` if the beginning of the callback was not recorded.
        public let phase: RLRunLoopPhase

        /// The address of the function; 0 if it is unknown.
        public var function: UInt

        /// The address of the observer, timer, source or block, which may have been released; 0 in
        /// `calloutEnded`.
        public let object: UInt

        /// A block's first captured word: for a wrapped Swift closure, the address of its function.
        let captured: UInt
    }

    /// The reason for a wake-up.
    public enum WakeReason: Sendable, Hashable {
        /// The time limit of the run was reached.
        case timeout
        /// `RLRunLoopWakeUp` or `RLRunLoopStop` was called.
        case wakeUp
        /// Timers were due.
        case timer
        /// The main dispatch queue had work.
        case mainQueue
        /// A descriptor or a port was ready.
        case descriptor(Int32)
        /// The loop's host served the loop.
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
            /// A sleep with the reason for the wake-up; nil if the sleep has not ended.
            case sleep(WakeReason?)
        }

        /// The kind of a span.
        public internal(set) var kind: Kind

        /// The time of the beginning, in nanoseconds of the monotonic clock.
        public let began: UInt64

        /// The time of the end, in nanoseconds of the monotonic clock.
        public internal(set) var ended: UInt64

        /// The number of enclosing spans.
        public internal(set) var depth: Int

        /// The mode of the innermost run; nil outside of runs.
        public let mode: RLRunLoopMode?

        /// Whether the span began before the recording, or in a part that was overwritten.
        public let isCutAtStart: Bool

        /// Whether the span had not ended when the recording ended; ``ended`` is then the end of
        /// the recording.
        public internal(set) var isCutAtEnd: Bool

        /// The duration in nanoseconds.
        public var duration: UInt64 { ended - began }
    }

    /// The activity of one loop while it was traced.
    public struct Recording: Sendable {
        /// The kernel's ID of the loop's thread.
        public let thread: Int32

        /// Whether the loop is the main loop.
        public let isMain: Bool

        /// The thread's name in the kernel; nil if it has no name.
        public let threadName: String?

        /// The time of the beginning, in nanoseconds of the monotonic clock.
        public let began: UInt64

        /// The time of the end, or of the snapshot.
        public let ended: UInt64

        /// Whether the recording had ended when the snapshot was made.
        public let isOver: Bool

        /// The events, in order.
        public let events: [Event]

        /// The number of overwritten events before the first element of `events`.
        public let lostEvents: Int

        /// The runs, callbacks and sleeps in the order of their beginnings: a span precedes its
        /// nested spans.
        public let spans: [Span]
    }
}
