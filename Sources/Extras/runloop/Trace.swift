import Synchronization

/// The events of a sample from all of its threads, in order.
final class Trace: Sendable {
    private struct State {
        var events: [String] = []
        var failures: [String] = []
        // The retained lines of a brief trace.
        var lines: [String] = []
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let isBrief: Bool

    /// Creates a trace that prints events immediately, or retains them if it is brief.
    init(isBrief: Bool = false) {
        self.isBrief = isBrief
    }

    private func put(_ line: String, _ state: inout State) {
        if isBrief { state.lines.append(line) } else { write(line) }
    }

    var lines: [String] {
        state.withLock { $0.lines }
    }

    /// Prints a remark that is not checked.
    func remark(_ text: String) {
        state.withLock { put("   \(text)", &$0) }
    }

    /// Records an event for `expect`.
    func event(_ text: String) {
        let tenths = (ContinuousClock.now - start) / .microseconds(100)
        let time = "\(Int(tenths) / 10).\(Int(tenths) % 10)"
        let padding = String(repeating: " ", count: max(0, 6 - time.count))
        state.withLock { state in
            state.events.append(text)
            put("   \(padding)\(time)  \(text)", &state)
        }
    }

    /// Checks the exact sequence of events since the last call.
    func expect(_ expected: [String]) {
        let happened = state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        Trace.difference(expected: expected, happened: happened).map(fail)
    }

    func check(_ condition: Bool, _ rule: String) {
        if !condition { fail("it does not hold that \(rule)") }
    }

    /// Records and prints a failure.
    func fail(_ text: String) {
        state.withLock { state in
            state.failures.append(text)
            put("   ! \(text)", &state)
        }
    }

    var failures: [String] {
        state.withLock { $0.failures }
    }

    /// Describes the difference between two lists of events; nil if they are equal.
    static func difference(expected: [String], happened: [String]) -> String? {
        let same = zip(expected, happened).prefix { $0 == $1 }.count
        let wanted = same < expected.count ? "'\(expected[same])'" : "nothing more"
        let found = same < happened.count ? "'\(happened[same])'" : "nothing more"
        guard wanted != found else { return nil }
        return "event \(same + 1) should be \(wanted) but is \(found)"
    }
}
