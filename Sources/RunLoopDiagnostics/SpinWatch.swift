import CRunLoopDiagnostics
import RunLoopKit

/// One loop that is watched for spinning.
final class SpinWatch: LoopWatch, @unchecked Sendable {
    // Proof: what changes is used by the monitor's thread alone.
    let loop: RLRunLoopRef
    let seemsStuck = false
    private let configuration: RLSpinDetector.Configuration
    private let findsPlaces: Bool
    private let report: @Sendable (RLSpinReport) -> Void

    private var last: RLRunLoopStatistics
    private var lastLook = nanoseconds()
    /// What was reported of the spin that goes on.
    private var reported: SpinDiagnosis.Culprit?
    private var growth: [RLRunLoopMode: TimerGrowth] = [:]

    init(
        _ loop: RLRunLoopRef,
        _ configuration: RLSpinDetector.Configuration,
        findsPlaces: Bool,
        _ report: @escaping @Sendable (RLSpinReport) -> Void
    ) {
        self.loop = loop
        self.configuration = configuration
        self.findsPlaces = findsPlaces
        self.report = report
        last = loop.statistics
    }

    func stop() {}

    func examine() -> Int64 {
        let left = lastLook + configuration.interval.nanoseconds - nanoseconds()
        // Another loop was added.
        if left > 0 { return left }
        lookForSpin()
        lookForGrowth()
        return .max
    }

    private func lookForSpin() {
        let now = nanoseconds()
        let statistics = loop.statistics
        let passes = Double(statistics.passes - last.passes) / (Double(now - lastLook) / 1e9)
        let isSpinning =
            passes >= Double(configuration.passesPerSecond)
            && statistics.hasHardlySlept(since: last, for: now - lastLook)
        last = statistics
        lastLook = now
        if !isSpinning {
            reported = nil
        } else if let diagnosis = SpinDiagnosis(loop, configuration),
            diagnosis.culprit != reported
        {
            reported = diagnosis.culprit
            report(diagnosis.report(findsPlaces: findsPlaces))
        }
    }

    private func lookForGrowth() {
        for mode in [RLRunLoopMode](RLRunLoopCopyAllModes(loop)) {
            let count = RLRunLoopCountItems(loop, mode.rawValue, kRLRunLoopItemTimer)
            let grown = growth[mode, default: TimerGrowth(count)].note(count, configuration)
            guard let grown else { continue }
            // Timers of common modes grow in all of them.
            for other in growth.keys where other != mode { growth[other]?.settle() }
            report(describe(grown, count, mode))
            return
        }
    }

    private func describe(_ first: Int, _ last: Int, _ mode: RLRunLoopMode) -> RLSpinReport {
        let timers = loop.items(of: mode).filter { $0.kind == kRLRunLoopItemTimer }
        var counts: [UInt: Int] = [:]
        for timer in timers { counts[timer.callout, default: 0] += 1 }
        let most = counts.max { $0.value < $1.value }?.key
        return RLSpinReport(
            cause: .growingTimers(from: first, to: last),
            loop: loop,
            thread: loop.statistics.threadID,
            mode: mode,
            passesPerSecond: 0,
            callsPerSecond: 0,
            item: timers.last.flatMap { loop.describeItem($0.address, of: mode) },
            busyItem: timers.last,
            descriptor: nil,
            callback: most.map {
                findsPlaces ? RLBacktrace.Frame(address: $0) : RLBacktrace.Frame(naming: $0)
            }
        )
    }
}

extension RLRunLoopStatistics {
    /// Whether the loop has slept for less than half of the time.
    ///
    /// How often does not count: a server whose requests come in bursts sleeps once for many
    /// passes.
    func hasHardlySlept(since before: RLRunLoopStatistics, for nanoseconds: Int64) -> Bool {
        // A sleep that ends just then is missing for a moment.
        let asleep = max(nanosecondsAsleep, before.nanosecondsAsleep) - before.nanosecondsAsleep
        return Int64(asleep) * 2 < nanoseconds
    }
}

/// The number of timers in a mode, look by look.
private struct TimerGrowth {
    private var first: Int
    private var last: Int
    private var looks = 0

    init(_ count: Int) {
        first = count
        last = count
    }

    /// Adds a count.
    ///
    /// - Returns: With how many the growth began, if it is now to be reported.
    mutating func note(_ count: Int, _ configuration: RLSpinDetector.Configuration) -> Int? {
        if count < last {
            self = TimerGrowth(count)
            return nil
        }
        if count > last { looks += 1 }
        last = count
        guard looks >= configuration.growingLooks, count - first >= configuration.timerGrowth else {
            return nil
        }
        defer { settle() }
        return first
    }

    /// What has been reported is the new beginning.
    mutating func settle() {
        first = last
        looks = 0
    }
}
