/// The moments at which a display without hardware would refresh: multiples of a rate on the
/// monotonic clock, so that all displays of one rate are in phase.
///
/// Frames are numbered; the grid is exact, as 60 frames are a second and not 59.9999 of one.
struct FrameGrid {
    static let rates = 24...240
    private static let second: Int64 = 1_000_000_000

    let refreshRate: Int

    private var rate: Int64 { Int64(refreshRate) }

    /// When a frame begins, in nanoseconds.
    func time(of frame: Int64) -> Int64 {
        frame / rate * Self.second + frame % rate * Self.second / rate
    }

    /// The last frame that has begun at a time, in nanoseconds.
    func frame(at time: Int64) -> Int64 {
        let rest = time % Self.second
        return time / Self.second * rate + ((rest + 1) * rate - 1) / Self.second
    }

    /// The last frame that has begun at a time, of those whose number is a multiple.
    func frame(at time: Int64, every divider: Int) -> Int64 {
        frame(at: time) / Int64(divider) * Int64(divider)
    }

    /// Each how manieth frame comes closest to what a range wants: one within the range, if there
    /// is any.
    func divider(for range: RLFrameRateRange) -> Int {
        if range == .default { return 1 }
        let lowest = clamped(Double(refreshRate) / Double(range.maximum), .up)
        let highest = clamped(Double(refreshRate) / Double(range.minimum), .down)
        let wanted = Double(range.preferred ?? range.maximum)
        let candidates = [FloatingPointRoundingRule.down, .up].map { rule in
            let divider = clamped(Double(refreshRate) / wanted, rule)
            return lowest <= highest ? min(max(divider, lowest), highest) : divider
        }
        let distances = candidates.map { abs(Double(refreshRate) / Double($0) - wanted) }
        return distances[0] <= distances[1] ? candidates[0] : candidates[1]
    }

    /// A number of frames, whatever a client has divided by.
    private func clamped(_ frames: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int(min(max(frames.rounded(rule), 1), Double(Int32.max)))
    }
}
