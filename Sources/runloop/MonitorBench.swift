import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics

/// What a stall monitor costs a loop that makes 10,000 passes a second.
///
/// Its timer is due at fixed moments, a ten thousandth of a second apart. A pass that comes late is
/// followed by the next one at once, so that none is left out: on a busy machine too there are so
/// many.
///
/// Rounds with and without one take turns in one process, so that what else the machine does falls
/// on both. Counted is the processor time of the whole process, the monitor's threads included.
struct MonitorBench {
    /// How many pairs of rounds.
    let rounds: Int

    private struct Round {
        /// The processor time of a pass, in nanoseconds.
        let cost: Double
        let passesPerSecond: Double
    }

    private static let interval: Int64 = 100_000
    private static let passesOfRound = 1000

    func run() {
        var without: [Round] = []
        var with: [Round] = []
        _ = measured()
        for _ in 0..<rounds {
            without.append(measured())
            let monitor = RLStallMonitor { _ in }
            monitor.watch(RLRunLoopGetCurrent())
            with.append(measured())
            monitor.stop()
        }
        let (plain, watched) = (median(without.map(\.cost)), median(with.map(\.cost)))
        let differences = zip(with, without).map { $0.cost - $1.cost }
        let rate = median(with.map(\.passesPerSecond))
        write("passes a second           \(Int(rate))")
        write("a pass without a monitor  \(Int(plain)) ns of processor time")
        write("a pass with a monitor     \(Int(watched)) ns")
        write("more for each pass        \(Int(median(differences))) ns")
        write("ratio                     \(percent(watched / plain))")
        write(
            "overhead                  \(percent(median(differences) * 1e-9 * 10_000)) of a processor at 10,000 passes a second"
        )
    }

    private func measured() -> Round {
        let passes = statistics.passes
        let began = nanoseconds(CLOCK_MONOTONIC)
        let cost = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
        let timer = addTimer(from: RLClockGetNanoseconds())
        RLRunLoopRun()
        RLRunLoopTimerInvalidate(timer)
        let made = Double(statistics.passes - passes)
        let took = Double(nanoseconds(CLOCK_MONOTONIC) - began)
        return Round(
            cost: Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cost) / made,
            passesPerSecond: made / took * 1e9
        )
    }

    /// A timer that stops the loop after a round of calls.
    private func addTimer(from start: Int64) -> RLRunLoopTimerRef {
        let counter = Counter()
        let timer = RLRunLoopTimerCreate(fireDate: 1e10, interval: 1e10) { timer in
            let calls = counter.countUp()
            RLRunLoopTimerSetNextFireTime(timer, start + Int64(calls + 1) * Self.interval)
            if calls == Self.passesOfRound { RLRunLoopStop(RLRunLoopGetCurrent()) }
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
