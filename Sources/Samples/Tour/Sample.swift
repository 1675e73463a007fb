import Synchronization

/// A small program that shows one behavior of run loops and checks it.
///
/// Each sample is one file that depends only on this file. To build a sample as a program, copy
/// both files, and call `try ModesSample().run(Trace())` in a `main.swift`.
public protocol Sample: Sendable {
    /// The name on the command line.
    var name: String { get }

    /// A line for lists of samples.
    var summary: String { get }

    /// Whether the sample uses the main loop. Other samples run on a new thread.
    var needsMainThread: Bool { get }

    /// Runs the sample, and records events and expectations in `trace`.
    func run(_ trace: Trace) throws

    /// Called in a process that the sample has started, with an argument from the sample.
    func play(_ word: String) throws
}

extension Sample {
    /// The default is false.
    public var needsMainThread: Bool { false }

    /// The default does nothing.
    public func play(_ word: String) {}
}

/// The events of a sample from all of its threads, in order.
public final class Trace: Sendable {
    private struct State {
        var events: [String] = []
        var failures: [String] = []
        // The stored lines of a brief trace.
        var lines: [String] = []
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let isBrief: Bool
    private let write: @Sendable (String) -> Void

    /// Creates a trace that writes each event immediately or, if it is brief, stores them.
    ///
    /// - Parameters:
    ///   - isBrief: Whether the trace stores events.
    ///   - write: A closure that writes a line; nil to print the line.
    public init(isBrief: Bool = false, write: (@Sendable (String) -> Void)? = nil) {
        self.isBrief = isBrief
        self.write = write ?? { print($0) }
    }

    private func put(_ line: String, _ state: inout State) {
        if isBrief { state.lines.append(line) } else { write(line) }
    }

    var lines: [String] {
        state.withLock { $0.lines }
    }

    /// Writes a remark that is not checked.
    public func remark(_ text: String) {
        state.withLock { put("   \(text)", &$0) }
    }

    /// Records an event for `expect`.
    public func event(_ text: String) {
        let tenths = (ContinuousClock.now - start) / .microseconds(100)
        let time = "\(Int(tenths) / 10).\(Int(tenths) % 10)"
        let padding = String(repeating: " ", count: max(0, 6 - time.count))
        state.withLock { state in
            state.events.append(text)
            put("   \(padding)\(time)  \(text)", &state)
        }
    }

    /// Checks the exact sequence of events since the last call.
    public func expect(_ expected: [String]) {
        let happened = state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        Trace.difference(expected: expected, happened: happened).map(fail)
    }

    /// Checks a condition that is not about the order of events.
    public func check(_ condition: Bool, _ rule: String) {
        if !condition { fail("it does not hold that \(rule)") }
    }

    /// Records and writes a failure.
    public func fail(_ text: String) {
        state.withLock { state in
            state.failures.append(text)
            put("   ! \(text)", &state)
        }
    }

    var failures: [String] {
        state.withLock { $0.failures }
    }

    static func difference(expected: [String], happened: [String]) -> String? {
        let same = zip(expected, happened).prefix { $0 == $1 }.count
        let wanted = same < expected.count ? "'\(expected[same])'" : "nothing more"
        let found = same < happened.count ? "'\(happened[same])'" : "nothing more"
        guard wanted != found else { return nil }
        return "event \(same + 1) should be \(wanted) but is \(found)"
    }
}
