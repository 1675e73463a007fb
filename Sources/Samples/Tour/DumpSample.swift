import Dispatch
import Glibc
import RunLoopDiagnostics
import RunLoopKit
import Synchronization

/// A signal requests a dump of all loops while a loop hangs.
struct DumpSample: Sample {
    let name = "signal-dump"
    let summary = "a signal prints all loops, and the function in which one hangs"

    func run(_ trace: Trace) throws {
        let dumps = Mutex<RLRunLoopDump?>(nil)
        let hasDump = DispatchSemaphore(value: 0)
        try RLRunLoopDump.take(at: SIGUSR2) { dump in
            dumps.withLock { $0 = dump }
            hasDump.signal()
        }
        let (isAwaited, paper) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let printer = RLPermanentThread(name: "printer")
        printer.execute {
            // The thread may have inherited a mask that blocks the backtrace signal.
            RLBacktrace.allowOnCurrentThread()
            isAwaited.signal()
            waitForPaper(paper)
        }
        isAwaited.wait()

        // On a busy machine, a thread may take its backtrace too late, so retry.
        var lines: [Substring] = []
        for _ in 0..<20 where !lines.contains(where: { $0.contains("waitForPaper") }) {
            kill(getpid(), SIGUSR2)
            guard hasDump.wait(timeout: .now() + 5) == .success else {
                trace.fail("the signal is not answered within five seconds")
                break
            }
            let dump = dumps.withLock { $0 }
            lines = dump?.description.split(separator: "\n") ?? []
        }
        RLRunLoopDump.end(at: SIGUSR2)
        paper.signal()
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
}

@inline(never) private func waitForPaper(_ paper: DispatchSemaphore) {
    paper.wait()
}
