public import RunLoopKit

/// Watches run loops and reports when one does not come back to its events.
///
/// ```swift
/// let monitor = RLStallMonitor { report in print(report) }
/// monitor.watch(RLRunLoopGetMain())
/// ```
///
/// Observers note where each loop is; one thread looks at the notes, takes the backtrace of a loop
/// that stalls while it does so, and calls the handler. A loop that sleeps does not stall, and
/// neither does one whose process is stopped, by a debugger for example: a second thread, which
/// does nothing but sleep, tells by its lateness for how long nobody ran.
///
/// The backtrace is taken with a signal, which the monitor holds until it is stopped: a `sleep` of
/// the stalled thread may end early. ``RLBacktrace/use(_:)`` tells which signal and what it
/// interrupts, and takes another one or none, with which reports have no backtrace.
public final class RLStallMonitor: Sendable {
    /// What counts as a stall.
    public struct Configuration: Sendable {
        /// How long a stretch of work may take without being slow.
        public var threshold: Duration

        /// So many slow stretches in a row are a stall.
        public var count: Int

        /// One stretch of this length is a stall.
        public var longThreshold: Duration

        /// The shortest time between two stalls of a loop that are reported.
        public var interval: Duration

        /// The modes in which the loop is watched.
        public var modes: [RLRunLoopMode]

        /// Makes a configuration; five stretches of 50 ms, or one of 250 ms, without arguments.
        public init(
            threshold: Duration = .milliseconds(50),
            count: Int = 5,
            longThreshold: Duration = .milliseconds(250),
            interval: Duration = .seconds(1),
            modes: [RLRunLoopMode] = [.commonModes]
        ) {
            self.threshold = threshold
            self.count = count
            self.longThreshold = longThreshold
            self.interval = interval
            self.modes = modes
        }
    }

    /// What the monitor goes by.
    public let configuration: Configuration

    private let patrol: Patrol<StallWatch>
    private let hold = Locked<BacktraceSignalHold?>(BacktraceSignalHold())

    /// Makes a monitor, which watches no loop yet.
    ///
    /// - Parameters:
    ///   - configuration: What counts as a stall. Its threshold must be at least a millisecond, its
    ///     count at least 1, its long threshold no shorter than the threshold, and its list of
    ///     modes not empty.
    ///   - handler: Called with each report, on the monitor's thread, which watches nothing
    ///     meanwhile.
    public init(
        _ configuration: Configuration = Configuration(),
        handler: @escaping @Sendable (RLStallReport) -> Void
    ) {
        if configuration.threshold < .milliseconds(1) {
            stopProcess("RLStallMonitor", "the threshold is shorter than a millisecond")
        }
        if configuration.count < 1 {
            stopProcess("RLStallMonitor", "the count is less than 1")
        }
        if configuration.modes.isEmpty {
            stopProcess("RLStallMonitor", "the list of modes is empty")
        }
        if configuration.longThreshold < configuration.threshold {
            stopProcess("RLStallMonitor", "the long threshold is shorter than the threshold")
        }
        self.configuration = configuration
        let metronome = Metronome(period: configuration.threshold.nanoseconds / 2)
        // A stretch that begins right after a look is seen before it is slow.
        patrol = Patrol(rest: configuration.threshold) {
            StallWatch($0, configuration, metronome, handler)
        }
        // The threads do not keep the monitor, whose end ends them.
        startBackgroundThread(name: "rl-metronome") { metronome.beat() }
        patrol.start(name: "rl-stalls") { metronome.stop() }
    }

    deinit {
        stop()
    }

    /// Begins to watch a loop, of any thread.
    ///
    /// Does nothing if it is watched already. A loop is watched until its thread ends.
    public func watch(_ loop: RLRunLoopRef) {
        patrol.add(loop)
    }

    /// Ends to watch a loop.
    ///
    /// A report that is being made may still come.
    public func unwatch(_ loop: RLRunLoopRef) {
        patrol.remove { $0.loop === loop }
    }

    /// Ends to watch all loops, for good, and gives the signal of backtraces back.
    ///
    /// Happens by itself when the last reference to the monitor goes.
    public func stop() {
        patrol.stop()
        hold.withLock { $0 = nil }
    }
}
