import ProcessKit
import Testing

/// In processes of their own, as the signal is process-wide.
@Suite("The signal of backtraces") struct BacktraceSignalTests {
    @Test("is not a signal that a signalfd receives") func descriptor() throws {
        try expect("for-descriptor", ["stack", "arrived: 20, taken: false"])
    }

    @Test("is not a signal that is ignored, handled, waited for, read or blocked") func others()
        throws
    {
        try expect("for-others", ["chosen: 5 below", "stack"])
    }

    @Test("is released when it is no longer needed") func givenBack() throws {
        try expect(
            "given-back",
            [
                "stack", "taken: true", "still taken: true", "given back: true", "frames: true",
                "given back: true", "taken: true", "given back",
            ]
        )
    }

    @Test("is unblocked in threads that block all signals, until the last monitor stops")
    func shared()
        throws
    {
        try expect("shared", ["blocked: false", "blocked: false", "blocked: true"])
    }

    @Test("may be chosen, if it is unused") func named() throws {
        try expect(
            "named",
            [
                "9: invalid", "0: invalid", "-1: invalid", "12: busy", "stack by true",
                "first one is free: true", "stack by true", "SIGUSR1 is free: true",
            ]
        )
    }

    @Test("may be none, and then nothing is interrupted") func none() throws {
        try expect("none", ["interruptions: 0", "noSignal", "nothing taken: true", "dump: true"])
    }

    @Test("is not sent once other code handles it, and a line reports that, once") func takenOver()
        throws
    {
        let child = try ChildProcess(product: "diagnostics-probe", ["signal-taken-over"])
        let (logged, printed) = (lines(of: child, ofUs: true), lines(of: child, ofUs: false))
        #expect(child.exitCode == 0)
        #expect(
            printed == [
                "stack", "signalIsTaken", "signalIsTaken", "calls: 1, handler stays: true",
                "stack", "signalIsTaken", "stack",
            ]
        )
        #expect(logged.count == 2, "\(child.output)")
        #expect(logged.first?.contains("was given another handler") == true)
        #expect(logged.last?.contains("was sent by process ") == true)
    }

    private func expect(_ name: String, _ lines: [String]) throws {
        let child = try ChildProcess(product: "diagnostics-probe", ["signal-\(name)"])
        #expect(child.exitCode == 0)
        #expect(child.lines.dropLast().map(String.init) == lines)
    }

    private func lines(of child: ChildProcess, ofUs: Bool) -> [String] {
        child.lines.dropLast().map(String.init).filter {
            $0.hasPrefix("RunLoopDiagnostics:") == ofUs
        }
    }
}
