import RunLoopKit

/// The lateness of a loop's timers; confined to the inspector's thread.
///
/// Each `sample` request samples the timers. The first call after a sample is compared with the
/// sampled fire date; later calls are compared with dates that are computed from the interval.
final class TimerPunctuality {
    struct Timer {
        let address: UInt
        let function: UInt
        /// The closure that the function calls; nil if it is unknown.
        fileprivate(set) var closure: UInt?
        var interval: Int64
        /// The due time in nanoseconds of the monotonic clock; nil if it is unknown.
        var due: Int64?
        /// The fire date from which `due` was computed.
        fileprivate var date: RLAbsoluteTime = 0
        /// The fire date of the last call.
        fileprivate var served: RLAbsoluteTime?
        var modes: [String] = []
        var calls: UInt32 = 0
        /// The number of observed firings; their lateness is in nanoseconds.
        var firings = 0
        var latenessTotal: Int64 = 0
        var latenessWorst: Int64 = 0

        fileprivate mutating func noteCall(at time: Int64) {
            guard let due, time >= due - TimerPunctuality.accuracy else { return }
            let lateness = max(0, time - due)
            firings += 1
            let (total, isTooMuch) = latenessTotal.addingReportingOverflow(lateness)
            latenessTotal = isTooMuch ? .max : total
            latenessWorst = max(latenessWorst, lateness)
            served = date
            let missed = interval > 0 ? lateness / interval : 0
            let step = interval &* (missed + 1)
            date += Double(step) / 1e9
            self.due = interval > 0 ? due &+ step : nil
        }
    }

    private struct Moment {
        let time = nanoseconds()
        let date = RLAbsoluteTimeGetCurrent()
        /// The time at which the loop's current phase began.
        let phaseBegan: Int64

        init(_ loop: RLRunLoopRef) {
            phaseBegan = time - Int64(clamping: loop.statistics.nanosecondsInPhase)
        }
    }

    private static let most = 1000
    /// Smaller differences are rounding errors: fire dates are in seconds of another clock.
    fileprivate static let accuracy: Int64 = 500_000

    private var timers: [UInt: Timer] = [:]

    var all: [Timer] { Array(timers.values) }

    func noteCall(of address: UInt, at time: Int64) {
        timers[address]?.noteCall(at: time)
    }

    /// Samples the fire dates of all timers, and drops released timers.
    func sample(_ loop: RLRunLoopRef) {
        var seen: [UInt: Timer] = [:]
        let moment = Moment(loop)
        for mode in [RLRunLoopMode](RLRunLoopCopyAllModes(loop)) {
            loop.visitTimers(of: mode) { state, timer in
                let address = UInt(bitPattern: state.item)
                if seen[address] != nil {
                    seen[address]?.modes.append(mode.description)
                } else if seen.count < Self.most {
                    var timer = sample(timer, state, moment)
                    timer.modes = [mode.description]
                    seen[address] = timer
                }
            }
        }
        timers = seen
    }

    private func sample(
        _ timer: RLRunLoopTimerRef,
        _ state: RLRunLoopItemState,
        _ moment: Moment
    ) -> Timer {
        let address = UInt(bitPattern: state.item)
        let function = UInt(bitPattern: state.callout)
        // A new timer may reuse the address of an old timer.
        let known = timers[address].flatMap {
            $0.function == function && $0.calls <= state.callouts ? $0 : nil
        }
        var seen = known ?? Timer(address: address, function: function, interval: 0)
        seen.interval = wholeNanoseconds(RLRunLoopTimerGetInterval(timer))
        // A timer without calls may be a new timer at the address of an old timer.
        if known == nil || state.callouts == 0 { seen.closure = state.closure }
        seen.calls = state.callouts
        let date = RLRunLoopTimerGetNextFireDate(timer)
        // During its callback, a timer still has the fire date of this call.
        if let served = seen.served, abs(wholeNanoseconds(served - date)) < Self.accuracy {
            return seen
        }
        // A timer that is set to a past date becomes due when it is set. This is not before the
        // current phase, because the loop has served all timers that were due earlier.
        let earliest = min(seen.due ?? moment.phaseBegan, moment.phaseBegan)
        seen.due = max(moment.time &+ wholeNanoseconds(date - moment.date), earliest)
        seen.date = date
        seen.served = nil
        return seen
    }

    /// Converts seconds to nanoseconds, clamped to about a century.
    private func wholeNanoseconds(_ seconds: Double) -> Int64 {
        Int64(max(-3e9, min(3e9, seconds)) * 1e9)
    }
}
