struct TopTable {
    enum Order: String, CaseIterable {
        case busy, passes, longest, thread
    }

    private let rates: Rates
    private let order: Order
    /// The filter in lower case.
    private let filter: String

    /// Creates a table of the entries whose names contain the filter, regardless of case.
    init(_ rates: Rates, order: Order = .busy, filter: String = "") {
        self.rates = rates
        self.order = order
        self.filter = filter.lowercased()
    }

    func shows(_ name: String?) -> Bool {
        filter.isEmpty || (name ?? "").lowercased().contains(filter)
    }

    private func shows(_ loop: Rates.Loop) -> Bool {
        let names = [loop.name, loop.mode, loop.callback, loop.isMain ? "main" : nil]
        return names.contains(where: shows)
            || loop.functions.contains { shows($0.name) } || loop.timers.contains { shows($0.name) }
    }

    /// All columns except the last fit into 80 characters.
    static let loopHeader =
        "  LOOP            MODE      BUSY ASLEEP PASS/S TIMER DESCR  WAKE QUEUE LONGEST  NOW"
    static let functionHeader = "   SHARE  CALLS/S  LONGEST  KIND                FUNCTION"
    static let timerHeader = "     DUE    EVERY  CALLS/S    LATE   WORST  TIMER"

    var loops: [Rates.Loop] {
        let loops = rates.loops.filter(shows)
        return switch order {
        case .busy: loops.sorted { ($0.busy, $1.thread) > ($1.busy, $0.thread) }
        case .passes:
            loops.sorted { ($0.passesPerSecond, $1.thread) > ($1.passesPerSecond, $0.thread) }
        case .longest: loops.sorted { ($0.longest, $1.thread) > ($1.longest, $0.thread) }
        case .thread: loops.sorted { $0.thread < $1.thread }
        }
    }

    var title: String {
        let count = rates.loops.count &+ rates.omittedLoops
        return "process \(rates.process) (\(rates.name)): "
            + "\(count) run loop\(count == 1 ? "" : "s"), load \(percentText(rates.load))"
    }

    var plainLines: [String] {
        var lines = [title, Self.loopHeader]
        for loop in loops { lines += [Self.row(of: loop)] + Self.notes(of: loop) }
        let functions = self.functions.prefix(10)
        if !functions.isEmpty {
            lines.append(Self.functionHeader)
            lines += functions.map { Self.row(of: $0.function, in: $0.loop) }
        }
        let timers = self.timers.prefix(10)
        if !timers.isEmpty { lines += [Self.timerHeader] + timers.map { Self.row(of: $0) } }
        return lines + [""]
    }

    var functions: [(loop: Rates.Loop, function: Rates.Function)] {
        rates.loops.flatMap { loop in loop.functions.map { (loop, $0) } }
            .filter { $0.function.callsPerSecond > 0 && shows($0.function.name) }
            .sorted { $0.function.share > $1.function.share }
    }

    var timers: [Rates.Timer] {
        rates.loops.flatMap(\.timers).filter { shows($0.name) }.sorted { $0.badness > $1.badness }
    }

    static func row(of loop: Rates.Loop) -> String {
        let wakeUps = loop.wakeUpsPerSecond
        return "  " + padded(name(of: loop, width: 15), to: 16)
            + padded(clipped(shortMode(loop.mode), to: 8), to: 8)
            + leftPadded(percentText(loop.busy), to: 6)
            + leftPadded(percentText(loop.asleep), to: 7)
            + leftPadded(rateText(loop.passesPerSecond), to: 7)
            + [wakeUps.timer, wakeUps.descriptor, wakeUps.wakeUp, wakeUps.mainQueue]
            .map { leftPadded(rateText($0), to: 6) }.joined()
            + leftPadded(loop.longest > 0 ? durationText(loop.longest) : "-", to: 8)
            + "  " + doing(loop)
    }

    // Describes a loop's problems. Names are at the end, because they may be truncated.
    static func notes(of loop: Rates.Loop, width: Int = .max) -> [String] {
        var notes: [String] = []
        if let spin = loop.spin {
            notes.append(note("    spins: ", spin, loop.spinPlace, width: width))
        }
        if loop.isInCallback && loop.secondsInPhase >= 0.25 {
            let head = "    hangs: \(durationText(loop.secondsInPhase)) in \(loop.phase)"
            let place = loop.callbackPlace
            notes.append(loop.callback.map { note(head + "  ", $0, place, width: width) } ?? head)
        }
        if !loop.isTraced { notes.append("    no callbacks: the program traces the loop itself") }
        return notes
    }

    static func note(_ head: String, _ name: String, _ place: Rates.Place?, width: Int) -> String {
        head + placed(name, place, width: width - head.count)
    }

