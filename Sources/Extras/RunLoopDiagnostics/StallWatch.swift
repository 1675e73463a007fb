import CRunLoopDiagnostics
import RunLoopKit
import Synchronization

final class StallWatch: LoopWatch, @unchecked Sendable {
    // Proof: only the monitor's thread uses the mutable fields; the heartbeat is thread-safe.
    let loop: RLRunLoopRef
    private let heartbeat: RLHeartbeatRef
    private let configuration: RLStallMonitor.Configuration

    private let meter: SuspensionMeter
    private let report: @Sendable (RLStallReport) -> Void
    /// The symbolizer; nil without `findsLines`.
    private let symbolizer: Symbolizer?

    private struct Seen {
        var number: UInt64 = .max
        var began: Int64 = 0
        var firstSeen: Int64 = 0
        /// The nanoseconds in which the process was stopped or a nested run was in progress.
        var excused: Int64 = 0
        var passes: UInt64 = 0
        var processorTime: UInt64 = 0
        var isCounted = false
        /// The kind of a pending report.
        var wish: RLStallReport.Kind?
        var isReportedAsLong = false
    }

    private var seen = Seen()
    private var ongoing: RLStallReport?
    private var followed: UInt64 = .max
    /// The number of slow stretches that were reported, or that do not count.
    private var settled = 0
    /// The meter's reading at the last examination.
    private var lost: Int64 = 0
    private var lastReport: Int64?
    private var suppressed = 0

    /// Whether the loop's current stretch has reached the threshold.
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

    /// Thread-safe.
    func stop() {
        RLHeartbeatStop(heartbeat)
    }

    func examine() -> Int64 {
        let (reading, statistics) = readState()
        let now = nanoseconds()
        let excess = suspensionSinceLastCall()
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

    // Reads the heartbeat and the statistics of one stretch, and retries if another stretch has
    // begun. A loop that begins further stretches is not stalled.
    private func readState() -> (RLHeartbeatReading, RLRunLoopStatistics) {
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

    /// Returns the nanoseconds of suspension since the last call.
    private func suspensionSinceLastCall() -> Int64 {
        let before = lost
        lost = meter.lost
        return lost - before
    }

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
        // A suspension of the process makes the previous stretch and the current stretch look slow.
        let threshold = configuration.threshold.nanoseconds
        if excess >= threshold {
            let isOngoing = reading.began_ns != 0 && now - seen.began >= threshold
            settled = Int(reading.slow) + (isOngoing ? 1 : 0)
        }
        // The loop makes passes or sleeps, so it is in a nested run in an unwatched mode.
        if statistics.passes != seen.passes || statistics.phase == kRLRunLoopPhaseWaiting {
            seen.passes = statistics.passes
            seen.excused = max(0, now - seen.began)
        }
    }

    /// Returns the kind if enough stretches in a row, including this stretch, were slow; else nil.
    private func repetition(_ reading: RLHeartbeatReading) -> RLStallReport.Kind? {
        let count = Int(reading.slow) - max(settled, Int(reading.slow_before)) + 1
        guard count >= configuration.count else { return nil }
        settled = Int(reading.slow) + 1
        return .repeated(count: count)
    }

    /// Returns the nanoseconds until the next report is permitted.
    private func timeToNextReport(_ now: Int64) -> Int64 {
        guard let lastReport else { return 0 }
        return max(0, lastReport + configuration.interval.nanoseconds - now)
    }

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
        // Checked before the names are looked up, which takes longer than many stalls.
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
            // A backtrace that was taken late shows other work.
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

    /// Returns the function that the loop called; for an adaptor of this package, its closure.
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
        // The time-out is long: the thread is stalled anyway, and a busy machine schedules it late.
        do {
            return .success(try RLBacktrace.addresses(ofThread: thread, .seconds(1)))
        } catch { return .failure(error) }
    }

    /// Whether the backtrace shows later work of the stretch, because the thread handled the signal
    /// late.
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

    private func finish(_ reading: RLHeartbeatReading, _ now: Int64, _ excess: Int64) {
        guard let stall = ongoing, reading.stretch != followed else { return }
        ongoing = nil
        // The heartbeat has no duration if the stretch ended before `RLHeartbeatFollow`.
        let isMeasured = reading.followed_ns > 0
        let measured = isMeasured ? Int64(reading.followed_ns) : now - seen.began
        let duration = max(stall.duration.nanoseconds, measured - seen.excused - excess)
        report(stall.ended(after: .nanoseconds(duration)))
    }
}

/// Numbers the stalls of all monitors.
private let reportCount = Atomic(0)

extension RLRunLoopRef {
    var statistics: RLRunLoopStatistics {
        var statistics = RLRunLoopStatistics()
        RLRunLoopGetStatistics(self, &statistics)
        return statistics
    }
}

extension RLStallReport {
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
