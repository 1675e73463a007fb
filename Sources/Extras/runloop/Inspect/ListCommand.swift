import ArgumentParser
import Glibc

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the processes that can be looked into.",
        discussion: """
            These are the processes of this user that were started with RUNLOOP_INSPECT=1 and link \
            RunLoopDiagnostics, or that have called RLInspector.start(). The load is the share of \
            the time in which their loops were awake, measured for a fifth of a second.
            """
    )

    @Flag(help: "Write the list as JSON.")
    var json = false

    func run() throws {
        let processes = InspectedProcess.all(patience: 5)
        let before = processes.map(greet)
        if !processes.isEmpty { usleep(200_000) }
        let rows = zip(processes, before).compactMap { process, before -> Row? in
            // Omits processes that have ended since the first reply.
            guard let before, let after = greet(process) else { return nil }
            return Row(before, after)
        }
        if json { return try writeJSON(rows) }
        guard !rows.isEmpty else { return write("No process can be looked into.") }
        write("    PID  LOOPS   LOAD  NAME             PROGRAM")
        for row in rows { writeLine(row.line) }
    }

    /// Sends `hello`; prints a note if the process does not reply.
    private func greet(_ process: InspectedProcess) -> Greeting? {
        do throws(InspectionFailure) {
            return try process.ask("hello")
        } catch {
            if case .silent = error { note(error.line) }
            return nil
        }
    }

    struct Greeting: Decodable {
        let process: pid_t
        let name: String?
        let program: String?
        let time: Int
        let loops: Int
        let nanosecondsRunning: UInt64
    }

    private struct Row: Encodable {
        let process: pid_t
        let name: String
        let program: String
        let loops: Int
        let load: Double

        init(_ before: Greeting, _ after: Greeting) {
            process = after.process
            name = after.name ?? "?"
            program = after.program ?? "?"
            loops = after.loops
            let time = Double(max(1, after.time &- before.time))
            // Ended loops no longer count, so the sum may shrink.
            let busy =
                after.nanosecondsRunning > before.nanosecondsRunning
                ? after.nanosecondsRunning - before.nanosecondsRunning : 0
            load = (Double(busy) / time * 1000).rounded() / 1000
        }

        var line: String {
            let share = percentText(load)
            return "\(column(process, 7))  \(column(loops, 5))  \(leftPadded(share, to: 5))  "
                + "\(padded(name, to: 15))  \(program)"
        }

        private func column(_ number: some BinaryInteger, _ width: Int) -> String {
            leftPadded(String(number), to: width)
        }
    }
}

/// Returns a percentage of at most six characters.
func percentText(_ share: Double) -> String {
    let tenths = whole(share * 1000)
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)%" : "\(tenths / 10)%"
}

func leftPadded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
