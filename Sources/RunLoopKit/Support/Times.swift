// Between Swift's durations and the seconds of the engine.

import CoreRunLoop
package import FoundationEssentials
import Glibc

extension Duration {
    /// The duration in seconds.
    package var seconds: TimeInterval {
        // `components` traps for more seconds than 64 bits count.
        let (seconds, rest) = attoseconds.quotientAndRemainder(
            dividingBy: 1_000_000_000_000_000_000
        )
        return Double(seconds) + Double(rest) / 1e18
    }

    /// The duration in nanoseconds; as many as there are, if there are too many.
    package var wholeNanoseconds: Int64 {
        Int64(clamping: attoseconds / 1_000_000_000)
    }
}

extension timespec {
    /// So many seconds; none if they are negative or not a number.
    init(seconds: TimeInterval) {
        let seconds = seconds > 0 ? seconds : 0
        let whole = min(seconds.rounded(.down), Double(Int32.max))
        let fraction = min(seconds - whole, 0.999_999_999)
        self.init(tv_sec: Int(whole), tv_nsec: Int(fraction * 1e9))
    }

    mutating func add(_ other: timespec) {
        let nanoseconds = tv_nsec + other.tv_nsec
        tv_sec += other.tv_sec + nanoseconds / 1_000_000_000
        tv_nsec = nanoseconds % 1_000_000_000
    }
}

extension ContinuousClock.Instant {
    /// The seconds from now; negative if it has passed.
    var secondsFromNow: TimeInterval {
        ContinuousClock.now.duration(to: self).seconds
    }
}

// Foundation's distant dates, in seconds since 2001. Asking Foundation for them would be a call
// into another library each time. If Foundation changed them, these numbers would merely no longer
// save a reading of the clock.
private let never: TimeInterval = 63_113_904_000
private let atOnce: TimeInterval = -63_114_076_800

extension Date {
    /// The seconds from now; negative if it has passed.
    ///
    /// For the dates that mean "never" and "at once", returns only a number of the right sign,
    /// without reading the clock.
    var secondsFromNow: TimeInterval {
        let date = timeIntervalSinceReferenceDate
        if date >= never { return .infinity }
        if date <= atOnce { return -1 }
        return date - RLAbsoluteTimeGetCurrent()
    }
}
