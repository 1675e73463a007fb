/// The frames of an ideal display: multiples of the frame duration on the monotonic clock, so that
/// all displays of one rate are in phase.
///
/// Frames are numbered and exact: 60 frames last one second.
struct FrameGrid {
    static let rates = 24...240
    private static let second: Int64 = 1_000_000_000

    let refreshRate: Int

    private var rate: Int64 { Int64(refreshRate) }

    /// The beginning of a frame, in nanoseconds.
    func time(of frame: Int64) -> Int64 {
        frame / rate * Self.second + frame % rate * Self.second / rate
    }

    /// The latest frame that has begun at a time, in nanoseconds.
    func frame(at time: Int64) -> Int64 {
        let rest = time % Self.second
        return time / Self.second * rate + ((rest + 1) * rate - 1) / Self.second
    }

    /// The latest frame that has begun at a time and is a multiple of the divider.
    func frame(at time: Int64, every divider: Int) -> Int64 {
        frame(at: time) / Int64(divider) * Int64(divider)
    }

    /// The number of frames per call that matches a range best: a rate within the range if
    /// possible.
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

    /// Rounds a number of frames, and limits it to valid divisors.
    private func clamped(_ frames: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int(min(max(frames.rounded(rule), 1), Double(Int32.max)))
    }
}
