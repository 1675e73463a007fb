import RunLoopKit

/// A range of acceptable frame rates and a preferred rate, in frames per second.
///
/// Core Animation: CAFrameRateRange.
public struct RLFrameRateRange: Hashable, Sendable {
    /// The lowest acceptable rate, in frames per second.
    public let minimum: Float

    /// The highest useful rate, in frames per second.
    public let maximum: Float

    /// The preferred rate, in frames per second; nil means the highest rate.
    public let preferred: Float?

    /// Creates a range.
    ///
    /// An invalid range stops the process: `0 < minimum <= preferred <= maximum` must hold.
    ///
    /// Core Animation: CAFrameRateRange.init(minimum:maximum:preferred:).
    ///
    /// - Parameters:
    ///   - minimum: The lowest acceptable rate.
    ///   - maximum: The highest useful rate.
    ///   - preferred: The preferred rate; nil or 0 means the highest rate.
    public init(minimum: Float, maximum: Float, preferred: Float? = nil) {
        let wanted = preferred == 0 ? nil : preferred
        guard minimum > 0, minimum <= wanted ?? maximum, wanted ?? maximum <= maximum else {
            stopProcess(
                "RLFrameRateRange.init",
                "minimum \(minimum), maximum \(maximum) and preferred \(wanted ?? maximum) are not a "
                    + "range: 0 < minimum <= preferred <= maximum must hold"
            )
        }
        self.minimum = minimum
        self.maximum = maximum
        self.preferred = wanted
    }

    private init() {
        minimum = 0
        maximum = 0
        preferred = nil
    }

    /// The default: every frame of the display.
    ///
    /// Core Animation: CAFrameRateRange.default.
    public static let `default` = RLFrameRateRange()
}
