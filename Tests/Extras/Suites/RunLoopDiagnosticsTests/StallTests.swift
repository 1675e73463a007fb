import CRunLoop.Wrapping
import Glibc
import ProcessKit
import RunLoopDiagnostics
import Testing
import ThreadKit

/// The callbacks of these tests last until their own stall is reported: nothing depends on the
/// machine's speed.
@Suite("The stall monitor") struct StallTests {
    /// The report of a stall in `parseLargeDocument`.
    ///
    /// Repeats the stall if the report has other code: on a busy machine the thread may wait for a
    /// processor before, or handle the signal late.
    private func report(
        longThreshold: Duration,
        of stall: @escaping @Sendable (RLStallMonitor, Gate) -> Void
    ) throws -> RLStallReport {
        var report: RLStallReport?
        for _ in 0..<10 where report?.description.contains("parseLargeDocument") != true {
            let gate = Gate()
            let reports = Log<RLStallReport>()
            let monitor = RLStallMonitor(.init(longThreshold: longThreshold)) {
                reports.add($0)
                gate.open()
            }
            onFreshThread { stall(monitor, gate) }
            report = reports.entries.first
        }
        return try #require(report)
    }

    @Test("reports one long stall, with the function that caused it") func long() throws {
        let report = try report(longThreshold: .milliseconds(100)) { monitor, gate in
            monitor.watch(RLRunLoopGetCurrent())
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
                parseLargeDocument(gate)
            }
            RLRunLoop.current.run()
            timer.invalidate()
        }
        #expect(report.kind == .long)
        #expect(report.phase == kRLRunLoopPhaseTimer)
        #expect(report.stretch == .afterWaiting)
        #expect(report.mode == .defaultMode)
        #expect(report.duration >= .milliseconds(100))
        // The innermost function of the program is the one that waits.
        #expect(report.guiltyFunction?.contains("Gate.wait") == true, "\(report)")
        #expect(report.description.contains("parseLargeDocument"))
        let callback = try report.backtrace.get().callback?.symbol
        #expect(callback?.contains("in RunLoopDiagnosticsTests.StallTests.long()") == true)
        // Not the library's function that calls it.
        #expect(report.callout?.symbol == callback)
    }

    @Test("distinguishes a stall before the wait from one after it") func stretches() throws {
        let report = try report(longThreshold: .milliseconds(60)) { monitor, gate in
            monitor.watch(RLRunLoopGetCurrent())
            RLRunLoop.current.perform { parseLargeDocument(gate) }
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        }
        #expect(report.stretch == .beforeSources)
        #expect(report.phase != kRLRunLoopPhaseTimer)
    }

    @Test("reports when a stall is over, under the same number") func over() {
        let gate = Gate()
        let isOver = Gate()
        let reports = Log<RLStallReport>()
        let monitor = RLStallMonitor(.init(longThreshold: .milliseconds(60))) { report in
            reports.add(report)
            if case .over = report.stage { isOver.open() } else { gate.open() }
        }
        onFreshThread {
            monitor.watch(RLRunLoopGetCurrent())
            RLRunLoop.current.perform { parseLargeDocument(gate) }
            RLRunLoop.current.perform(afterDelay: 0) { isOver.wait() }
            RLRunLoop.current.run()
        }
        let ended = reports.entries.first { if case .over = $0.stage { true } else { false } }
        #expect(ended?.id == reports.entries.first?.id)
        #expect((ended?.duration ?? .zero) >= .milliseconds(60))
    }

    @Test("reports slow stretches in a row, though none of them is long") func repeated() throws {
        let isReported = Flag()
        let reports = Log<RLStallReport>()
        let monitor = RLStallMonitor(
            .init(
                threshold: .milliseconds(10),
                count: 3,
                longThreshold: .seconds(1000),
                interval: .zero
            )
        ) { report in
            // On a busy machine the callback may end before the signal, or other code be slow.
            guard report.guiltyFunction?.contains("recalculateEverything") == true else { return }
            reports.add(report)
            isReported.set()
        }
        onFreshThread {
            monitor.watch(RLRunLoopGetCurrent())
            let calls = Guarded(0)
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { timer in
                let call = calls.withLock { number in
                    number += 1
                    return number
                }
                recalculateEverything(call < 3 ? 15 : 200, isReported)
                if isReported.isSet { timer.invalidate() }
            }
            RLRunLoop.current.run()
            timer.invalidate()
        }
        let report = try #require(reports.entries.first)
        guard case .repeated(let count) = report.kind else {
            Issue.record("\(report)")
            return
        }
        #expect(count >= 3)
    }

    @Test("does not take sleep for a stall, nor a nested run in a mode that it does not watch")
    func rest() {
        let reports = Log<RLStallReport>()
        let monitor = RLStallMonitor(
            .init(threshold: .milliseconds(10), longThreshold: .milliseconds(20))
        ) { reports.add($0) }
        onFreshThread {
            monitor.watch(RLRunLoopGetCurrent())
            let keeper = RLRunLoopSourceCreate(perform: {})
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, .defaultMode)
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, "modal")
            // The loop's sleep is the subject.
            RLRunLoopRunInMode(.defaultMode, 0.1, false)
            RLRunLoop.current.perform { RLRunLoopRunInMode("modal", 0.1, false) }
            RLRunLoopRunInMode(.defaultMode, 0.001, false)
        }
        // A thread that waits for a processor is stalled indeed, but not while its loop sleeps.
        let asleep = reports.entries.filter { $0.phase == kRLRunLoopPhaseWaiting }
        #expect(asleep.map(\.description) == [])
    }

    @Test("reports a stall that begins too early after another, if it lasts") func lasting() {
        let gates = [Gate(), Gate()]
        let reports = Log<RLStallReport>()
        let monitor = RLStallMonitor(
            .init(longThreshold: .milliseconds(60), interval: .milliseconds(300))
        ) { report in
            guard case .ongoing = report.stage else { return }
            reports.add(report)
            // On a busy machine the thread may stall elsewhere, too.
            gates[min(reports.entries.count, 2) - 1].open()
        }
        onFreshThread {
            monitor.watch(RLRunLoopGetCurrent())
            for gate in gates {
                RLRunLoop.current.perform { parseLargeDocument(gate) }
                RLRunLoop.current.run(mode: .default, before: .distantPast)
            }
        }
        // Otherwise a gate's limit would have ended the process.
        #expect(reports.entries.prefix(2).map(\.suppressed) == [0, 0])
    }

    @Test(
        "continues with the rest of a callback after a nested run, though it learned late of the loop"
    )
    func afterNestedRun() throws {
        let report = try report(longThreshold: .milliseconds(60)) { monitor, gate in
            RLRunLoop.current.perform { monitor.watch(RLRunLoopGetCurrent()) }
            RLRunLoop.current.perform(afterDelay: 0) {
                RLRunLoop.current.run(mode: .default, before: .distantPast)
                parseLargeDocument(gate)
            }
            RLRunLoop.current.run()
        }
        #expect(report.stretch == .afterNestedRun)
        #expect(report.phase == kRLRunLoopPhaseTimer)
    }

    @Test("does not take a stopped process for a stall") func stopped() throws {
        let child = try ChildProcess(product: "diagnostics-probe", ["stopped"])
        #expect(child.exitCode == 0)
        #expect(child.lines == ["stopped for more than half a second", "reports: 0", ""])
    }

    @Test("releases its handler when it has been stopped") func letsGo() {
        let isReleased = Gate()
        do {
            let opener = GateOpener(isReleased)
            let monitor = RLStallMonitor { [opener] _ in withExtendedLifetime(opener) {} }
            onFreshThread { monitor.watch(RLRunLoopGetCurrent()) }
            monitor.stop()
        }
        isReleased.wait()
    }
}

