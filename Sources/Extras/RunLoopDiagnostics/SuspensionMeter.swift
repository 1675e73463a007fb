import Glibc
import RunLoopKit

/// Measures for how long the process was stopped: by a debugger, by SIGSTOP, or as it got no
/// processor.
///
/// A thread sleeps for a short time again and again, and does nothing else. Its delay is the
/// time for which nothing in the process ran.
final class SuspensionMeter: Sendable {
    private struct State {
        var isStopped = false
        /// The lateness of earlier beats, in nanoseconds.
        var late: Int64 = 0
        /// When the next beat should come.
        var next = Int64.max
    }

    /// As late as any thread may be that shares its processor with others.
    private static let ordinaryLateness: Int64 = 5_000_000

    private let period: Int64
    private let state = Locked(State())

    init(period: Int64) {
        self.period = max(1_000_000, period)
        // The process may be stopped before the thread has begun.
        let first = nanoseconds() + self.period
        state.withLock { $0.next = first }
    }

    /// Beats until it is stopped; on a thread of its own.
    func beat() {
        while let next = scheduleNext() { sleep(until: next) }
    }

    /// Ends the beats, not at once.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// For how long the process has been stopped since the meter was made, in nanoseconds.
    ///
    /// A beat that is late at this moment counts, as this thread may be the first to continue after
    /// a stop.
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
