import ArgumentParser
import Glibc

struct TopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Shows the loops of a running process.",
        discussion: """
            On a terminal it is a screen: the arrow keys select a loop, return shows its modes and \
            what is in them, s changes the order, / filters by name, p or space pauses, ? shows all \
            keys, q quits. Elsewhere, and if TERM is "dumb", it writes lines, or with --json one \
            object per sample, each in a line.

            BUSY and ASLEEP are shares of the time; passes and wake-ups are per second; LONGEST is \
            the longest callback since somebody began to watch.
            """
    )

    @Argument(help: "The process ID, which 'runloop list' shows.")
    var process: pid_t

    @Option(help: .init("Seconds from one sample to the next.", valueName: "seconds"))
    var interval = 1.0

    @Option(
        help: .init(
            "How many samples to show; without it, until the process ends.",
            valueName: "count"
        )
    )
    var samples: Int?

    @Flag(help: "Write each sample as JSON.")
    var json = false

    func validate() throws {
        if !(0.05...3600 ~= interval) {
            throw ValidationError("'--interval' must be from 0.05 to 3600.")
        }
        if let samples, samples < 1 { throw ValidationError("'--samples' must be at least 1.") }
    }

    func run() throws {
        try inspecting {
            let isScreen = !json && Terminal.isScreen
            // With a screen, the time-out is short, because keys are not read during a request.
            let inspected = try InspectedProcess(process, patience: isScreen ? 3 : 10)
            let watch = try ProcessWatch(inspected, interval: interval)
            defer { watch.process.leave() }
            if isScreen {
                try TopSession(watch, samples: samples).run()
            } else {
                try writeSamples(watch)
            }
        }
    }

    private func writeSamples(_ watch: ProcessWatch) throws {
        var left = samples ?? .max
        while left > 0 {
            let rates = try watch.next()
            if json {
                try writeJSONLine(rates)
            } else {
                for line in TopTable(rates).plainLines { writeLine(line) }
            }
            left -= 1
        }
    }
}

final class ProcessWatch {
    let process: InspectedProcess
    let interval: Double
    private var last: Readings
    private var lastTime: Double
    private var lastQuestion: Double

    /// Requests a first reading; the first sample is due after the interval.
    init(_ process: InspectedProcess, interval: Double) throws {
        self.process = process
        self.interval = interval
        last = try process.askAsViewer("sample")
        lastTime = secondsNow()
        lastQuestion = lastTime
    }

    // The latest time of the next request: the inspector unregisters a viewer after four silent
    // seconds.
    var latestQuestion: Double { lastQuestion + 2 }

    func next() throws -> Rates {
        while true {
            let left = lastTime + interval - secondsNow()
            guard left > 0 else { return try take() }
            usleep(useconds_t(min(left, 1) * 1e6))
            if left > 1 { try stay() }
        }
    }

    /// Keeps this viewer registered.
    func stay() throws {
        _ = try readings()
    }

    func take() throws -> Rates {
        let readings = try readings()
        defer { (last, lastTime) = (readings, secondsNow()) }
        process.findPlaces((last.loops + readings.loops).flatMap(\.addresses))
        return Rates(from: last, to: readings, places: process.place)
    }

    private func readings() throws -> Readings {
        defer { lastQuestion = secondsNow() }
        return try process.askAsViewer("sample")
    }
}

func secondsNow() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
