// Between Swift's durations and the seconds of the engine.

import CoreRunLoop
package import FoundationEssentials

extension Duration {
    /// The duration in seconds.
    package var seconds: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension ContinuousClock.Instant {
    /// How many seconds from now; negative if it has passed.
    var secondsFromNow: TimeInterval {
        ContinuousClock.now.duration(to: self).seconds
    }
}

extension Date {
    /// How many seconds from now; negative if it has passed.
    ///
    /// Of the dates that stand for "never" and
    /// "at once" it is only told on which side they are, without a look at the clock.
    var secondsFromNow: TimeInterval {
        let date = timeIntervalSinceReferenceDate
        if date >= Self.distantFuture.timeIntervalSinceReferenceDate { return .infinity }
        if date <= Self.distantPast.timeIntervalSinceReferenceDate { return -1 }
        return date - RLAbsoluteTimeGetCurrent()
    }
}
