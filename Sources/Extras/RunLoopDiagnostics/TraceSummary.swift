import RunLoopKit

extension RLRunLoopTrace {
    /// The calls of one function by the loops.
    public struct Total: Sendable {
        /// The callback; its object is the object of the first call.
        public let callout: Callout

        /// The number of calls.
        public let count: Int

        /// The total duration in nanoseconds, including nested runs.
        public let total: UInt64

        /// The longest duration of one call in nanoseconds, including nested runs.
        public let longest: UInt64
    }

    /// Returns the functions that the loops called, in descending order of total duration.
    public func totals() -> [Total] {
        struct Key: Hashable {
            let phase: Int32
            let function: UInt
        }
        var totals: [Key: Total] = [:]
        for span in recordings.flatMap(\.spans) {
            guard case .callout(let callout) = span.kind else { continue }
            let key = Key(phase: callout.phase.rawValue, function: callout.function)
            let old = totals[key]
            totals[key] = Total(
                callout: old?.callout ?? callout,
                count: (old?.count ?? 0) + 1,
                total: (old?.total ?? 0) &+ span.duration,
                longest: max(old?.longest ?? 0, span.duration)
            )
        }
        return totals.values.sorted {
            ($0.total, $1.callout.function) > ($1.total, $0.callout.function)
        }
    }

    /// Summarizes the trace in text.
    ///
    /// - Parameter most: The greatest number of functions to list; negative counts as 0.
    /// - Returns: One or two lines for each recording, and one line for each function.
    public func summary(most: Int = 10) -> String {
        let most = max(0, most)
        var lines = recordings.filter { !$0.events.isEmpty }.map(describe)
        if droppedRecordings > 0 { lines.append("\(droppedRecordings) earlier recordings dropped") }
        let totals = totals()
        for total in totals.prefix(most) {
            let time = "\(describeDuration(total.total)) in all"
            let longest = "\(describeDuration(total.longest)) at most"
            lines.append(
                "  \(total.count) × \(total.callout.kindName) \(printable(names.name(of: total.callout)))"
                    + "\(names.suffix(of: total.callout)): \(time), \(longest)"
            )
        }
        if totals.count > most { lines.append("  and \(totals.count - most) more functions") }
        return lines.joined(separator: "\n")
    }

    private func describe(_ recording: Recording) -> String {
        let sleeps = recording.spans.filter(\.isSleep)
        let runs = recording.spans.count { $0.kind == .run }
        let passes = recording.events.count { $0.kind == .activity(.beforeTimers) }
        let callouts = recording.spans.count { $0.kind.isCallout }
        let asleep = describeDuration(sleeps.map(\.duration).reduce(0, &+))
        let lost = recording.lostEvents > 0 ? ", \(recording.lostEvents) events overwritten" : ""
        var reasons: [(name: String, count: Int)] = []
        for event in recording.events {
            guard case .wokeUp(let reason) = event.kind else { continue }
            if let known = reasons.firstIndex(where: { $0.name == reason.description }) {
                reasons[known].count += 1
            } else {
                reasons.append((reason.description, 1))
            }
        }
        let woken = describe(reasons)
        return "\(recording.title): \(counted(runs, "run")), "
            + "\(counted(passes, "pass", "passes")), \(counted(callouts, "callback")), "
            + "\(counted(sleeps.count, "sleep"))\(sleeps.isEmpty ? "" : " of \(asleep)")\(lost)"
            + (woken.isEmpty ? "" : "\n  woken by \(woken)")
    }

    /// Lists only the most frequent reasons: a server has one reason for each descriptor.
    private func describe(_ reasons: [(name: String, count: Int)]) -> String {
        let most = reasons.enumerated().sorted {
            ($0.element.count, $1.offset) > ($1.element.count, $0.offset)
        }.map(\.element)
        let shown = most.prefix(6).map { "\($0.name) × \($0.count)" }
        let others = most.dropFirst(6)
        let rest = others.map(\.count).reduce(0, +)
        return (shown + (others.isEmpty ? [] : ["\(others.count) others × \(rest)"]))
            .joined(separator: ", ")
    }
}

private func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
}
