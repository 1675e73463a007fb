import CRunLoopDiagnostics
import RunLoopKit
import Synchronization

/// One loop that is watched for stalls.
final class StallWatch: @unchecked Sendable {
    // Proof: what changes is used by the monitor's thread alone; the heartbeat guards itself.
    let loop: RLRunLoopRef
    private let heartbeat: RLHeartbeatRef
    private let configuration: RLStallMonitor.Configuration

    /// What is known of the stretch that was seen last.
    private struct Seen {
        var number: UInt64 = .max
        /// From when on its duration counts; later than its beginning if a nested run was seen.
        var began: Int64 = 0
        var firstSeen: Int64 = 0
        /// For how long the process did not run meanwhile.
        var excused: Int64 = 0
        var passes: UInt64 = 0
        var processorTime: UInt64 = 0
        var isCounted = false
        var isReportedAsLong = false
    }

    private var seen = Seen()
    private var ongoing: RLStallReport?
    private var followed: UInt64 = .max
    /// Streaks up to here have been reported or excused.
    private var streakBase: UInt64 = 0
    private var lastReport: Int64?
    private var suppressed = 0

    /// Whether the loop has been in one stretch for longer than it should.
    private(set) var seemsStuck = false

    init(_ loop: RLRunLoopRef, _ configuration: RLStallMonitor.Configuration) {
        self.loop = loop
        self.configuration = configuration
        heartbeat = RLHeartbeatCreate(loop, UInt64(configuration.threshold.nanoseconds))
        for mode in configuration.modes { RLHeartbeatObserve(heartbeat, mode.rawValue) }
    }

    deinit {
        RLHeartbeatRelease(heartbeat)
    }

    /// Takes the observers out of the loop; from any thread.
    func stop() {
        RLHeartbeatStop(heartbeat)
    }

    /// Looks at the loop, and reports what is to be reported.
    ///
    /// - Parameters:
    ///   - excess: For how many nanoseconds since the last look the process did not run.
    ///   - report: Called with each report.
    /// - Returns: After how many nanoseconds to look again.
    func examine(excess: Int64, report: (RLStallReport) -> Void) -> Int64 {
        let now = nanoseconds()
        let reading = RLHeartbeatRead(heartbeat)
        finish(reading, now, report)
        let statistics = loop.statistics
        note(reading, statistics, now, excess)
        seemsStuck = false
        guard reading.began_ns != 0 else { return .max }

        let threshold = configuration.threshold.nanoseconds
        let longThreshold = configuration.longThreshold.nanoseconds
        let duration = now - seen.began - seen.excused
        if duration < threshold { return threshold - duration }
        seemsStuck = true
        if duration >= longThreshold, !seen.isReportedAsLong {
            seen.isReportedAsLong = true
            make(.long, reading, statistics, duration, report)
        } else if !seen.isCounted {
            countSlow(reading, statistics, duration, report)
        }
        return duration < longThreshold ? longThreshold - duration : .max
    }

    /// Brings what is known of the stretch up to date.
    private func note(
        _ reading: RLHeartbeatReading,
        _ statistics: RLRunLoopStatistics,
        _ now: Int64,
        _ excess: Int64
    ) {
        let began = Int64(reading.began_ns)
        if reading.stretch != seen.number {
            seen = Seen(number: reading.stretch, began: began, firstSeen: now)
            seen.passes = statistics.passes
            seen.processorTime = RLThreadGetProcessorTime(statistics.threadID)
            // What it did not run before it was seen first.
            seen.excused = min(excess, max(0, now - began))
        } else {
            seen.excused += excess
        }
        // So long a gap has made a stretch slow that was not.
        if excess > configuration.threshold.nanoseconds { streakBase = reading.streak }
        if reading.streak < streakBase { streakBase = 0 }
        // A nested run in a mode that is not watched: the loop makes passes, or sleeps there.
        if statistics.passes != seen.passes || statistics.phase == kRLRunLoopPhaseWaiting {
            seen.passes = statistics.passes
            seen.began = now
            seen.excused = 0
        }
    }

