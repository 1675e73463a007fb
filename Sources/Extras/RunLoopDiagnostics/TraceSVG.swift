// Draws a trace as one SVG file without scripts: tooltips are `title` elements, and a media query
// selects dark colors.

import RunLoopKit

extension RLRunLoopTrace {
    /// The trace as a picture for browsers and documents: a timeline with a lane for each loop.
    ///
    /// In a lane, activities are ticks, callbacks are bars in the color of their kind, and sleeps
    /// are pale bars labeled with the reason for the wake-up. Nested spans are below their outer
    /// spans. The tooltip of a bar has all details.
    ///
    /// - Parameters:
    ///   - title: The title above the picture.
    ///   - width: The width in pixels, from 400 to 100,000; other numbers are clamped.
    ///   - foldsIdleTimes: Whether to fold times in which all loops are idle to a fixed width, so
    ///     that short spans are visible. The axis shows the durations of folded times.
    ///   - showsObservers: Whether to draw calls of observers as bars too. If not, their times
    ///     count as idle; activities are always ticks.
    /// - Returns: The text of an SVG file.
    public func svg(
        title: String = "",
        width: Int = 1100,
        foldsIdleTimes: Bool = true,
        showsObservers: Bool = true
    ) -> String {
        let shown = recordings.filter { !$0.spans.isEmpty }
        var picture = TracePicture(
            recordings: shown,
            title: title,
            width: Double(min(max(400, width), 100_000)),
            folds: foldsIdleTimes,
            showsObservers: showsObservers,
            names: names
        )
        return picture.drawn()
    }
}

private struct TracePicture {
    let title: String
    let width: Double
    let scale: TraceScale
    let start: UInt64
    let lanes: [[RLRunLoopTrace.Recording]]
    let showsObservers: Bool
    private let names: TraceNames
    private var canvas = SVGCanvas()
    // For each lane, the top of its ticks and the bottom of its bars.
    private var extents: [(top: Double, bottom: Double)] = []
    private var y = 0.0

    private static let margin = 14.0
    private static let row = 17.0

    init(
        recordings: [RLRunLoopTrace.Recording],
        title: String,
        width: Double,
        folds: Bool,
        showsObservers: Bool,
        names: TraceNames
    ) {
        self.title = title
        self.names = names
        self.width = width
        self.showsObservers = showsObservers
        scale = TraceScale(
            recordings,
            left: Self.margin,
            width: width - 2 * Self.margin,
            folds: folds,
            isIdle: { $0.isSleep || (!showsObservers && $0.isObserver) }
        )
        start = scale.parts.first?.began ?? 0
        // Recordings of one thread share a lane; the main loop is on top.
        var threads: [Int32] = []
        for recording in recordings where !threads.contains(recording.thread) {
            threads.append(recording.thread)
        }
        let lanes = threads.map { thread in recordings.filter { $0.thread == thread } }
        self.lanes = lanes.filter { $0[0].isMain } + lanes.filter { !$0[0].isMain }
    }

    mutating func drawn() -> String {
        drawTitle()
        drawLegend()
        for lane in lanes { draw(lane) }
        drawGaps()
        drawAxis()
        return canvas.document(width: width, height: y)
    }

    // MARK: Lanes

    private mutating func draw(_ lane: [RLRunLoopTrace.Recording]) {
        let counts = lane.reduce(into: (events: 0, lost: 0)) { sum, recording in
            sum.events += recording.events.count
            sum.lost += recording.lostEvents
        }
        let lost = counts.lost > 0 ? ", \(counts.lost) overwritten" : ""
        y += 20
        canvas.text(
            Self.margin,
            y,
            "\(lane[0].title): \(counts.events) events\(lost)",
            class: "head"
        )
        y += 6
        let top = y
        for recording in lane { drawTicks(recording) }
        y += 12
        let depth = lane.flatMap(\.spans).map(\.depth).max() ?? 0
        for recording in lane { drawBars(recording) }
        y += Double(depth + 1) * Self.row
        extents.append((top, y))
        y += 4
    }

    private mutating func drawTicks(_ recording: RLRunLoopTrace.Recording) {
        let ticks = ticks(of: recording)
        for (index, tick) in ticks.enumerated() {
            let more = tick.names.count > 8 ? ["and \(tick.names.count - 8) more"] : []
            let title = (tick.names.prefix(8) + more).joined(separator: "\n")
            canvas.tick(tick.x, y, 9, title)
            let next = index + 1 < ticks.count ? ticks[index + 1].x : width
            if tick.x + 2 + SVGCanvas.width(of: tick.letters, size: 9) < next {
                canvas.text(tick.x + 2, y + 8, tick.letters, class: "letter")
            }
        }
    }

