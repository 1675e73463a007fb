import Synchronization

/// The events of a sample, in order, from all of its threads.
final class Trace: Sendable {
    private struct State {
        var events: [String] = []
        var failures: [String] = []
        // The kept part of a brief trace.
        var lines: [String] = []
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let isBrief: Bool

    /// Makes a trace, which writes events as they happen or, if it is brief, keeps them.
    init(isBrief: Bool = false) {
        self.isBrief = isBrief
    }

    private func put(_ line: String, _ state: inout State) {
        if isBrief { state.lines.append(line) } else { write(line) }
    }

    /// The kept part.
    var lines: [String] {
        state.withLock { $0.lines }
    }

    /// Tells the reader something that is not checked.
    func say(_ text: String) {
        state.withLock { put("   \(text)", &$0) }
    }

    /// Records that something happened, for `expect` to check.
    func event(_ text: String) {
        let tenths = (ContinuousClock.now - start) / .microseconds(100)
        let time = "\(Int(tenths) / 10).\(Int(tenths) % 10)"
        let padding = String(repeating: " ", count: max(0, 6 - time.count))
        state.withLock { state in
            state.events.append(text)
            put("   \(padding)\(time)  \(text)", &state)
        }
    }

    /// Checks that exactly these events happened, in this order, since the last such check.
    func expect(_ expected: [String]) {
        let happened = state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        Trace.difference(expected: expected, happened: happened).map(fail)
    }

    /// Checks a condition that is not about the order of events.
    func check(_ condition: Bool, _ rule: String) {
        if !condition { fail("it does not hold that \(rule)") }
    }

    /// Records that something differed from what was expected, and writes it.
    func fail(_ text: String) {
        state.withLock { state in
            state.failures.append(text)
            put("   ! \(text)", &state)
        }
    }

    /// Everything that differed.
    var failures: [String] {
        state.withLock { $0.failures }
    }

    /// Says how two lists of events differ, or nil if they do not.
    static func difference(expected: [String], happened: [String]) -> String? {
        let same = zip(expected, happened).prefix { $0 == $1 }.count
        let wanted = same < expected.count ? "'\(expected[same])'" : "nothing more"
        let found = same < happened.count ? "'\(happened[same])'" : "nothing more"
        guard wanted != found else { return nil }
        return "event \(same + 1) should be \(wanted) but is \(found)"
    }
}
