/// The screen of `top`, which changes with keys.
struct TopScreen {
    struct Line: Equatable {
        enum Style {
            case plain, bold, reverse
        }

        let text: String
        var style = Style.plain
    }

    enum Wish {
        case nothing
        case quit
        case contents
    }

    var rates: Rates? {
        didSet { keepSelection() }
    }
    var contents: LoopContents?
    var note: String?
    private(set) var isPaused = false
    private(set) var isOpen = false
    private(set) var order = TopTable.Order.busy
    /// Only loops, functions, timers and items whose names contain this text are shown.
    private(set) var filter = ""
    private var isTypingFilter = false
    private var showsHelp = false
    /// The thread of the selected loop.
    private(set) var selection: Int32?
    private var offset = 0
    private let places: Rates.Places

    init(places: @escaping Rates.Places = { text, _ in (text, nil) }) {
        self.places = places
    }

    private var table: TopTable? { rates.map { TopTable($0, order: order, filter: filter) } }

    private var picked: Rates.Loop? { rates?.loops.first { $0.thread == selection } }

    mutating func press(_ key: Terminal.Key) -> Wish {
        if showsHelp {
            showsHelp = false
            return .nothing
        }
        if isTypingFilter {
            typeFilter(key)
            return .nothing
        }
        switch key {
        case .character("?"), .character("h"): showsHelp = true
        case .character("/"): isTypingFilter = true
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
        case .pageUp: move(by: -10)
        case .pageDown: move(by: 10)
        case .enter:
            if isOpen || picked == nil { return .nothing }
            isOpen = true
            offset = 0
            return .contents
        case .backspace, .character: break
        }
        return .nothing
    }

    private mutating func typeFilter(_ key: Terminal.Key) {
        switch key {
        case .character(let character): filter.append(character)
        case .backspace: _ = filter.popLast()
        case .enter: isTypingFilter = false
        case .escape:
            filter = ""
            isTypingFilter = false
        default: break
        }
        keepSelection()
    }

    func lines(height: Int, width: Int = .max) -> [Line] {
        guard let table else { return [Line(text: "runloop top: waiting for the first sample")] }
        var head = "runloop top: " + table.title
        if isPaused { head += "  [paused]" }
        if !filter.isEmpty && !isTypingFilter { head += "  [\(filter)]" }
        let notes = note.map { [Line(text: $0, style: .bold)] } ?? []
        let body = showsHelp ? Self.help : isOpen ? loopPage(table, width) : overview(table, width)
        let room = max(0, height - 2 - notes.count)
        let shown = body.dropFirst(isOpen ? min(offset, max(0, body.count - room)) : 0).prefix(room)
        let blank = [Line](repeating: Line(text: ""), count: room - shown.count)
        return [Line(text: head, style: .bold)] + notes + shown + blank + [foot]
    }

    private var foot: Line {
        let keys =
            if isTypingFilter {
                "show names with: \(filter)_"
            } else if showsHelp {
                "any key: back"
            } else if isOpen {
                "up/down scroll  p pause  / filter  ? help  q back"
            } else {
                "up/down pick  return open  s order: \(order.rawValue)  p pause  / filter  ? help  q quit"
            }
        return Line(text: keys, style: .reverse)
    }

    private static let help = """

          up, down, k, j        pick a loop, or scroll its page
          page up, page down    the same, by ten
          return                open the picked loop: its modes, and what is in them
          s                     order: busy, passes, longest, thread
          /                     show names with what is typed: return ends, Escape shows all
          p, space              pause
          Control-Z             stop this program; the shell's 'fg' continues it
          q, Escape             back; q quits

          BUSY, ASLEEP          shares of the time
          PASS/S                passes of the loop in a second
          TIMER DESCR           wake-ups in a second, by timers and by descriptors,
          WAKE QUEUE            by other threads, and by the main queue
          LONGEST               the longest callback since somebody began to watch
        """.split(separator: "\n", omittingEmptySubsequences: false).map { Line(text: String($0)) }

    private func overview(_ table: TopTable, _ width: Int) -> [Line] {
        var lines = [Line(text: TopTable.loopHeader, style: .reverse)]
        for loop in table.loops {
            let row = TopTable.row(of: loop)
            let isPicked = loop.thread == selection
            lines.append(
                Line(text: isPicked ? ">" + row.dropFirst() : row, style: isPicked ? .bold : .plain)
            )
            lines += TopTable.notes(of: loop, width: width).map { Line(text: $0) }
        }
        lines.append(Line(text: ""))
        lines.append(Line(text: TopTable.functionHeader, style: .reverse))
        let functions = table.functions.prefix(10)
        lines += functions.map {
            Line(text: TopTable.row(of: $0.function, in: $0.loop, width: width))
        }
        lines.append(Line(text: ""))
        lines.append(Line(text: TopTable.timerHeader, style: .reverse))
        return lines + table.timers.map { Line(text: TopTable.row(of: $0, width: width)) }
    }

    private func loopPage(_ table: TopTable, _ width: Int) -> [Line] {
        guard let loop = picked else { return [Line(text: "The loop has ended.")] }
        var lines = [
            Line(text: TopTable.loopHeader, style: .reverse), Line(text: TopTable.row(of: loop)),
        ]
        lines += TopTable.notes(of: loop, width: width).map { Line(text: $0) }
        if let longest = loop.longestFunction {
            let place = loop.longestPlace
            let note = TopTable.note("    longest: ", longest, place, width: width)
            lines.append(Line(text: note))
        }
        lines += [Line(text: ""), Line(text: TopTable.functionHeader, style: .reverse)]
        let functions = loop.functions.filter { table.shows($0.name) }
        lines += functions.map { Line(text: TopTable.row(of: $0, in: loop, width: width)) }
        lines += [Line(text: ""), Line(text: TopTable.timerHeader, style: .reverse)]
        lines += loop.timers.filter { table.shows($0.name) }.map {
            Line(text: TopTable.row(of: $0, width: width))
        }
        for mode in contents?.modes ?? [] {
            lines.append(Line(text: ""))
            let count = mode.items.count &+ mode.omittedItems
            let title = "  MODE \(mode.name): \(count) item\(count == 1 ? "" : "s")"
            lines.append(Line(text: title, style: .reverse))
            let items = mode.items.filter { table.shows($0.name) }
            lines += items.map { Line(text: row(of: $0, width)) }
            if mode.omittedItems > 0 { lines.append(Line(text: "  and \(mode.omittedItems) more")) }
        }
        return lines
    }

    private func row(of item: LoopContents.Item, _ width: Int) -> String {
        let descriptor = item.descriptor.map { " \($0)" } ?? ""
        let calls = item.kind == "observer" ? "" : "\(item.calls) calls"
        let head = "  " + padded(item.kind + descriptor, to: 18) + leftPadded(calls, to: 18) + "  "
        let (name, place) = places(item.name, item.functionAddress)
        return head + TopTable.placed(name ?? "?", place, width: width - head.count)
    }

    private mutating func close() {
        isOpen = false
        offset = 0
        contents = nil
        keepSelection()
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

    private mutating func keepSelection() {
        guard !isOpen, let loops = table?.loops else { return }
        if !loops.contains(where: { $0.thread == selection }) { selection = loops.first?.thread }
    }
}