    private func countSlow(
        _ reading: RLHeartbeatReading,
        _ statistics: RLRunLoopStatistics,
        _ duration: Int64,
        _ report: (RLStallReport) -> Void
    ) {
        seen.isCounted = true
        let count = Int(reading.streak - streakBase) + 1
        guard count >= configuration.count else { return }
        streakBase = reading.streak + 1
        make(.repeated(count: count), reading, statistics, duration, report)
    }

    /// Takes the backtrace and reports, if it is not too early after the last report.
    private func make(
        _ kind: RLStallReport.Kind,
        _ reading: RLHeartbeatReading,
        _ statistics: RLRunLoopStatistics,
        _ duration: Int64,
        _ report: (RLStallReport) -> Void
    ) {
        let now = nanoseconds()
        if let lastReport, now - lastReport < configuration.interval.nanoseconds {
            suppressed += 1
            return
        }
        RLHeartbeatFollow(heartbeat, reading.stretch)
        let processorTime = RLThreadGetProcessorTime(statistics.threadID) - seen.processorTime
        let made = RLStallReport(
            id: reportCount.add(1, ordering: .relaxed).newValue,
            stage: .ongoing,
            kind: kind,
            loop: loop,
            thread: statistics.threadID,
            mode: RLRunLoopCopyCurrentMode(loop),
            stretch: RLStallReport.Stretch(reading.activity),
            duration: .nanoseconds(duration),
            processorShare: min(1, Double(processorTime) / Double(max(1, now - seen.firstSeen))),
            phase: statistics.phase,
            callout: statistics.callout.map { RLBacktrace.Frame(address: UInt(bitPattern: $0)) },
            backtrace: takeBacktrace(statistics.threadID),
            suppressed: suppressed
        )
        // Between the look and the backtrace the stall may have ended: then this one is of other work.
        guard RLHeartbeatRead(heartbeat).stretch == reading.stretch else { return }
        lastReport = now
        suppressed = 0
        ongoing = made
        followed = reading.stretch
        report(made)
    }

    private func takeBacktrace(_ thread: Int32) -> Result<RLBacktrace, RLBacktrace.Failure> {
        guard livingLoops().contains(where: { $0 === loop }) else { return .failure(.noSuchThread) }
        do { return .success(try RLBacktrace(ofThread: thread)) } catch { return .failure(error) }
    }

    /// Reports the end of the stall that was reported last.
    private func finish(
        _ reading: RLHeartbeatReading,
        _ now: Int64,
        _ report: (RLStallReport) -> Void
    ) {
        guard let stall = ongoing, reading.stretch != followed else { return }
        ongoing = nil
        // The end itself may have been before the monitor asked for the stretch to be followed.
        let measured = reading.followed_ns > 0 ? Int64(reading.followed_ns) : now - seen.began
        let duration = max(stall.duration.nanoseconds, measured - seen.excused)
        report(stall.ended(after: .nanoseconds(duration)))
    }
}

/// Numbers stalls, over all monitors.
private let reportCount = Atomic(0)

extension RLRunLoopRef {
    /// The counters of the loop.
    var statistics: RLRunLoopStatistics {
        var statistics = RLRunLoopStatistics()
        RLRunLoopGetStatistics(self, &statistics)
        return statistics
    }
}

extension RLStallReport {
    /// The report of the end of this stall.
    fileprivate func ended(after duration: Duration) -> RLStallReport {
        RLStallReport(
            id: id,
            stage: .over,
            kind: kind,
            loop: loop,
            thread: thread,
            mode: mode,
            stretch: stretch,
            duration: duration,
            processorShare: processorShare,
            phase: phase,
            callout: callout,
            backtrace: backtrace,
            suppressed: suppressed
        )
    }
}
