public import RunLoopKit

/// Names what keeps run loops busy for nothing, and timers that only become more.
///
/// ```swift
/// let detector = RLSpinDetector { report in print(report) }
/// detector.watch(RLRunLoopGetMain())
/// ```
///
/// A loop spins if it makes many passes and does not sleep: a descriptor is ready and nobody reads
/// it, a source signals itself, a timer fires without an interval. Once in a while a thread of the
/// detector compares the loop's counters; it looks at the items only if the loop seems to spin.
/// Three kinds of loops are busy but not reported:
///
/// - Their descriptors are read from in between.
/// - Their `RLIdleQueue` has less and less to do.
/// - Their callbacks take long: the loop is in them at half of the looks or more, and for
///   ``Configuration/workDuration`` in each pass, on average. A spin without progress is made of
///   short callbacks. A callback that leaves a descriptor ready is reported however long it takes.
///
/// Whether long work is useful the detector cannot know.
///
/// It adds no observer to the loops and costs them nothing until they spin.
public final class RLSpinDetector: Sendable {
    /// What counts as spinning, and as growing.
    public struct Configuration: Sendable {
        /// How often to look.
        public var interval: Duration

        /// A loop with this many passes a second spins, if it sleeps for less than half of the
        /// time.
        public var passesPerSecond: Int

        /// A loop whose callbacks take this long in each pass, on average, works and does not spin.
        ///
        /// Callbacks that wait count too. At more than 500 passes a second there are less than two
        /// milliseconds for each.
        public var workDuration: Duration

        /// This many timers more, without one less in between, are reported.
        public var timerGrowth: Int

        /// In this many looks there must have been more timers than in the look before.
        public var growingLooks: Int

        /// Makes a configuration.
        ///
        /// Without arguments, a look a second, 500 passes a second, 200 microseconds of work, and
        /// 100 timers more in five looks.
        public init(
            interval: Duration = .seconds(1),
            passesPerSecond: Int = 500,
            workDuration: Duration = .microseconds(200),
            timerGrowth: Int = 100,
            growingLooks: Int = 5
        ) {
            self.interval = interval
            self.passesPerSecond = passesPerSecond
            self.workDuration = workDuration
            self.timerGrowth = timerGrowth
            self.growingLooks = growingLooks
        }
    }

    /// The configuration that the detector uses.
    public let configuration: Configuration

    private let monitor: LoopMonitor<SpinWatch>

    /// Makes a detector, which watches no loop yet.
    ///
    /// - Parameters:
    ///   - configuration: What counts. Its interval must be at least ten milliseconds, its numbers
    ///     at least 1, its duration of work positive.
    ///   - handler: Called with each report, on the detector's thread, which watches nothing until
    ///     it returns. The same cause is reported again only after it has stopped.
    public convenience init(
        _ configuration: Configuration = Configuration(),
        handler: @escaping @Sendable (RLSpinReport) -> Void
    ) {
        self.init(configuration, findsPlaces: true, handler)
    }

    /// Makes a detector whose reports have places in the source, or not.
    init(
        _ configuration: Configuration,
        findsPlaces: Bool,
        _ handler: @escaping @Sendable (RLSpinReport) -> Void
    ) {
        if configuration.interval < .milliseconds(10) {
            stopProcess("RLSpinDetector", "the interval is shorter than ten milliseconds")
        }
        if configuration.workDuration <= .zero {
            stopProcess("RLSpinDetector", "the duration of work is not positive")
        }
        if min(
            configuration.passesPerSecond,
            configuration.timerGrowth,
            configuration.growingLooks
        ) < 1 {
            stopProcess("RLSpinDetector", "a number of the configuration is less than 1")
        }
        self.configuration = configuration
        monitor = LoopMonitor(longestPause: configuration.interval) {
            SpinWatch($0, configuration, findsPlaces: findsPlaces, handler)
        }
        // The thread does not keep the detector, whose end ends it.
        monitor.start(name: "rl-spins", findsPlaces: findsPlaces)
    }

    deinit {
        monitor.stop()
    }

    /// Begins to watch a loop, of any thread.
    ///
    /// Does nothing if it is watched already. A loop is watched until its thread ends.
    public func watch(_ loop: RLRunLoopRef) {
        monitor.add(loop)
    }

    /// Stops watching a loop.
    ///
    /// A report that is being made may still come.
    public func unwatch(_ loop: RLRunLoopRef) {
        monitor.remove { $0.loop === loop }
    }

    /// Stops watching all loops for good.
    ///
    /// Happens by itself when the last reference to the detector goes.
    public func stop() {
        monitor.stop()
    }
}

extension RLSpinDetector: CustomStringConvertible {
    /// The address, and how many passes count as spinning.
    public var description: String {
        describe(
            self,
            "over \(configuration.passesPerSecond) passes a second of less than "
                + "\(configuration.workDuration)"
        )
    }
}
