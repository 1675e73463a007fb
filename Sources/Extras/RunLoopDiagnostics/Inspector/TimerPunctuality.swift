import RunLoopKit

/// The lateness of a loop's timers; on the inspector's thread.
///
/// Timers are looked at when a viewer asks. A call is compared with the date that was seen before,
/// and those that follow with the dates that the interval makes of it.
final class TimerPunctuality {
    /// A timer, as far as it has been seen.
    struct Timer {
        let address: UInt
        let function: UInt
        /// The closure that the function calls, if it is known.
        fileprivate(set) var closure: UInt?
        var interval: Int64
        /// When it is due next, in nanoseconds of the monotonic clock; nil if that is not known.
        var due: Int64?
        /// The date that it has for that.
        fileprivate var date: RLAbsoluteTime = 0
        /// The date that the last call was for.
        fileprivate var served: RLAbsoluteTime?
        var modes: [String] = []
        var calls: UInt32 = 0
        /// The number of firings that were seen, and their lateness in nanoseconds.
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

    /// A moment at which a loop is looked at.
    private struct Moment {
        let time = nanoseconds()
        let date = RLAbsoluteTimeGetCurrent()
        /// When the loop began what it is doing.
        let phaseBegan: Int64

        init(_ loop: RLRunLoopRef) {
            phaseBegan = time - Int64(clamping: loop.statistics.nanosecondsInPhase)
        }
    }

    private static let most = 1000
    /// Dates are seconds of another clock: less than this is no difference, in nanoseconds.
    fileprivate static let accuracy: Int64 = 500_000

    private var timers: [UInt: Timer] = [:]

    /// Those that were seen at the last look.
    var all: [Timer] { Array(timers.values) }

    /// Notes that a timer's callback began.
    func noteCall(of address: UInt, at time: Int64) {
        timers[address]?.noteCall(at: time)
    }

    /// Looks at the timers of a loop, and forgets those that have gone.
    func look(at loop: RLRunLoopRef) {
        var seen: [UInt: Timer] = [:]
        let moment = Moment(loop)
        for mode in [RLRunLoopMode](RLRunLoopCopyAllModes(loop)) {
            loop.visitTimers(of: mode) { state, timer in
                let address = UInt(bitPattern: state.item)
                if seen[address] != nil {
                    seen[address]?.modes.append(mode.description)
                } else if seen.count < Self.most {
                    var timer = look(at: timer, state, moment)
                    timer.modes = [mode.description]
                    seen[address] = timer
                }
            }
        }
        timers = seen
    }

    private func look(
        at timer: RLRunLoopTimerRef,
        _ state: RLRunLoopItemState,
        _ moment: Moment
    ) -> Timer {
        let address = UInt(bitPattern: state.item)
        let function = UInt(bitPattern: state.callout)
        // Another timer may have been there.
        let known = timers[address].flatMap {
            $0.function == function && $0.calls <= state.callouts ? $0 : nil
        }
        var seen = known ?? Timer(address: address, function: function, interval: 0)
        seen.interval = wholeNanoseconds(RLRunLoopTimerGetInterval(timer))
        // One that was never called may be another one than at the last look.
        if known == nil || state.callouts == 0 { seen.closure = state.closure }
        seen.calls = state.callouts
        let date = RLRunLoopTimerGetNextFireDate(timer)
        // While it is called, a timer has the date of the call.
        if let served = seen.served, abs(wholeNanoseconds(served - date)) < Self.accuracy {
            return seen
        }
        // A date in the past, however old, makes it due when it is set, which nobody saw: not
        // before the loop began what it is doing, as what was due then has been served.
        let earliest = min(seen.due ?? moment.phaseBegan, moment.phaseBegan)
        seen.due = max(moment.time &+ wholeNanoseconds(date - moment.date), earliest)
        seen.date = date
        seen.served = nil
        return seen
    }

    /// Whole nanoseconds, a century at most.
    private func wholeNanoseconds(_ seconds: Double) -> Int64 {
        Int64(max(-3e9, min(3e9, seconds)) * 1e9)
    }
}