    static func row(
        of function: Rates.Function,
        in loop: Rates.Loop,
        width: Int = .max
    ) -> String {
        let figures =
            leftPadded(percentText(function.share), to: 8)
            + leftPadded(rateText(function.callsPerSecond), to: 9)
            + leftPadded(durationText(function.longest), to: 9)
            + "  " + padded(clipped(function.kind, to: 19), to: 20)
        return figures + placed(function.name, function.place, width: width - figures.count)
    }

    static func row(of timer: Rates.Timer, width: Int = .max) -> String {
        let overdue = timer.due.flatMap { $0 < 0 ? -$0 : nil }
        let due = overdue == nil ? timer.due.map(durationText) : "now"
        // The lateness of an overdue timer is at least the time for which it is overdue.
        let worst = [timer.worstLateness, overdue].compactMap(\.self).max()
        let figures =
            leftPadded(due ?? "-", to: 8)
            + leftPadded(timer.interval > 0 ? durationText(timer.interval) : "once", to: 9)
            + leftPadded(rateText(timer.callsPerSecond), to: 9)
            + leftPadded(timer.meanLateness.map(durationText) ?? "-", to: 8)
            + leftPadded(worst.map(durationText) ?? "-", to: 8)
            + "  "
        return figures + placed(timer.name, timer.place, width: width - figures.count)
    }

    /// Truncates long names in the middle, but never the line number.
    static func placed(_ name: String, _ place: Rates.Place?, width: Int) -> String {
        guard let place else { return clippedInMiddle(name, to: width) }
        let line = ":\(place.line)"
        let short = clippedInMiddle(place.fileName, to: max(1, width - line.count - 10)) + line
        let room = width - short.count - 2
        return room > 0 ? short + "  " + clippedInMiddle(name, to: room) : short
    }

    static func at(_ place: Rates.Place?) -> String {
        place.map { " at \($0.shortText)" } ?? ""
    }

    /// Returns a loop's name and ID; truncation keeps the ID, which is unique.
    static func name(of loop: Rates.Loop, width: Int) -> String {
        let number = " \(loop.thread)"
        return clipped(loop.isMain ? "main" : loop.name, to: width - number.count) + number
    }

    private static func doing(_ loop: Rates.Loop) -> String {
        if loop.isInCallback { return "in " + (loop.callback ?? loop.phase) }
        return loop.mode == nil ? "does not run" : loop.phase == "sleep" ? "sleeps" : "runs"
    }
}

extension Rates.Timer {
    /// The time for which the timer is overdue, or its worst lateness if that is greater.
    fileprivate var badness: Double {
        max(-(due ?? 0), worstLateness ?? 0)
    }
}

func shortMode(_ mode: String?) -> String {
    switch mode {
    case nil: "-"
    case "kRLRunLoopDefaultMode": "default"
    case let mode?: mode
    }
}

extension Rates.Place {
    var fileName: Substring { file.split(separator: "/").last ?? "" }

    var shortText: String { "\(fileName):\(line)" }
}

/// Truncates in the middle: two thirds of the result are the end of the text.
func clippedInMiddle(_ text: some StringProtocol, to width: Int) -> String {
    if text.count <= width { return String(text) }
    let end = max(0, width - 1) * 2 / 3
    return text.prefix(max(0, width - 1 - end)) + "…" + text.suffix(end)
}

func clipped(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
}

/// Returns a rate of at most six characters.
func rateText(_ rate: Double) -> String {
    switch rate {
    case ..<0.05: "0"
    case ..<9.95: "\(tenths(rate))"
    case ..<99_999.5: "\(whole(rate))"
    case ..<999_950: "\(whole(rate / 1000))k"
    default: "\(tenths(rate / 1e6))M"
    }
}

/// Returns a duration of at most seven characters.
func durationText(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.000_001: "0"
    case ..<0.000_999_5: "\(whole(seconds * 1e6))us"
    case ..<0.009_95: "\(tenths(seconds * 1000))ms"
    case ..<0.999_5: "\(whole(seconds * 1000))ms"
    case ..<99.95: "\(tenths(seconds))s"
    case ..<5999.5: "\(whole(seconds / 60))min"
    case ..<359_999: "\(whole(seconds / 3600))h"
    default: "\(whole(min(seconds / 86_400, 99_999)))d"
    }
}

/// The nearest integer, saturated.
func whole(_ number: Double) -> Int {
    Int(max(-1e15, min(number, 1e15)).rounded())
}

private func tenths(_ number: Double) -> String {
    let tenths = whole(number * 10)
    return "\(tenths / 10).\(tenths % 10)"
}
