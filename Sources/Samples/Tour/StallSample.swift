import Glibc
import RunLoopDiagnostics
import Synchronization

/// A monitor that reports both kinds of stalls, with the responsible functions.
struct StallSample: Sample {
    let name = "stall"
    let summary = "a monitor reports callbacks that take too long, with the function to blame"

    func run(_ trace: Trace) throws {
        let reports = Atomic(0)
        let report: @Sendable (RLStallReport) -> Void = { report in
            guard case .ongoing = report.stage else { return }
            let kind = report.kind == .long ? "one long stall" : "stalls in a row"
            trace.event("\(kind), \(describe(report.stretch)), in \(shortName(report))")
            if reports.load(ordering: .relaxed) == 0 {
                trace.remark("\(report.description.prefix { $0 != "\n" })")
                if let place = callback(report) { trace.remark("  the callback is at \(place)") }
            }
            reports.add(1, ordering: .relaxed)
        }
        guard let loop = RLRunLoopGetCurrent() else { return trace.fail("there is no loop") }
        let monitor = RLStallMonitor(.init(interval: .zero, findsLines: true), handler: report)
        monitor.watch(loop)

        trace.remark("a block that reads a large document at once")
        RLRunLoop.current.perform { parseLargeDocument(until: reports) }
        RLRunLoop.current.run(mode: .default, before: .distantPast)
        monitor.stop()

        // On a busy machine 80 ms of work may take longer than a long stall.
        let patient = RLStallMonitor(
            .init(longThreshold: .seconds(10), interval: .zero),
            handler: report
        )
        patient.watch(loop)
        trace.remark("a timer that takes 80 ms each time, or more")
        var calls = 0
        let timer = RLTimer.scheduledTimer(withTimeInterval: 0.02, repeats: true) { timer in
            calls += 1
            redrawEverything(calls < 5 ? 80 : 3_000, until: reports)
            if reports.load(ordering: .relaxed) > 1 { timer.invalidate() }
        }
        RLRunLoop.current.run()
        timer.invalidate()
        patient.stop()

        trace.expect([
            "one long stall, after BeforeSources, in parseLargeDocument",
            "stalls in a row, after AfterWaiting, in redrawEverything",
        ])
    }

    private func describe(_ stretch: RLStallReport.Stretch) -> String {
        stretch == .beforeSources ? "after BeforeSources" : "after AfterWaiting"
    }

    /// Returns the callback's file and line; nil without debug information or symbolizer.
    private func callback(_ report: RLStallReport) -> String? {
        guard let frame = try? report.backtrace.get().callback, let file = frame.file,
            let line = frame.line
        else { return nil }
        return "\(file.split(separator: "/").last ?? ""):\(line)"
    }

    /// Shortens a name such as `RunLoopSamples.(parseLargeDocument in _F3…)() -> ()`.
    private func shortName(_ report: RLStallReport) -> String {
        let guilty = report.guiltyFunction ?? "an unknown function"
        for name in ["parseLargeDocument", "redrawEverything"] where guilty.contains(name) {
            return name
        }
        return guilty
    }
}

@inline(never) private func parseLargeDocument(until reports: borrowing Atomic<Int>) {
    // Sleep in pieces: the signal for the backtrace interrupts one sleep.
    for _ in 0..<300 where reports.load(ordering: .relaxed) < 1 { usleep(10_000) }
}

@inline(never) private func redrawEverything(
    _ milliseconds: Int,
    until reports: borrowing Atomic<Int>
) {
    // Sleep in pieces: the thread sanitizer delivers signals only in system calls.
    for _ in 0..<milliseconds where reports.load(ordering: .relaxed) < 2 { usleep(1_000) }
}
