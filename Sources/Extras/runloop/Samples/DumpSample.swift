import Glibc
import RunLoopDiagnostics

/// A signal asks for a dump of all loops while one of them hangs.
struct DumpSample: Sample {
    let name = "signal-dump"
    let summary = "a signal shows what all loops do, and in which function one hangs"

    func run(_ trace: Trace) throws {
        let dumps = Condition<RLRunLoopDump?>(nil)
        try RLRunLoopDump.take(at: SIGUSR2) { dump in dumps.withLock { $0 = dump } }
        let desk = Condition(Desk())
        let printer = RLPermanentThread(name: "printer")
        printer.execute {
            // Threads inherit what is blocked, from whoever started this program too.
            RLBacktrace.allowOnCurrentThread()
            waitForPaper(desk)
        }
        _ = desk.wait { $0.isAwaited ? true : nil }

        // On a busy machine a thread may be too late to answer.
        var lines: [Substring] = []
        for _ in 0..<20 where !lines.contains(where: { $0.contains("waitForPaper") }) {
            kill(getpid(), SIGUSR2)
            let dump = dumps.wait(seconds: 5) { dump in
                defer { dump = nil }
                return dump
            }
            guard let dump else {
                trace.check(false, "the signal is answered within five seconds")
                break
            }
            lines = dump.description.split(separator: "\n")
        }
        RLRunLoopDump.end(at: SIGUSR2)
        desk.withLock { $0.hasPaper = true }
        printer.stop()
        printer.join()

        let line = lines.first { $0.contains("(printer)") }.map(String.init) ?? "no line"
        let function = lines.first { $0.contains("waitForPaper") }.map(String.init)
        trace.remark(line)
        trace.remark(function ?? "no function")
        trace.check(line.contains("is in "), "the printer's loop is in a callback")
        trace.check(function != nil, "the dump names the function that waits")
        trace.check(
            lines.last?.hasPrefix("--- end") ?? false,
            "the dump is whole"
        )
    }

    fileprivate struct Desk {
        var isAwaited = false
        var hasPaper = false
    }
}

@inline(never) private func waitForPaper(_ desk: Condition<DumpSample.Desk>) {
    desk.withLock { $0.isAwaited = true }
    _ = desk.wait { $0.hasPaper ? true : nil }
}
