public import RunLoopKit

/// A stall: a loop that does not serve events in time.
///
/// Foundation has no counterpart.
public struct RLStallReport: Sendable, CustomStringConvertible {
    /// The two kinds of stalls.
    public enum Kind: Sendable, Equatable {
        /// One stretch of work reached the long threshold.
        case long
        /// The given number of stretches in a row reached the threshold.
        case repeated(count: Int)
    }

    /// The stretches of a pass, by the activity with which they begin.
    public enum Stretch: Sendable {
        /// From Entry to BeforeSources.
        case entry
        /// From BeforeSources to BeforeWaiting: blocks, version-0 sources and observers.
        ///
        /// If the pass has served a source and therefore does not sleep, the stretch ends with the
        /// pass.
        case beforeSources
        /// From AfterWaiting to BeforeSources: timers, ports, descriptors and the main queue.
        case afterWaiting
        /// The rest of a callback after a nested run.
        case afterNestedRun
    }

    /// The stage of the stall in which the report is made.
    public enum Stage: Sendable {
        /// The loop is stalled now; the backtrace is of the stall.
        case ongoing
        /// The stall of an earlier report with the same ``id`` has ended.
        ///
        /// The duration is the duration of the whole stall.
        case over
    }

    /// The number of the stall, unique in the process; both reports of a stall have the same
    /// number.
    public let id: Int

    /// Whether the stall is ongoing or over.
    public let stage: Stage

    /// The reason why the loop counts as stalled.
    public let kind: Kind

    /// The stalled loop.
    public let loop: RLRunLoopRef

    /// The kernel's ID of the loop's thread.
    public let thread: Int32

    /// The mode in which the loop runs; nil if it no longer runs.
    public let mode: RLRunLoopMode?

    /// The stretch of the pass.
    public let stretch: Stretch

    /// The duration of the stretch, without the time for which the process was stopped.
    public let duration: Duration

    /// The share of the duration, from 0 to 1, for which the thread ran on a processor.
    ///
    /// The measurement begins when the monitor first examines the stretch.
    public let processorShare: Double

    /// The kind of the called item, such as a timer.
    public let phase: RLRunLoopPhase

    /// The called function.
    ///
    /// Without a backtrace, the function of a Swift closure is unknown, and this is the function
    /// that calls the closure.
    public let callout: RLBacktrace.Frame?

    /// The thread's backtrace, or the reason why there is none.
    public let backtrace: Result<RLBacktrace, RLBacktrace.Failure>

    /// The number of stalls of this loop that were not reported since the last report, because of
    /// the minimum interval.
    public let suppressed: Int

    /// The name of the client's innermost function in the backtrace; nil if it is unknown.
    public var guiltyFunction: String? {
        guiltyFrame?.symbol
    }

    /// The client's innermost frame in the backtrace; nil without a backtrace or outside of
    /// callbacks.
    public var guiltyFrame: RLBacktrace.Frame? {
        (try? backtrace.get())?.guilty
    }

    /// A headline and the backtrace.
    public var description: String {
        lines.map(\.description).joined(separator: "\n")
    }

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
    var isCallback: Bool { rawValue >= kRLRunLoopPhaseObserver.rawValue }

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
