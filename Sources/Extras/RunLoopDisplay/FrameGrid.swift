// The frames of an ideal display: multiples of the frame duration on the monotonic clock. All
// displays with the same rate are in phase. Times do not drift: at 60 Hz, 60 frames last exactly
// one second.
struct FrameGrid {
    static let rates = 24...240
    private static let second: Int64 = 1_000_000_000

    let refreshRate: Int

    private var rate: Int64 { Int64(refreshRate) }

    /// The time, in nanoseconds, at which a frame begins.
    func time(of frame: Int64) -> Int64 {
        frame / rate * Self.second + frame % rate * Self.second / rate
    }

    /// The number of the frame that contains a time in nanoseconds.
    func frame(at time: Int64) -> Int64 {
        let rest = time % Self.second
        return time / Self.second * rate + ((rest + 1) * rate - 1) / Self.second
    }

    /// The latest multiple of `divider` that is the number of a frame at or before a time.
    func frame(at time: Int64, every divider: Int) -> Int64 {
        frame(at: time) / Int64(divider) * Int64(divider)
    }

    /// Returns the divider for the rate closest to the preferred rate, within the range if
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

    /// Clamps to valid dividers.
    private func clamped(_ frames: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int(min(max(frames.rounded(rule), 1), Double(Int32.max)))
    }
}
