import Glibc
public import RunLoopKit

/// Watches run loops and reports stalls: loops that do not serve events in time.
///
/// ```swift
/// let monitor = RLStallMonitor { report in print(report) }
/// monitor.watch(RLRunLoopGetMain())
/// ```
///
/// Observers record the position of each loop. The monitor's thread reads the records, takes the
/// backtrace of a stalled loop and calls the handler. A sleeping loop is not stalled. The time for
/// which the process is stopped, for example by a debugger, does not count. A second thread
/// measures this time as the lateness of its sleeps.
///
/// The backtrace is taken with a signal, which the monitor reserves until the monitor is stopped.
/// The signal may interrupt a `sleep` of the stalled thread. ``RLBacktrace/use(_:)`` documents the
/// signal and the calls that it interrupts, and selects another signal, or none. Without a signal,
/// reports have no backtrace.
///
/// Foundation has no counterpart.
public final class RLStallMonitor: Sendable {
    /// The definition of a stall.
    public struct Configuration: Sendable {
        /// The duration from which a stretch of work counts as slow.
        public var threshold: Duration

        /// The number of slow stretches in a row that are a stall.
        public var count: Int

        /// The duration from which a single stretch is a stall.
        public var longThreshold: Duration

        /// The shortest time between two reported stalls of a loop.
        public var interval: Duration

        /// The modes in which the loop is watched.
        public var modes: [RLRunLoopMode]

        /// Whether a report has the files and lines of its functions.
        ///
        /// If true, the monitor's thread runs a symbolizer, `llvm-symbolizer` or `addr2line`, for
        /// at most two seconds before it calls the handler.
        public var findsLines: Bool

        /// Creates a configuration; by default, five stretches of 50 ms in a row, or one stretch of
        /// 250 ms, are a stall.
        public init(
            threshold: Duration = .milliseconds(50),
            count: Int = 5,
            longThreshold: Duration = .milliseconds(250),
            interval: Duration = .seconds(1),
            modes: [RLRunLoopMode] = [.commonModes],
            findsLines: Bool = false
        ) {
            self.threshold = threshold
            self.count = count
            self.longThreshold = longThreshold
            self.interval = interval
            self.modes = modes
            self.findsLines = findsLines
        }
    }

    /// The monitor's configuration.
    public let configuration: Configuration

    private let monitor: LoopMonitor<StallWatch>
    private let hold = Locked<BacktraceSignalHold?>(BacktraceSignalHold())

    /// Creates a monitor that does not watch any loop yet.
    ///
    /// - Parameters:
    ///   - configuration: The definition of a stall. Its threshold must be at least a millisecond,
    ///     its count at least 1, its long threshold no shorter than the threshold, and its list of
    ///     modes not empty.
    ///   - handler: Called with each report, on the monitor's thread. The monitor does not watch
    ///     the loops until the handler returns.
    public init(
        _ configuration: Configuration = Configuration(),
        handler: @escaping @Sendable (RLStallReport) -> Void
    ) {
        if configuration.threshold < .milliseconds(1) {
            stopProcess(
                "RLStallMonitor.init",
                "configuration.threshold (\(configuration.threshold)) must be at least 1 ms"
            )
        }
        if configuration.count < 1 {
            stopProcess(
                "RLStallMonitor.init",
                "configuration.count (\(configuration.count)) must be at least 1"
            )
        }
        if configuration.modes.isEmpty {
            stopProcess(
                "RLStallMonitor.init",
                "configuration.modes is empty: pass at least one mode"
            )
        }
        if configuration.longThreshold < configuration.threshold {
            stopProcess(
                "RLStallMonitor.init",
                "configuration.longThreshold (\(configuration.longThreshold)) must not be "
                    + "less than configuration.threshold (\(configuration.threshold))"
            )
        }
        self.configuration = configuration
        let symbolizer =
            configuration.findsLines
            ? Symbolizer(ofProcess: getpid(), patience: .seconds(2)) : nil
        if let problem = symbolizer?.problem { warn("RLStallMonitor.init", problem) }
        let meter = SuspensionMeter(period: configuration.threshold.nanoseconds / 2)
        // With this pause, every stretch is examined at least once before it becomes slow.
        monitor = LoopMonitor(longestPause: configuration.threshold) {
            StallWatch($0, configuration, meter, symbolizer, handler)
        }
        // The threads do not retain the monitor, whose `deinit` ends the threads.
        startBackgroundThread(name: "rl-metronome") { meter.beat() }
        monitor.start(name: "rl-stalls") { meter.stop() }
    }

    deinit {
        stop()
    }

    /// Begins to watch a loop of any thread, until the thread ends.
    ///
    /// Idempotent.
    public func watch(_ loop: RLRunLoopRef) {
        monitor.add(loop)
    }

    /// Stops watching a loop.
    ///
    /// A report that is in progress may still be delivered.
    public func unwatch(_ loop: RLRunLoopRef) {
        monitor.remove { $0.loop === loop }
    }

    /// Stops the monitor forever, and releases the signal of backtraces.
    ///
    /// Releasing the last reference to the monitor does the same.
    public func stop() {
        monitor.stop()
        hold.withLock { $0 = nil }
    }
}

extension RLStallMonitor: CustomStringConvertible {
    /// The address, and the definition of a stall.
    public var description: String {
        describe(
            self,
            "\(configuration.count) stretches over \(configuration.threshold), or one over "
                + "\(configuration.longThreshold)"
        )
    }
}
