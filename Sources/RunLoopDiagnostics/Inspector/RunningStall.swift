import RunLoopKit

/// A callback that has been running for long when somebody begins to look for stalls.
struct RunningStall {
    private let statistics: RLRunLoopStatistics
    private let backtrace: Result<RLBacktrace, RLBacktrace.Failure>

    /// Takes the backtrace of the loop's thread.
    init(_ statistics: RLRunLoopStatistics) {
        self.statistics = statistics
        do throws(RLBacktrace.Failure) {
            backtrace = .success(try RLBacktrace(namesOfThread: statistics.threadID))
        } catch {
            backtrace = .failure(error)
        }
    }

    /// As that of a report, without a number.
    func json(isMarked: Bool) -> JSONValue {
        .object([
            ("id", .null),
            ("isOver", .flag(false)),
            ("thread", .number(Int(statistics.threadID))),
            ("nanoseconds", .count(statistics.nanosecondsInPhase)),
            ("function", .clipped((try? backtrace.get())?.guilty?.symbol)),
            ("text", .clipped(text(isMarked: isMarked), to: 20_000)),
        ])
    }

    private func text(isMarked: Bool) -> String {
        let time = Duration.nanoseconds(statistics.nanosecondsInPhase).shortText
        let place = printable("thread \(describeThread(statistics.threadID))")
        let head = "stall: \(place): has been in \(statistics.phase.name) for \(time)"
        switch backtrace {
        case .success(let backtrace):
            let frames = backtrace.lines(areMarked: isMarked).map { "  " + $0 }
            return ([head] + frames).joined(separator: "\n")
        case .failure(let failure): return "\(head)\n  no backtrace: \(failure)"
        }
    }
}
