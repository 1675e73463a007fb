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
