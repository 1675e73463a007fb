import CRunLoopDiagnostics
import RunLoopKit
import Synchronization

/// One loop that is watched for stalls.
final class StallWatch: LoopWatch, @unchecked Sendable {
    // Proof: what changes is used by the monitor's thread alone; the heartbeat guards itself.
    let loop: RLRunLoopRef
    private let heartbeat: RLHeartbeatRef
    private let configuration: RLStallMonitor.Configuration

    private let meter: SuspensionMeter
    private let report: @Sendable (RLStallReport) -> Void
    /// Finds files and lines, if they are wanted.
    private let symbolizer: Symbolizer?

    /// The stretch that was seen last.
    private struct Seen {
        var number: UInt64 = .max
        var began: Int64 = 0
        var firstSeen: Int64 = 0
        /// The time that does not count: the process was stopped, or a nested run was under way.
        var excused: Int64 = 0
        var passes: UInt64 = 0
        var processorTime: UInt64 = 0
        var isCounted = false
        /// Why it should be reported, until it has been.
        var wish: RLStallReport.Kind?
        var isReportedAsLong = false
    }

    private var seen = Seen()
    private var ongoing: RLStallReport?
    private var followed: UInt64 = .max
    /// So many slow stretches have been reported or excused.
    private var settled = 0
    /// The meter's reading at the last look.
    private var lost: Int64 = 0
    private var lastReport: Int64?
    private var suppressed = 0

    /// Whether the loop has been in one stretch for longer than it should.
    private(set) var seemsStuck = false

