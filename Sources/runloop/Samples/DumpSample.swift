import Glibc
import RunLoopDiagnostics

/// A signal asks for a dump of all loops while one of them hangs.
struct DumpSample: Sample {
    let name = "signal-dump"
    let summary = "a signal shows what all loops do, and in which function one hangs"

    func run(_ trace: Trace) throws {
        let dumps = Condition<RLRunLoopDump?>(nil)
        try RLRunLoopDump.take(at: SIGUSR2) { dump in dumps.withLock { $0 = dump } }
        let hasPaper = Condition(false)
        let printer = RLPermanentThread(name: "printer")
        printer.execute { waitForPaper(hasPaper) }

        // At first the printer may not have come to its function yet.
        var lines: [Substring] = []
        repeat {
            kill(getpid(), SIGUSR2)
            let dump = dumps.wait { dump in
                defer { dump = nil }
                return dump
            }
            lines = dump.description.split(separator: "\n")
        } while !lines.contains { $0.contains("waitForPaper") }
        RLRunLoopDump.end(at: SIGUSR2)
        hasPaper.withLock { $0 = true }
        printer.stop()
        printer.join()

        let line = lines.first { $0.contains("(printer)") }.map(String.init) ?? "no line"
        trace.say(line)
        trace.say(lines.first { $0.contains("waitForPaper") }.map(String.init) ?? "no function")
        trace.check(line.contains("is in "), "the printer's loop is in a callback")
        trace.check(
            lines.last?.hasPrefix("--- end") ?? false,
            "the dump is whole"
        )
    }
}

@inline(never) private func waitForPaper(_ hasPaper: Condition<Bool>) {
    _ = hasPaper.wait { $0 ? true : nil }
}
