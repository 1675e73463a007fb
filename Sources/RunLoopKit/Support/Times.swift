// Converts between Swift's durations and the engine's seconds.

import CoreRunLoop
package import FoundationEssentials
import Glibc

extension Duration {
    package var seconds: TimeInterval {
        // `components` traps for durations whose seconds exceed 64 bits.
        let (seconds, rest) = attoseconds.quotientAndRemainder(
            dividingBy: 1_000_000_000_000_000_000
        )
        return Double(seconds) + Double(rest) / 1e18
    }

    /// The duration in nanoseconds, clamped to the range of `Int64`.
    package var wholeNanoseconds: Int64 {
        Int64(clamping: attoseconds / 1_000_000_000)
    }
}

extension timespec {
    /// Creates an interval; negative numbers and NaN become zero.
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
    /// The seconds until this instant, negative for an instant in the past.
    var secondsFromNow: TimeInterval {
        ContinuousClock.now.duration(to: self).seconds
    }
}

// Foundation's distant dates in seconds since 2001. Constants avoid calls of another library. If
// Foundation changed its dates, the only effect would be an additional clock reading.
private let never: TimeInterval = 63_113_904_000
private let atOnce: TimeInterval = -63_114_076_800

extension Date {
    /// The seconds until this date, negative for a date in the past.
    ///
    /// `distantFuture` and `distantPast` need no reading of the clock.
    var secondsFromNow: TimeInterval {
        let date = timeIntervalSinceReferenceDate
        if date >= never { return .infinity }
        if date <= atOnce { return -1 }
        return date - RLAbsoluteTimeGetCurrent()
    }
}
