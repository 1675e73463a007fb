/// What the screen of `top` shows, and what keys do to it.
struct TopScreen {
    struct Line: Equatable {
        enum Style {
            case plain, bold, reverse
        }

        let text: String
        var style = Style.plain
    }

    /// What a key asks the program to do.
    enum Wish {
        case nothing
        /// To leave.
        case quit
        /// To ask for the contents of the loop that has been opened.
        case contents
    }

    /// The last sample.
    var rates: Rates? {
        didSet { keepSelection() }
    }
    /// The modes of the loop that is open.
    var contents: LoopContents?
    /// What is wrong at the moment.
    var note: String?
    private(set) var isPaused = false
    private(set) var isOpen = false
    private(set) var order = TopTable.Order.busy
    /// The thread of the loop that is picked.
    private(set) var selection: Int32?
    private var offset = 0

    private var table: TopTable? { rates.map { TopTable($0, order: order) } }

    private var picked: Rates.Loop? { rates?.loops.first { $0.thread == selection } }

    mutating func press(_ key: Terminal.Key) -> Wish {
        switch key {
        case .character("q"):
            if !isOpen { return .quit }
            close()
        case .escape: close()
        case .character("p"), .character(" "): isPaused.toggle()
        case .character("s"):
            let all = TopTable.Order.allCases
            order = all[((all.firstIndex(of: order) ?? 0) + 1) % all.count]
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .enter:
            if isOpen || picked == nil { return .nothing }
            isOpen = true
            offset = 0
            return .contents
        case .character: break
        }
        return .nothing
    }

    /// All of the screen.
    func lines(height: Int) -> [Line] {
        guard let table else { return [Line(text: "runloop top: waiting for the first sample")] }
        var head = "runloop top: " + table.title
        if isPaused { head += "  [paused]" }
        let notes = note.map { [Line(text: $0, style: .bold)] } ?? []
        let body = isOpen ? loopPage(table) : overview(table)
        let room = max(0, height - 2 - notes.count)
        let shown = body.dropFirst(isOpen ? min(offset, max(0, body.count - room)) : 0).prefix(room)
        let blank = [Line](repeating: Line(text: ""), count: room - shown.count)
        return [Line(text: head, style: .bold)] + notes + shown + blank + [foot]
    }

    private var foot: Line {
        let keys =
            isOpen
            ? "up/down scroll  p pause  q back"
            : "up/down pick  return open  s order: \(order.rawValue)  p pause  q quit"
        return Line(text: keys, style: .reverse)
    }

    private func overview(_ table: TopTable) -> [Line] {
        var lines = [Line(text: TopTable.loopHeader, style: .reverse)]
        for loop in table.loops {
            let row = TopTable.row(of: loop)
            let isPicked = loop.thread == selection
            lines.append(
                Line(text: isPicked ? ">" + row.dropFirst() : row, style: isPicked ? .bold : .plain)
            )
            lines += TopTable.notes(of: loop).map { Line(text: $0) }
        }
        lines.append(Line(text: ""))
        lines.append(Line(text: TopTable.functionHeader, style: .reverse))
        let functions = table.functions.prefix(10)
        lines += functions.map { Line(text: TopTable.row(of: $0.function, in: $0.loop)) }
        lines.append(Line(text: ""))
        lines.append(Line(text: TopTable.timerHeader, style: .reverse))
        return lines + table.timers.map { Line(text: TopTable.row(of: $0)) }
    }

    private func loopPage(_ table: TopTable) -> [Line] {
        guard let loop = picked else { return [Line(text: "The loop has ended.")] }
        var lines = [
            Line(text: TopTable.loopHeader, style: .reverse), Line(text: TopTable.row(of: loop)),
        ]
        lines += TopTable.notes(of: loop).map { Line(text: $0) }
        if let longest = loop.longestFunction {
            lines.append(Line(text: "    longest: \(longest)"))
        }
        lines += [Line(text: ""), Line(text: TopTable.functionHeader, style: .reverse)]
        lines += loop.functions.map { Line(text: TopTable.row(of: $0, in: loop)) }
        lines += [Line(text: ""), Line(text: TopTable.timerHeader, style: .reverse)]
        lines += loop.timers.map { Line(text: TopTable.row(of: $0)) }
        for mode in contents?.modes ?? [] {
            lines.append(Line(text: ""))
            let count = mode.items.count &+ mode.omittedItems
            let title = "  MODE \(mode.name): \(count) item\(count == 1 ? "" : "s")"
            lines.append(Line(text: title, style: .reverse))
            lines += mode.items.map { Line(text: Self.row(of: $0)) }
            if mode.omittedItems > 0 { lines.append(Line(text: "  and \(mode.omittedItems) more")) }
        }
        return lines
    }

    private static func row(of item: LoopContents.Item) -> String {
        let descriptor = item.descriptor.map { " \($0)" } ?? ""
        let calls = item.kind == "observer" ? "" : "\(item.calls) calls"
        return "  " + padded(item.kind + descriptor, to: 18) + leftPadded(calls, to: 18) + "  "
            + (item.name ?? "?")
    }

    private mutating func close() {
        isOpen = false
        offset = 0
        contents = nil
    }

    private mutating func move(by step: Int) {
        if isOpen {
            offset = max(0, offset + step)
            return
        }
        guard let loops = table?.loops, !loops.isEmpty else { return }
        let place = loops.firstIndex { $0.thread == selection } ?? 0
        selection = loops[min(max(0, place + step), loops.count - 1)].thread
    }

    /// Picks the first loop if the picked one has ended.
    private mutating func keepSelection() {
        if picked == nil, !isOpen { selection = table?.loops.first?.thread }
    }
}
