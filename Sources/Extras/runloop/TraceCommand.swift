import ArgumentParser
import Glibc
import RunLoopDiagnostics
import RunLoopSamples

struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract:
            "Records activities, callbacks and sleeps of the loops of a sample or of a process.",
        discussion: """
            With a process ID, the loops of that process are recorded for --seconds; with the name \
            of a sample, the sample is run and its loops are recorded.

            Prints how often the loops ran, slept and called what. With --json the recording is \
            written for ui.perfetto.dev and chrome://tracing, with --svg as a picture.
            """
    )

    @Argument(
        help: """
            The sample to run, which 'runloop demo --list' shows, or a process ID, which 'runloop \
            list' shows.
            """
    )
    var name: String

    @Option(help: "How long to record a process.")
    var seconds = 2.0

    @Option(help: .init("Write a picture to this file.", valueName: "file"))
    var svg: String?

    @Option(help: .init("Write trace-event JSON to this file.", valueName: "file"))
    var json: String?

    @Option(
        help: .init(
            """
            Write a flame graph of a process's callbacks to this file. A hundred times a second, a \
            signal interrupts the threads whose loops are in one.
            """,
            valueName: "file"
        )
    )
    var flame: String?

    @Flag(help: "Draw idle times to scale instead of folding them.")
    var linear = false

    @Flag(help: "Draw the calls of observers too.")
    var observers = false

    @Option(help: .init("The width of the picture.", valueName: "pixels"))
    var width = 1100

    @Option(
        help: .init(
            "How many events to keep of each loop. (default: 16384; 65536 of a process)",
            valueName: "count"
        )
    )
    var capacity: Int?

    func validate() throws {
        if Samples.named(name) == nil && process == nil {
            throw ValidationError("There is no sample named '\(name)'. Try 'runloop demo --list'.")
        }
        if flame != nil && process == nil {
            throw ValidationError("'--flame' needs a process.")
        }
        if width < 400 { throw ValidationError("'--width' must be at least 400.") }
        if let capacity, capacity < 64 {
            throw ValidationError("'--capacity' must be at least 64.")
        }
        if !(0.01...3600 ~= seconds) {
            throw ValidationError("'--seconds' must be from 0.01 to 3600.")
        }
    }

    /// The process ID; nil for a sample, as no sample has a number as its name.
    private var process: pid_t? { pid_t(name) }

    func run() throws {
        if let process { return try trace(process) }
        guard let sample = Samples.named(name) else { throw ExitCode.failure }
        let files = (json: try json.map(OutputFile.init), svg: try svg.map(OutputFile.init))
        let tracer = RLRunLoopTracer(capacity: capacity ?? 16384)
        tracer.startAll()
        let isExpected = Samples.run(sample, write: runloop.write)
        tracer.stop()
        let symbolizer = Symbolizer(ofProcess: getpid())
        symbolizer.problem.map { note($0) }
        try write(
            tracer.snapshot().located(by: symbolizer),
            files.json,
            files.svg,
            title: name
        )
        if !isExpected { throw ExitCode.failure }
    }

    private func write(
        _ trace: RLRunLoopTrace,
        _ json: OutputFile?,
        _ svg: OutputFile?,
        title: String
    ) throws {
        runloop.write(trace.summary())
        try json?.write(trace.chromeJSON())
        let picture = trace.svg(
            title: "runloop trace \(title)",
            width: width,
            foldsIdleTimes: !linear,
            showsObservers: observers
        )
        try svg?.write(picture)
    }

    private func trace(_ number: pid_t) throws {
        try inspecting {
            let process = try InspectedProcess(number, patience: 60)
            let files = (json: try json.map(OutputFile.init), svg: try svg.map(OutputFile.init))
            let flameFile = try flame.map(OutputFile.init)
            defer { process.leave() }
            let recorder = ProcessRecorder(
                process,
                capacity: capacity ?? 65536,
                samplesStacks: flame != nil
            )
            try recorder.record(seconds: seconds)
            let trace = try recorder.trace().located(by: process.symbolizer)
            process.reportProblem()
            let title = "\(trace.processName ?? "") \(number)"
            try write(trace, files.json, files.svg, title: title)
            guard let samples = recorder.samples else { return }
            let places = process.findPlaces(samples.functions.map(\.address))
            let graph = FlameGraph(samples, places)
            try flameFile?.write(
                graph.svg(
                    title: "runloop trace \(process.number), while in callbacks",
                    width: width
                )
            )
        }
    }
}

private final class ProcessRecorder {
    private struct Beginning: Decodable {
        let time: Int
    }

    private struct Contents: Decodable {
        let name: String?
        let threads: [Int32]
    }

    private let process: InspectedProcess
    private let capacity: Int
    private let samplesStacks: Bool
    private var since = 0
    /// The end of the trace: events during the transfer are omitted.
    private var until = Int.max
    private(set) var samples: StackSamples?

    init(_ process: InspectedProcess, capacity: Int, samplesStacks: Bool) {
        self.process = process
        self.capacity = capacity
        self.samplesStacks = samplesStacks
    }

    func record(seconds: Double) throws {
        since = try process.askAsViewer("trace", "capacity=\(capacity)", for: Beginning.self).time
        until = since + Int(seconds * 1e9)
        let end = secondsNow() + seconds
        if samplesStacks { _ = try process.askAsViewer("stacks", for: StackSamples.self) }
        while secondsNow() < end {
            usleep(useconds_t(max(0, min(end - secondsNow(), 1)) * 1e6))
            // Keeps this viewer registered.
            _ = try process.askAsViewer("trace", "capacity=\(capacity)", for: Beginning.self)
        }
        if samplesStacks { samples = try process.askAsViewer("stacks") }
    }

    func trace() throws -> RLRunLoopTrace {
        let request = "capacity=\(capacity) since=\(since) until=\(until)"
        let contents = try process.askAsViewer("trace", request, for: Contents.self)
        let recordings = try contents.threads.compactMap { thread -> SentRecording? in
            do throws(InspectionFailure) {
                return try process.askAsViewer("trace", "\(request) thread=\(thread)")
            } catch .refused {
                // The loop has ended.
                return nil
            }
        }
        return RLRunLoopTrace(of: process.number, named: contents.name, recordings)
    }
}
