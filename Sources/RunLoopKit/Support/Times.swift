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

// Foundation's distant dates, in seconds since 2001. To ask for them is a call to another library
// each time. Were they others one day, only the look at the clock would not be saved.
private let never: TimeInterval = 63_113_904_000
private let atOnce: TimeInterval = -63_114_076_800

extension Date {
    /// How many seconds from now; negative if it has passed.
    ///
    /// Of the dates that stand for "never" and "at once" it is only told on which side they are,
    /// without a look at the clock.
    var secondsFromNow: TimeInterval {
        let date = timeIntervalSinceReferenceDate
        if date >= never { return .infinity }
        if date <= atOnce { return -1 }
        return date - RLAbsoluteTimeGetCurrent()
    }
}
