import RunLoopKit

// Maps times to positions in a picture. Times in which all loops are idle are folded to a fixed
// width; all other times share one scale.
struct TraceScale {
    struct Part {
        let began: UInt64
        let ended: UInt64
        let isFolded: Bool
        var x = 0.0
        var width = 0.0
    }

    private(set) var parts: [Part] = []

    /// Pixels per nanosecond, outside of folded parts.
    private(set) var pixels = 0.0

    /// The times in which at least one loop is busy, sorted and disjoint.
    private typealias Busy = [(began: UInt64, ended: UInt64)]

    // `left` and `width` are in pixels. Spans that `isIdle` accepts count as idle.
    init(
        _ recordings: [RLRunLoopTrace.Recording],
        left: Double,
        width: Double,
        folds: Bool,
        isIdle: (RLRunLoopTrace.Span) -> Bool
    ) {
        let busy = Self.merge(recordings.flatMap { Self.busyTimes(of: $0, isIdle) })
        guard let first = busy.first?.began, let last = busy.last?.ended else { return }
        parts = [Part(began: first, ended: max(last, first + 1), isFolded: false)]
        fit(left, width)
        guard folds else { return }
        // Folding widens the other gaps, which may then be wide enough to fold: repeat.
        var folded = 0
        for _ in 0..<8 {
            let foldedWidth = Self.foldedWidth(of: max(folded, 1), in: width)
            let limit = UInt64(foldedWidth / max(pixels, 1e-12))
            let narrowed = Self.parts(of: busy, foldingFrom: limit)
            let count = narrowed.count { $0.isFolded }
            if count == folded { break }
            folded = count
            parts = narrowed
            fit(left, width)
        }
    }

    func x(_ time: UInt64) -> Double {
        guard let first = parts.first, let last = parts.last else { return 0 }
        if time <= first.began { return first.x }
        if time >= last.ended { return last.x + last.width }
        var low = 0
        var high = parts.count - 1
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].ended < time { low = middle + 1 } else { high = middle }
        }
        let part = parts[low]
        let share = Double(time - part.began) / Double(max(1, part.ended - part.began))
        return part.x + part.width * share
    }

    private mutating func fit(_ left: Double, _ width: Double) {
        let folded = parts.count { $0.isFolded }
        let foldedWidth = Self.foldedWidth(of: folded, in: width)
        let shown = parts.filter { !$0.isFolded }.map { Double($0.ended - $0.began) }
        pixels = (width - foldedWidth * Double(folded)) / max(1, shown.reduce(0, +))
        var x = left
        for index in parts.indices {
            let length = Double(parts[index].ended - parts[index].began)
            parts[index].x = x
            parts[index].width = parts[index].isFolded ? foldedWidth : length * pixels
            x += parts[index].width
        }
    }

    private static func foldedWidth(of count: Int, in width: Double) -> Double {
        count == 0 ? 0 : min(46, width * 0.5 / Double(count))
    }

    private static func parts(of busy: Busy, foldingFrom limit: UInt64) -> [Part] {
        var parts: [Part] = []
        var began = busy[0].began
        var end = busy[0].ended
        // The edges of the gap stay unfolded, so that spans at its ends are visible.
        let edge = limit / 16
        for time in busy.dropFirst() {
            if time.began - end > limit {
                parts.append(Part(began: began, ended: end + edge, isFolded: false))
                parts.append(Part(began: end + edge, ended: time.began - edge, isFolded: true))
                began = time.began - edge
            }
            end = max(end, time.ended)
        }
        return parts + [Part(began: began, ended: max(end, began + 1), isFolded: false)]
    }

    private static func merge(_ times: Busy) -> Busy {
        var merged: Busy = []
        for time in times.sorted(by: { $0.began < $1.began }) {
            if let last = merged.last, time.began <= last.ended {
                merged[merged.count - 1].ended = max(last.ended, time.ended)
            } else {
                merged.append(time)
            }
        }
        return merged
    }

    /// The runs and callbacks, without the sleeps and idle spans in them.
    private static func busyTimes(
        of recording: RLRunLoopTrace.Recording,
        _ isIdle: (RLRunLoopTrace.Span) -> Bool
    ) -> Busy {
        var times: Busy = []
        var open: [RLRunLoopTrace.Span] = []
        var since: UInt64?
        func pass(to time: UInt64) {
            if let began = since, began <= time { times.append((began, time)) }
            since = nil
        }
        func closeInnermost() {
            let span = open.removeLast()
            if let outer = open.last {
                if isIdle(span) { since = span.ended }
                if isIdle(outer) { pass(to: span.ended) }
            } else if isIdle(span) {
                since = nil
            } else {
                pass(to: span.ended)
            }
        }
        for span in recording.spans {
            while open.count > span.depth { closeInnermost() }
            if isIdle(span) {
                pass(to: span.began)
            } else if since == nil {
                since = span.began
            }
            open.append(span)
        }
        while !open.isEmpty { closeInnermost() }
        return times
    }
}

extension RLRunLoopTrace.Span {
    var isSleep: Bool {
        if case .sleep = kind { true } else { false }
    }

    var isObserver: Bool {
        if case .callout(let callout) = kind {
            callout.phase == kRLRunLoopPhaseObserver
        } else {
            false
        }
    }
}