    /// Returns the ticks of the activities; activities at one position share a tick.
    private func ticks(
        of recording: RLRunLoopTrace.Recording
    ) -> [(x: Double, letters: String, names: [String])] {
        var ticks: [(x: Double, letters: String, names: [String])] = []
        for event in recording.events {
            guard case .activity(let activity) = event.kind else { continue }
            let x = scale.x(event.time)
            if ticks.isEmpty || x - ticks[ticks.count - 1].x >= 1.5 { ticks.append((x, "", [])) }
            ticks[ticks.count - 1].letters += Self.letter(activity)
            ticks[ticks.count - 1].names.append("\(activity) at \(moment(event.time))")
        }
        return ticks
    }

    private static func letter(_ activity: RLRunLoopActivity) -> String {
        switch activity {
        case .entry: "E"
        case .beforeTimers: "T"
        case .beforeSources: "S"
        case .beforeWaiting: "W"
        case .afterWaiting: "A"
        case .exit: "X"
        default: "?"
        }
    }

    private mutating func drawBars(_ recording: RLRunLoopTrace.Recording) {
        // The right end of the last bar of each row. A bar that the last bar would hide is omitted.
        var ends: [Int: Double] = [:]
        for span in recording.spans where showsObservers || !span.isObserver {
            let x = scale.x(span.began)
            let bar = max(scale.x(span.ended) - x, 1.2)
            let end = ends[span.depth] ?? -1
            if x + bar < end + 0.6 { continue }
            ends[span.depth] = x + bar
            let top = y + Double(span.depth) * Self.row
            canvas.bar(
                x,
                top,
                bar,
                Self.row - 3,
                class: style(span),
                label: label(span),
                title: tooltip(span)
            )
        }
    }

    private func label(_ span: RLRunLoopTrace.Span) -> [String] {
        switch span.kind {
        case .run:
            let mode = span.mode?.description ?? "?"
            return ["run in \(mode)", mode]
        case .callout(let callout):
            // If the name does not fit, the function that contains the closure is shown.
            let name = names.name(of: callout)
            return [name, name.split(separator: " in ").last.map(String.init) ?? ""]
        case .sleep(let reason):
            let duration = text(span.duration)
            return ["sleep \(duration), \(reason?.description ?? "not over")"]
                + [reason?.description ?? "…"]
        }
    }

    private func style(_ span: RLRunLoopTrace.Span) -> String {
        switch span.kind {
        case .run: "run"
        case .sleep: "sleep"
        case .callout(let callout): callout.style
        }
    }

    private func tooltip(_ span: RLRunLoopTrace.Span) -> String {
        var lines: [String] = []
        switch span.kind {
        case .run: lines.append("run in \(span.mode?.description ?? "an unknown mode")")
        case .sleep(let reason):
            lines.append("sleep, woken by: \(reason?.description ?? "nothing yet")")
        case .callout(let callout):
            let name = names.name(of: callout) + names.suffix(of: callout)
            lines.append("\(callout.kindName): \(name)")
        }
        lines.append("\(text(span.duration)), from \(moment(span.began))")
        if let mode = span.mode, span.kind != .run { lines.append("in \(mode)") }
        if span.isCutAtStart { lines.append("began before it was traced") }
        if span.isCutAtEnd { lines.append("not over") }
        return lines.joined(separator: "\n")
    }

    // MARK: Around the lanes

    private mutating func drawTitle() {
        y = 8
        if title.isEmpty { return }
        y += 16
        canvas.text(Self.margin, y, title, class: "title")
        y += 4
    }

    private mutating func drawLegend() {
        let spans = lanes.flatMap { $0.flatMap(\.spans) }
            .filter { showsObservers || !$0.isObserver }
        var entries: [(style: String, name: String)] = [("run", "run, with its mode")]
        for (style, name) in RLRunLoopTrace.Callout.styles {
            let isShown = spans.contains { span in
                if case .callout(let callout) = span.kind { callout.style == style } else { false }
            }
            if isShown { entries.append((style, name)) }
        }
        if spans.contains(where: \.isSleep) {
            entries.append(("sleep", "sleep, and what ended it"))
        }
        y += 14
        var x = Self.margin
        for entry in entries {
            let labelWidth = 20 + SVGCanvas.width(of: entry.name, size: 11) + 14
            if x + labelWidth > width - Self.margin, x > Self.margin {
                x = Self.margin
                y += 18
            }
            canvas.bar(x, y - 10, 14, 12, class: entry.style, label: [], title: entry.name)
            canvas.text(x + 20, y, entry.name, class: "note")
            x += labelWidth
        }
        y += 18
        canvas.tick(Self.margin + 7, y - 9, 10, "an activity")
        canvas.text(
            Self.margin + 20,
            y,
            "activities: Entry, before Timers, before Sources, before Waiting, After waiting, eXit",
            class: "note"
        )
    }

