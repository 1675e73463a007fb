// Programs that are stopped or get signals: one for each name. The tests run them and read what they
// print.

import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics

let probes: [String: () -> Void] = [
    "stopped": beStopped
]

guard CommandLine.arguments.count == 2, let probe = probes[CommandLine.arguments[1]] else {
    print(probes.keys.sorted().joined(separator: "\n"))
    exit(EXIT_FAILURE)
}
probe()

/// A callback in which the whole process is stopped for longer than a stall takes.
func beStopped() {
    let reports = Counter()
    let monitor = RLStallMonitor(
        .init(threshold: .milliseconds(20), count: 1, longThreshold: .milliseconds(300))
    ) { report in
        // Between stops the callback may be slow by itself, on a busy machine.
        if report.kind == .long { reports.countUp() }
    }
    monitor.watch(RLRunLoopGetMain())
    RLRunLoop.main.perform {
        let began = RLClockGetNanoseconds()
        stopAndBeContinued()
        let took = RLClockGetNanoseconds() - began
        // How long the callback takes is the subject: the monitor looks while it still lasts.
        usleep(50_000)
        print("stopped for \(took > 500_000_000 ? "more" : "less") than half a second")
    }
    RLRunLoop.main.run(mode: .default, before: .distantPast)
    // The monitor looks meanwhile.
    RLRunLoopRunInMode(.defaultMode, 0.2, false)
    print("reports: \(reports.value)")
}
