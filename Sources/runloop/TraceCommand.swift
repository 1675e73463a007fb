import ArgumentParser
import Glibc
import RunLoopDiagnostics

/// `runloop trace`: runs a sample and tells what its loops did.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Runs a sample and records what all loops do meanwhile.",
        discussion: """
            Prints how often the loops ran, slept and called what. With --json the recording is \
            written for ui.perfetto.dev and chrome://tracing, with --svg as a picture.
            """
    )

    @Argument(help: "The sample to run; 'runloop demo --list' lists them.")
    var name: String

    @Option(help: "Write a picture to this file.")
    var svg: String?

    @Option(help: "Write trace-event JSON to this file.")
    var json: String?

    @Flag(help: "Draw times in which no loop does anything in proportion.")
    var linear = false

    @Option(help: "How wide the picture is, in pixels.")
    var width = 1100

    @Option(help: "How many events are kept for each loop.")
    var capacity = 16384

    func validate() throws {
        if Samples.named(name) == nil {
            throw ValidationError("There is no sample named '\(name)'. Try 'runloop demo --list'.")
        }
        if width < 400 { throw ValidationError("'--width' is less than 400.") }
        if capacity < 64 { throw ValidationError("'--capacity' is less than 64.") }
    }

    func run() throws {
        guard let sample = Samples.named(name) else { throw ExitCode.failure }
        let tracer = RLRunLoopTracer(capacity: capacity)
        tracer.startAll()
        let isExpected = Samples.run(sample)
        tracer.stop()
        let trace = tracer.snapshot()
        write(trace.summary())
        if let json { try save(trace.chromeJSON(), to: json) }
        if let svg {
            let title = "runloop trace \(name)"
            try save(trace.svg(title: title, width: width, foldsIdleTimes: !linear), to: svg)
        }
        if !isExpected { throw ExitCode.failure }
    }

    private func save(_ text: String, to path: String) throws {
        guard let file = fopen(path, "we") else { throw failure(path) }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else { throw failure(path) }
    }

    private func failure(_ path: String) -> ValidationError {
        ValidationError("'\(path)' cannot be written: \(String(cString: strerror(errno))).")
    }
}