    private mutating func drawGaps() {
        for extent in extents {
            for part in scale.parts where part.isFolded {
                let title = "nothing for \(text(part.ended - part.began))"
                canvas.gap(part.x, extent.top, part.width, extent.bottom - extent.top, title)
            }
        }
    }

    private mutating func drawAxis() {
        y += 4
        canvas.line(Self.margin, y, width - Self.margin, y)
        var free = 0.0
        for part in scale.parts where !part.isFolded { drawMarks(of: part, &free) }
        var freeBelow = 0.0
        for part in scale.parts where part.isFolded { drawLength(of: part, &freeBelow) }
        y += freeBelow > 0 ? 32 : 20
        if freeBelow > 0 {
            canvas.text(
                Self.margin,
                y + 8,
                showsObservers
                    ? "Folded: times in which no loop does anything. All others share one scale."
                    : "Folded: sleeps and calls of observers. All other times share one scale.",
                class: "note"
            )
            y += 12
        }
        y += 10
    }

    private mutating func drawMarks(of part: TraceScale.Part, _ free: inout Double) {
        let step = Self.step(for: 78 / max(scale.pixels, 1e-12))
        var times = [part.began]
        if part.width > 90 {
            let first = (part.began - start) / step + 1
            let last = (part.ended - start) / step
            if first <= last { times += (first...last).map { start + $0 * step } }
        }
        for time in times {
            let x = scale.x(time)
            let isFirst = time == part.began
            let name = isFirst ? moment(time) : Self.text(time - start, step: step)
            let labelWidth = SVGCanvas.width(of: name, size: 10)
            canvas.line(x, y, x, y + 4)
            let last = width - Self.margin - labelWidth
            let left = min(max(x - (isFirst ? 0 : labelWidth / 2), Self.margin), last)
            if left < free { continue }
            canvas.text(left, y + 14, name, class: "mark")
            free = left + labelWidth + 8
        }
    }

    private mutating func drawLength(of part: TraceScale.Part, _ free: inout Double) {
        let name = text(part.ended - part.began)
        let labelWidth = SVGCanvas.width(of: name, size: 10)
        let left = part.x + part.width / 2 - labelWidth / 2
        if left < free { return }
        canvas.text(left, y + 26, name, class: "fold")
        free = left + labelWidth + 4
    }

    // MARK: Times

    /// The smallest round number of nanoseconds that is at least `least`.
    private static func step(for least: Double) -> UInt64 {
        var step: UInt64 = 1
        while true {
            for factor: UInt64 in [1, 2, 5] where Double(step * factor) >= least {
                return step * factor
            }
            step *= 10
        }
    }

    private static func text(_ nanoseconds: UInt64, step: UInt64) -> String {
        let places = step >= 1_000_000 ? 0 : step >= 100_000 ? 1 : step >= 10000 ? 2 : 3
        return decimal(Double(nanoseconds) / 1e6, places: places) + " ms"
    }

    /// The time since the left edge of the picture.
    private func moment(_ time: UInt64) -> String {
        decimal(Double(time < start ? 0 : time - start) / 1e6, places: 3) + " ms"
    }

    private func text(_ duration: UInt64) -> String {
        describeDuration(duration)
    }
}

func describeDuration(_ nanoseconds: UInt64) -> String {
    switch nanoseconds {
    case ..<1000: "\(nanoseconds) ns"
    case ..<100_000: decimal(Double(nanoseconds) / 1e3, places: 1) + " µs"
    case ..<1_000_000: decimal(Double(nanoseconds) / 1e3, places: 0) + " µs"
    case ..<100_000_000: decimal(Double(nanoseconds) / 1e6, places: 1) + " ms"
    case ..<10_000_000_000: decimal(Double(nanoseconds) / 1e6, places: 0) + " ms"
    default: decimal(Double(nanoseconds) / 1e9, places: 1) + " s"
    }
}

func decimal(_ number: Double, places: Int) -> String {
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let scaled = Int((abs(number) * factor).rounded())
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return sign + String(scaled) }
    let digits = String(scaled % Int(factor))
    let zeros = String(repeating: "0", count: places - digits.count)
    return "\(sign)\(scaled / Int(factor)).\(zeros)\(digits)"
}

extension RLRunLoopTrace.Callout {
    fileprivate static let styles = [
        ("observer", "observer"), ("block", "block"), ("source0", "source 0"),
        ("source1", "port or descriptor"), ("timer", "timer"), ("main", "main queue"),
        ("other", "callback"),
    ]

    fileprivate var style: String {
        Self.styles.first { $0.1 == kindName }?.0 ?? "other"
    }
}
