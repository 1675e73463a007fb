import Synchronization

/// The events of a sample, in order, from all of its threads; written as they happen.
final class Trace: Sendable {
    private struct State {
        var events: [String] = []
        var failures: [String] = []
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now

    /// Tells the reader something that is not checked.
    func say(_ text: String) {
        write("   \(text)")
    }

    /// Records that something happened, for `expect` to check.
    func event(_ text: String) {
        let tenths = (ContinuousClock.now - start) / .microseconds(100)
        let time = "\(Int(tenths) / 10).\(Int(tenths) % 10)"
        state.withLock { state in
            state.events.append(text)
            write("   \(String(repeating: " ", count: max(0, 6 - time.count)))\(time)  \(text)")
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
        state.withLock { $0.failures.append(text) }
        write("   ! \(text)")
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
