import ArgumentParser
import Glibc
import RunLoopDiagnostics

struct StallsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stalls",
        abstract: "Reports callbacks of a running process that take too long.",
        discussion: """
            A callback that takes --threshold milliseconds is reported while it runs, with a \
            backtrace, and again when it is over. So are five in a row that each take a fifth of \
            that. What hangs already is reported first.
            """
    )

    @Argument(help: "The process ID, which 'runloop list' shows.")
    var process: pid_t

    @Option(
        help: .init("How long a callback may take, from 5 to 60000 ms.", valueName: "milliseconds")
    )
    var threshold = 250

    @Option(help: "How long to look; without it, until the process ends.")
    var seconds: Double?

    @Flag(help: "Write each report as JSON.")
    var json = false

    func validate() throws {
        if !(5...60_000 ~= threshold) {
            throw ValidationError("'--threshold' must be from 5 to 60000.")
        }
        if let seconds, !(0...1e6 ~= seconds) {
            throw ValidationError("'--seconds' must be from 0 to 1000000.")
        }
    }

    func run() throws {
        try inspecting {
            let process = try InspectedProcess(process)
            defer { process.leave() }
            let end = secondsNow() + (seconds ?? .infinity)
            var next = try show(process, from: nil)
            note("looking for stalls of process \(process.number)")
            while secondsNow() < end {
                usleep(useconds_t(max(0, min(end - secondsNow(), 0.2)) * 1e6))
                next = try show(process, from: next)
            }
        }
    }

    private struct Reply: Decodable {
        let next: Int
        let earlier: [Report]
        let reports: [Report]
    }

    private struct Report: Decodable {
        let id: Int?
        let isOver: Bool
        let thread: Int32
        let nanoseconds: UInt64
        let function: String?
        let lines: [ReportLine]
    }

    private struct WrittenReport: Encodable {
        let id: Int?
        let isOver: Bool
        let thread: Int32
        let nanoseconds: UInt64
        let function: String?
        let text: String
    }

    /// Prints new reports; without a number, also the current stalls.
    private func show(_ process: InspectedProcess, from number: Int?) throws -> Int {
        let from = number.map { "from=\($0)" } ?? "earlier=1"
        let values = "threshold=\(threshold) \(from)"
        let reply = try process.askAsViewer("stalls", values, for: Reply.self)
        for report in reply.earlier + reply.reports {
            let text = process.written(report.lines)
            guard json else {
                write(text)
                continue
            }
            try writeJSONLine(
                WrittenReport(
                    id: report.id,
                    isOver: report.isOver,
                    thread: report.thread,
                    nanoseconds: report.nanoseconds,
                    function: report.function,
                    text: text
                )
            )
        }
        return reply.next
    }
}
