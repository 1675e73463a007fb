import RunLoopKit

/// A callback that was already running when a viewer first requested stalls.
struct RunningStall {
    private let statistics: RLRunLoopStatistics
    private let backtrace: Result<RLBacktrace, RLBacktrace.Failure>

    init(_ statistics: RLRunLoopStatistics) {
        self.statistics = statistics
        do throws(RLBacktrace.Failure) {
            backtrace = .success(try RLBacktrace(ofThread: statistics.threadID))
        } catch {
            backtrace = .failure(error)
        }
    }

    var json: JSONValue {
        .object([
            ("id", .null),
            ("isOver", .flag(false)),
            ("thread", .number(Int(statistics.threadID))),
            ("nanoseconds", .count(statistics.nanosecondsInPhase)),
            ("function", .clipped((try? backtrace.get())?.guilty?.symbol)),
            ("lines", .list(lines.map(\.json))),
        ])
    }

    private var lines: [ReportLine] {
        let time = Duration.nanoseconds(statistics.nanosecondsInPhase).shortText
        let place = printable("thread \(describeThread(statistics.threadID))")
        let head = "stall: \(place): has been in \(statistics.phase.name) for \(time)"
        switch backtrace {
        case .success(let backtrace): return [ReportLine(head)] + backtrace.lines.map(\.indented)
        case .failure(let failure):
            return [ReportLine(head), ReportLine("  no backtrace: \(failure)")]
        }
    }
}
