import ArgumentParser
import CLinux
import CoreRunLoop
import Glibc
import RunLoopDiagnostics

/// Prints the loops of a process; without a process, prints the description of a sample loop.
struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Prints the loops of a process, or the description of a loop.",
        discussion: """
            With a process ID: for each of the process's loops, its thread, and what it does and \
            for how long, with a backtrace if it is in a callback. Without one: the description of \
            a populated loop, and its statistics.
            """
    )

    @Argument(help: "The process ID, which 'runloop list' shows.")
    var process: pid_t?

    @Flag(help: "Write the loop's modes, their items, and the statistics as JSON.")
    var json = false

    func validate() throws {
        if process != nil && json {
            throw ValidationError("'--json' cannot be combined with a process.")
        }
    }

    func run() throws {
        if let process { return try dump(process) }
        let loop = try unwrap(RLRunLoopGetMain(), "There is no main loop.")
        let port = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        populate(loop, with: port)
        RLRunLoopRunInMode(.defaultMode, 0.01, false)

        if json {
            try writeJSON(Content(of: loop, counts: statistics(of: loop)))
        } else {
            write(loop.description)
            write("")
            writeStatistics(of: loop)
        }
        close(port)
    }

    private func dump(_ process: pid_t) throws {
        struct Reply: Decodable {
            let lines: [ReportLine]
        }
        try inspecting {
            let process = try InspectedProcess(process)
            write(process.written(try process.ask("dump", for: Reply.self).lines))
        }
    }

    fileprivate struct Content: Encodable {
        struct Item: Encodable {
            let kind: String
            let function: String?
            let descriptor: Int32?
            let calls: UInt32
        }

        var modes: [String: [Item]] = [:]
        var statistics: [String: UInt64] = [:]

        init(of loop: RLRunLoopRef, counts: [(String, UInt64)]) {
            for (name, count) in counts { statistics[name] = count }
            for mode in [RLRunLoopMode](RLRunLoopCopyAllModes(loop)) {
                modes[mode.description] = items(of: loop, mode)
            }
        }

        private func items(of loop: RLRunLoopRef, _ mode: RLRunLoopMode) -> [Item] {
            var items: [Item] = []
            loop.visitItems(of: mode) { items.append(Item($0)) }
            return items
        }
    }

    private func populate(_ loop: RLRunLoopRef, with port: CInt) {
        let observer = RLRunLoopObserverCreate(activities: [.beforeWaiting, .exit]) { _, _ in }
        let timer = RLRunLoopTimerCreate(
            fireDate: RLAbsoluteTimeGetCurrent(),
            interval: 0.002
        ) { _ in }
        let signal = RLRunLoopSourceCreate(order: -1) {}
        let reader = RLRunLoopSourceCreate(port: port) {}

        let tracking: RLRunLoopMode = "tracking"
        RLRunLoopAddCommonMode(loop, tracking)
        RLRunLoopAddObserver(loop, observer, .defaultMode)
        RLRunLoopAddTimer(loop, timer, .commonModes)
        RLRunLoopAddSource(loop, signal, .commonModes)
        RLRunLoopAddSource(loop, reader, tracking)
        RLRunLoopPerformBlock(loop, .defaultMode) {}
        RLRunLoopSourceSignal(signal)
    }

    private func writeStatistics(of loop: RLRunLoopRef) {
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        write("statistics of the loop of thread \(numbers.threadID):")
        for (name, value) in statistics(of: loop) {
            write("    \(padded(name, to: 24)) \(value)")
        }
    }

    private func statistics(of loop: RLRunLoopRef) -> [(String, UInt64)] {
        var statistics = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &statistics)
        return [
            ("runs", statistics.runs),
            ("passes", statistics.passes),
            ("sleeps", statistics.sleeps),
            ("wake-ups by token", statistics.wakeUpsByToken),
            ("wake-ups by timer", statistics.wakeUpsByTimer),
            ("wake-ups by descriptor", statistics.wakeUpsByDescriptor),
            ("wake-ups by main queue", statistics.wakeUpsByMainQueue),
            ("wake-ups by timeout", statistics.wakeUpsByTimeout),
            ("observer calls", statistics.observerCallouts),
            ("block calls", statistics.blockCallouts),
            ("source 0 calls", statistics.source0Callouts),
            ("source 1 calls", statistics.source1Callouts),
            ("timer calls", statistics.timerCallouts),
            ("main queue drains", statistics.mainQueueCallouts),
            ("microseconds asleep", statistics.nanosecondsAsleep / 1000),
            ("microseconds running", statistics.nanosecondsRunning / 1000),
        ]
    }
}

extension DumpCommand.Content.Item {
    fileprivate init(_ state: RLRunLoopItemState) {
        kind = state.kind.description
        // The last function is the client's closure, after the library's function that calls the
        // closure.
        let description = RLCopyDescription(state.item).map { String($0) } ?? ""
        let functions = description.matches(of: /callout = (.+?) \(0x/)
        function = functions.last.map { String($0.output.1) }
        descriptor = state.descriptor >= 0 ? state.descriptor : nil
        calls = state.callouts
    }
}