@Suite("The backtrace of a thread") struct BacktraceTests {
    @Test("of another thread shows where it waits") func other() throws {
        let gate = Gate()
        let number = Log<Int32>()
        let isThere = Gate()
        let taken = Log<RLBacktrace>()
        onFreshThreads([
            {
                RLBacktrace.allowOnCurrentThread()
                number.add(RLThreadGetNumber())
                isThere.open()
                parseLargeDocument(gate)
            },
            {
                isThere.wait()
                // The thread has published its ID and is about to enter the function.
                for _ in 0..<100_000 where taken.entries.isEmpty {
                    let backtrace = try? RLBacktrace(ofThread: number.entries[0])
                    guard let backtrace else { continue }
                    if "\(backtrace)".contains("parseLargeDocument") { taken.add(backtrace) }
                }
                gate.open()
            },
        ])
        let backtrace = try #require(taken.entries.first)
        #expect(backtrace.frames.count > 2)
        // Not in a callback of a loop.
        #expect(backtrace.guilty == nil)
    }

    @Test("describes the reason if there is none") func failures() {
        #expect(throws: RLBacktrace.Failure.noSuchThread) { try RLBacktrace(ofThread: 0x7FFF_FFF0) }
        onFreshThread {
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, nil)
            #expect(throws: RLBacktrace.Failure.signalIsBlocked) {
                try RLBacktrace(ofThread: RLThreadGetNumber())
            }
        }
    }
}

/// A slow function of the client, which waits until the monitor has noticed.
@inline(never) private func parseLargeDocument(_ gate: Gate) {
    gate.wait()
    withExtendedLifetime(gate) {}
}

/// A function of the client that is repeatedly slow: it takes some milliseconds.
@inline(never) private func recalculateEverything(_ milliseconds: Int, _ isReported: Flag) {
    // The callback's duration is the subject. The thread sanitizer delivers signals in calls.
    for _ in 0..<milliseconds where !isReported.isSet { usleep(1000) }
    withExtendedLifetime(isReported) {}
}
