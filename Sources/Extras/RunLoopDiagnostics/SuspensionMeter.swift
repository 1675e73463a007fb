import Glibc
import RunLoopKit

/// Measures the time for which the process was suspended by a debugger, SIGSTOP or the scheduler.
///
/// A thread repeatedly sleeps for a short period. The lateness of its wake-ups is the time for
/// which no thread of the process ran.
final class SuspensionMeter: Sendable {
    private struct State {
        var isStopped = false
        /// The total lateness of earlier beats, in nanoseconds.
        var late: Int64 = 0
        /// The due time of the next beat.
        var next = Int64.max
    }

    // In nanoseconds. Threads share processors, so a smaller lateness does not count.
    private static let ordinaryLateness: Int64 = 5_000_000

    private let period: Int64
    private let state = Locked(State())

    init(period: Int64) {
        self.period = max(1_000_000, period)
        // Set here, because the process may be stopped before the thread starts.
        let first = nanoseconds() + self.period
        state.withLock { $0.next = first }
    }

    /// Runs on the meter's own thread, until the meter is stopped.
    func beat() {
        while let next = scheduleNext() { sleep(until: next) }
    }

    /// Ends the beats after the current sleep.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// The total lateness in nanoseconds, including the lateness of the next beat if it is overdue.
    ///
    /// After a suspension, the calling thread may run before the meter's thread.
    var lost: Int64 {
        state.withLock { $0.late + Self.lateness(of: $0) }
    }

    private static func lateness(of state: State) -> Int64 {
        let now = nanoseconds()
        let lateness = now > state.next ? now - state.next : 0
        return lateness > ordinaryLateness ? lateness : 0
    }

    private func scheduleNext() -> Int64? {
        state.withLock { state -> Int64? in
            state.late += Self.lateness(of: state)
            state.next = state.isStopped ? .max : nanoseconds() + period
            return state.isStopped ? nil : state.next
        }
    }

    private func sleep(until due: Int64) {
        var moment = timespec()
        moment.tv_sec = Int(due / 1_000_000_000)
        moment.tv_nsec = Int(due % 1_000_000_000)
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil) == EINTR {}
    }
}
