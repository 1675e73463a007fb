public import RunLoopKit

/// A loop that does not come back to its events.
public struct RLStallReport: Sendable, CustomStringConvertible {
    /// The two kinds of stalls.
    public enum Kind: Sendable, Equatable {
        /// One stretch of work reached the limit for a long one.
        case long
        /// This many stretches in a row, without an unhurried rest between them, reached the
        /// threshold.
        case repeated(count: Int)
    }

    /// The stretches of a pass, by the activity with which they begin.
    public enum Stretch: Sendable {
        /// From Entry to BeforeSources.
        case entry
        /// From BeforeSources to BeforeWaiting: blocks, version-0 sources and observers.
        ///
        /// In a pass that does not sleep, as it has served a source, to the end of the pass.
        case beforeSources
        /// From AfterWaiting to BeforeSources: timers, ports, descriptors and the main queue.
        case afterWaiting
        /// The rest of a callback after a run that it has made.
        case afterNestedRun
    }

    /// When a report is made.
    public enum Stage: Sendable {
        /// The loop is stalled at this moment; the backtrace was taken now.
        case ongoing
        /// The stall of an earlier report with the same number has ended; the duration is all of
        /// it.
        case over
    }

    /// The number of the stall: that of its first report.
    public let id: Int

    /// Whether it is still going on.
    public let stage: Stage

    /// Why it counts as one.
    public let kind: Kind

    /// The loop.
    public let loop: RLRunLoopRef

    /// The kernel's number of its thread.
    public let thread: Int32

    /// The mode in which it runs, or nil if it does not run any more.
    public let mode: RLRunLoopMode?

    /// In which stretch of the pass it is.
    public let stretch: Stretch

    /// The time that it has been there, without that for which the process was stopped.
    public let duration: Duration

    /// The part of that time, from 0 to 1, in which the thread had a processor: a thread that waits
    /// has none.
    ///
    /// Measured since the monitor first saw the stretch.
    public let processorShare: Double

    /// The kind of item that the loop was calling, such as a timer.
    public let phase: RLRunLoopPhase

    /// The function that the loop was calling.
    ///
    /// Of a Swift closure that reports no backtrace, it is the one that calls the closure.
    public let callout: RLBacktrace.Frame?

    /// The thread's backtrace, or why there is none.
    public let backtrace: Result<RLBacktrace, RLBacktrace.Failure>

    /// The number of stalls of this loop since the last report that were not reported, so as not to
    /// report too often.
    public let suppressed: Int

    /// The function that is to blame, according to the backtrace.
    public var guiltyFunction: String? {
        guiltyFrame?.symbol
    }

    /// The function that is to blame.
    public var guiltyFrame: RLBacktrace.Frame? {
        (try? backtrace.get())?.guilty
    }

    /// A headline and the backtrace.
    public var description: String {
        lines.map(\.description).joined(separator: "\n")
    }

    /// The lines of the description.
    var lines: [ReportLine] {
        if case .over = stage { return [ReportLine(headline)] }
        var lines = [ReportLine(headline)]
        if let callout { lines.append(callout.line(after: "  called ")) }
        if let guilty = guiltyFrame, let name = guilty.symbol {
            let place = guilty.place.map { " at \($0)" } ?? ""
            lines.append(
                ReportLine(
                    text: "  in ",
                    function: printable(name + place),
                    address: guilty.address,
                    isOnStack: false
                )
            )
        }
        switch backtrace {
        case .success(let backtrace): lines += backtrace.lines.map { $0.indented }
        case .failure(let failure): lines.append(ReportLine("  no backtrace: \(failure)"))
        }
        return lines
    }

    private var headline: String {
        let what =
            switch kind {
            case .long: "stalled"
            case .repeated(let count): "stalled \(count) times in a row, now"
            }
        let place = describePlace(thread, mode)
        let share = "\(Int((processorShare * 100).rounded())) % of a processor"
        let more = suppressed > 0 ? ", \(suppressed) not reported before" : ""
        switch stage {
        case .over: return "stall \(id) is over after \(duration.shortText): \(place)"
        case .ongoing:
            return "stall \(id): \(place): \(what) for \(duration.shortText) in \(phase.name), "
                + "\(stretch.name), with \(share)\(more)"
        }
    }
}

/// A thread and a mode, in a line.
func describePlace(_ thread: Int32, _ mode: RLRunLoopMode?) -> String {
    printable("thread \(describeThread(thread)), mode \(mode?.description ?? "none")")
}

extension RLStallReport.Stretch {
    init(_ activity: RLRunLoopActivity) {
        switch activity {
        case .beforeSources: self = .beforeSources
        case .afterWaiting: self = .afterWaiting
        case .exit: self = .afterNestedRun
        default: self = .entry
        }
    }

    var name: String {
        switch self {
        case .entry: "after Entry"
        case .beforeSources: "after BeforeSources"
        case .afterWaiting: "after AfterWaiting"
        case .afterNestedRun: "after a nested run"
        }
    }
}

extension RLRunLoopPhase {
    /// Whether the loop is in a function of the client's.
    var isCallback: Bool { rawValue >= kRLRunLoopPhaseObserver.rawValue }

    /// For people.
    var name: String {
        switch self {
        case kRLRunLoopPhaseIdle: "nothing"
        case kRLRunLoopPhaseRunning: "the loop itself"
        case kRLRunLoopPhaseWaiting: "sleep"
        case kRLRunLoopPhaseObserver: "an observer"
        case kRLRunLoopPhaseBlock: "a block"
        case kRLRunLoopPhaseSource0: "a version-0 source"
        case kRLRunLoopPhaseSource1: "a port or descriptor"
        case kRLRunLoopPhaseTimer: "a timer"
        case kRLRunLoopPhaseMainQueue: "the main queue"
        default: "phase \(rawValue)"
        }
    }
}
