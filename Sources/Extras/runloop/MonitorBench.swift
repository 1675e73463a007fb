import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics
import Synchronization

/// Measures the cost of a stall monitor, or of a viewer, for a loop that makes 10,000 passes per
/// second.
///
/// The loop's timer fires every 0.1 ms at fixed times. After a late pass, the next pass follows at
/// once, so no pass is lost on a busy machine.
///
/// Rounds with and without the subject alternate in one process, so that other load affects both.
/// The cost is the processor time of this process: of the loop's thread, which is also measured
/// separately, and of the threads of the monitor or of the part that answers the viewer. The
/// viewer, `runloop top`, is another process, which is not measured.
struct MonitorBench {
    enum Subject: String {
        case monitor = "a monitor"
        case viewer = "a viewer"
    }

    let subject: Subject
    /// The number of pairs of rounds.
    let rounds: Int

    private struct Round {
        /// The processor time of a pass, in nanoseconds.
        let cost: Double
        /// The processor time of the loop's thread for a pass, in nanoseconds.
        let ownCost: Double
        let passesPerSecond: Double
    }

    private static let interval: Int64 = 100_000
    /// A round with a viewer takes a second, so it contains a sample.
    private var passesOfRound: Int { subject == .monitor ? 1000 : 10_000 }

    func run() throws {
        var without: [Round] = []
        var with: [Round] = []
        _ = measured()
        for _ in 0..<rounds {
            without.append(measured())
            with.append(try measuredWithSubject())
        }
        let (plain, watched) = (median(without.map(\.cost)), median(with.map(\.cost)))
        let differences = zip(with, without).map { $0.cost - $1.cost }
        let rate = median(with.map(\.passesPerSecond))
        write("passes a second           \(Int(rate))")
        write(
            padded("a pass without \(subject.rawValue)", to: 26)
                + "\(Int(plain)) ns of processor time"
        )
        write(padded("a pass with \(subject.rawValue)", to: 26) + "\(Int(watched)) ns")
        write("more for each pass        \(Int(median(differences))) ns")
        write("ratio                     \(percent(watched / plain))")
        write(
            "overhead                  \(percent(median(differences) * 1e-9 * 10_000)) of a processor at 10,000 passes a second"
        )
        // The cost of the loop's thread varies with its wake-ups; the cost of other threads varies
        // less.
        let others = (
            plain: median(without.map { $0.cost - $0.ownCost }),
            watched: median(with.map { $0.cost - $0.ownCost })
        )
        write(
            "of other threads          \(Int(others.plain)) ns, and \(Int(others.watched)) ns for each pass"
        )
        let own = (plain: median(without.map(\.ownCost)), watched: median(with.map(\.ownCost)))
        write(
            "of the loop's own time    \(percent(own.watched / own.plain - 1)) more: \(Int(own.plain)) ns, and \(Int(own.watched)) ns"
        )
    }

    private func measuredWithSubject() throws -> Round {
        guard subject == .viewer else {
            let monitor = RLStallMonitor { _ in }
            defer { monitor.stop() }
            monitor.watch(RLRunLoopGetCurrent())
            return measured()
        }
        RLInspector.start()
        let viewer = try Subprocess("/proc/self/exe", ["top", "\(getpid())", "--json"])
        // Waits for the first sample, which starts the tracing of loops.
        var byte: UInt8 = 0
        while read(viewer.output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
        let round = measured()
        kill(viewer.number, SIGKILL)
        // Unregisters the killed viewer.
        _ = try? InspectedProcess(getpid()).ask("leave viewer=\(viewer.number)", for: Empty.self)
        return round
    }

    private func measured() -> Round {
        let passes = statistics.passes
        let began = nanoseconds(CLOCK_MONOTONIC)
        let cost = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
        let ownCost = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
        let timer = addTimer(from: RLClockGetNanoseconds())
        RLRunLoopRun()
        RLRunLoopTimerInvalidate(timer)
        let made = Double(statistics.passes - passes)
        let took = Double(nanoseconds(CLOCK_MONOTONIC) - began)
        return Round(
            cost: Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cost) / made,
            ownCost: Double(nanoseconds(CLOCK_THREAD_CPUTIME_ID) - ownCost) / made,
            passesPerSecond: made / took * 1e9
        )
    }

    private func addTimer(from start: Int64) -> RLRunLoopTimerRef {
        let count = Atomic(0)
        let passes = passesOfRound
        let timer = RLRunLoopTimerCreate(fireDate: 1e10, interval: 1e10) { timer in
            let calls = count.add(1, ordering: .relaxed).newValue
            RLRunLoopTimerSetNextFireTime(timer, start + Int64(calls + 1) * Self.interval)
            if calls == passes { RLRunLoopStop(RLRunLoopGetCurrent()) }
        }
        RLRunLoopTimerSetNextFireTime(timer, start + Self.interval)
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
        return timer
    }

    private var statistics: RLRunLoopStatistics {
        var statistics = RLRunLoopStatistics()
        RLRunLoopGetStatistics(RLRunLoopGetCurrent(), &statistics)
        return statistics
    }

    private func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    private func percent(_ share: Double) -> String {
        "\((share * 10_000).rounded() / 100) %"
    }
}