    init(
        _ loop: RLRunLoopRef,
        _ configuration: RLStallMonitor.Configuration,
        _ meter: SuspensionMeter,
        _ symbolizer: Symbolizer?,
        _ report: @escaping @Sendable (RLStallReport) -> Void
    ) {
        self.loop = loop
        self.meter = meter
        self.report = report
        self.symbolizer = symbolizer
        lost = meter.lost
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
    func examine() -> Int64 {
        let (reading, statistics) = look()
        let now = nanoseconds()
        let excess = excessSinceLastLook()
        finish(reading, now, excess)
        note(reading, statistics, now, excess)
        seemsStuck = false
        guard reading.began_ns != 0 else { return .max }

        let threshold = configuration.threshold.nanoseconds
        let longThreshold = configuration.longThreshold.nanoseconds
        let duration = now - seen.began - seen.excused
        if duration < threshold { return threshold - duration }
        seemsStuck = true
        if duration >= longThreshold {
            if !seen.isReportedAsLong { seen.wish = .long }
        } else if !seen.isCounted {
            seen.isCounted = true
            seen.wish = repetition(reading)
        }
        if let wish = seen.wish {
            let left = timeToNextReport(now)
            if left > 0 { return left }
            make(wish, reading, statistics, duration)
        }
        return duration < longThreshold ? longThreshold - duration : .max
    }

    /// The loop's current state, and its call: of the same stretch, unless it is too fast to be
    /// stalled.
    private func look() -> (RLHeartbeatReading, RLRunLoopStatistics) {
        var reading = RLHeartbeatRead(heartbeat)
        var statistics = loop.statistics
        for _ in 0..<3 {
            let again = RLHeartbeatRead(heartbeat)
            if again.stretch == reading.stretch { break }
            reading = again
            statistics = loop.statistics
        }
        return (reading, statistics)
    }

    /// Returns for how long the process was stopped since the last call.
    private func excessSinceLastLook() -> Int64 {
        let before = lost
        lost = meter.lost
        return lost - before
    }

    /// Updates what is known of the stretch.
    private func note(
        _ reading: RLHeartbeatReading,
        _ statistics: RLRunLoopStatistics,
        _ now: Int64,
        _ excess: Int64
    ) {
        if reading.stretch != seen.number {
            if seen.wish != nil { suppressed += 1 }
            seen = Seen(
                number: reading.stretch,
                began: Int64(reading.began_ns),
                firstSeen: now,
                passes: statistics.passes,
                processorTime: RLThreadGetProcessorTime(statistics.threadID)
            )
        }
        seen.excused = min(seen.excused + excess, max(0, now - seen.began))
        // Such a gap makes stretches look slow that were not: the last one, and this one.
        let threshold = configuration.threshold.nanoseconds
        if excess >= threshold {
            let isOngoing = reading.began_ns != 0 && now - seen.began >= threshold
            settled = Int(reading.slow) + (isOngoing ? 1 : 0)
        }
        // A nested run in a mode that is not watched: the loop makes passes, or sleeps there.
        if statistics.passes != seen.passes || statistics.phase == kRLRunLoopPhaseWaiting {
            seen.passes = statistics.passes
            seen.excused = max(0, now - seen.began)
        }
    }

    /// Whether this slow stretch is one too many in a row.
    private func repetition(_ reading: RLHeartbeatReading) -> RLStallReport.Kind? {
        let count = Int(reading.slow) - max(settled, Int(reading.slow_before)) + 1
        guard count >= configuration.count else { return nil }
        settled = Int(reading.slow) + 1
        return .repeated(count: count)
    }

    /// For how long no report may come.
    private func timeToNextReport(_ now: Int64) -> Int64 {
        guard let lastReport else { return 0 }
        return max(0, lastReport + configuration.interval.nanoseconds - now)
    }

    /// Takes the backtrace and reports.
    private func make(
        _ kind: RLStallReport.Kind,
        _ reading: RLHeartbeatReading,
        _ statistics: RLRunLoopStatistics,
        _ duration: Int64
    ) {
        RLHeartbeatFollow(heartbeat, reading.stretch)
        let now = nanoseconds()
        let processorTime = Int64(RLThreadGetProcessorTime(statistics.threadID))
        let used = max(0, processorTime - Int64(seen.processorTime))
        let mode = RLRunLoopCopyCurrentMode(loop)
        let addresses = takeAddresses(statistics.threadID)
        // Before the functions are named, which takes longer than many a stall.
        let hasEnded = RLHeartbeatRead(heartbeat).stretch != reading.stretch
        let phase = loop.statistics.phase
        let backtrace = addresses.map {
            RLBacktrace(frames: $0.map(RLBacktrace.Frame.init(address:)))
        }
        let isOver = hasEnded || isBehind(backtrace, statistics, phase)
        let placed =
            isOver
            ? backtrace : backtrace.map { taken in symbolizer.map(taken.located) ?? taken }
        let made = RLStallReport(
            id: reportCount.add(1, ordering: .relaxed).newValue,
            stage: .ongoing,
            kind: kind,
            loop: loop,
            thread: statistics.threadID,
            mode: mode,
            stretch: RLStallReport.Stretch(reading.activity),
            duration: .nanoseconds(duration),
            processorShare: min(1, Double(used) / Double(max(1, now - seen.firstSeen))),
            phase: statistics.phase,
            callout: calledFunction(statistics, placed),
            // Taken too late, it would be of other work.
            backtrace: isOver ? .failure(.wentOn) : placed,
            suppressed: suppressed
        )
        seen.wish = nil
        if kind == .long { seen.isReportedAsLong = true }
        lastReport = now
        suppressed = 0
        ongoing = made
        followed = reading.stretch
        report(made)
    }

    /// The function that the loop calls: of a closure that this package calls, the closure.
    private func calledFunction(
        _ statistics: RLRunLoopStatistics,
        _ backtrace: Result<RLBacktrace, RLBacktrace.Failure>
    ) -> RLBacktrace.Frame? {
        guard let function = statistics.callout else { return nil }
        let frame = RLBacktrace.Frame(address: UInt(bitPattern: function))
        if frame.onlyPassesOn, case .success(let backtrace) = backtrace,
            let callback = backtrace.callback
        {
            return callback
        }
        let source = TraceNames.shared.source(of: frame.address)
        return frame.located(symbolizer?.places(at: [source])[source] ?? []).last
    }

    private func takeAddresses(_ thread: Int32) -> Result<[UInt], RLBacktrace.Failure> {
        guard livingLoops().contains(where: { $0 === loop }) else { return .failure(.noSuchThread) }
        // It stalls as it is, and on a busy machine it is not soon its turn.
        do {
            return .success(try RLBacktrace.addresses(ofThread: thread, .seconds(1)))
        } catch { return .failure(error) }
    }

    /// Returns whether the backtrace shows later work than the callback that was running, in the
    /// same stretch.
    ///
    /// A busy thread takes the signal late, and a sanitizer defers it.
    private func isBehind(
        _ backtrace: Result<RLBacktrace, RLBacktrace.Failure>,
        _ statistics: RLRunLoopStatistics,
        _ phase: RLRunLoopPhase
    ) -> Bool {
        guard case .success(let backtrace) = backtrace, backtrace.callback == nil else {
            return false
        }
        return statistics.phase.isCallback && phase != statistics.phase
    }

    /// Reports the end of the stall that was reported last.
    private func finish(_ reading: RLHeartbeatReading, _ now: Int64, _ excess: Int64) {
        guard let stall = ongoing, reading.stretch != followed else { return }
        ongoing = nil
        // It may have ended before the monitor asked for it to be followed.
        let isMeasured = reading.followed_ns > 0
        let measured = isMeasured ? Int64(reading.followed_ns) : now - seen.began
        let duration = max(stall.duration.nanoseconds, measured - seen.excused - excess)
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
