import ArgumentParser
import Foundation

/// `benchmarks programs`: what programs do, in all ways, as tables.
struct ProgramsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "programs",
        abstract: "Measures what programs do: serving connections, sending messages, fetching.",
        discussion: """
            Each figure is the median over the runs, of one operation; in brackets how often the \
            first way's that is. The ways take turns within a run. A server has the first \
            processor, its load is a process of its own and has the second; both sides of \
            messages share the first, and what they take is added up.
            """
    )

    @Option(help: "How often each program runs in each way.")
    var runs = 3

    @Option(help: "The largest size.")
    var largest = Int.max

    @Option(help: "The seconds that one run of a program may take in one way.")
    var patience = 20

    @Option(help: "Only programs whose names contain this.")
    var only: String?

    @Option(
        help: "Only these ways, separated by commas: \(Self.ways.joined(separator: ", "))."
    )
    var ways: String?

    @Flag(help: "Print one JSON array instead of tables.")
    var json = false

    @Option(help: "Where a plot of what has several sizes goes, an SVG file.")
    var plot: String?

    func validate() throws {
        guard runs > 0, patience > 0 else {
            throw ValidationError("'--runs' and '--patience' are at least 1.")
        }
        for name in wanted ?? [] where !Self.ways.contains(name) {
            throw ValidationError("There is no way '\(name)', or it is not installed.")
        }
        guard !programs.isEmpty else {
            throw ValidationError("No program has '\(only ?? "")' in its name.")
        }
    }

    func run() throws {
        var results: [ProgramResult] = []
        var columns: [String] = []
        for program in programs {
            let ways = program.ways.map(\.name).filter { wanted?.contains($0) ?? true }
            guard !ways.isEmpty else { continue }
            if ways != columns { write("\n" + ProgramResult.head(ways)) }
            columns = ways
            for size in program.sizes where size <= max(largest, program.sizes[0]) {
                let result = try compare(program, size, ways)
                result.lines(ways).forEach(write)
                results.append(result)
            }
        }
        write("")
        for remark in results.flatMap({ $0.remarks() }) { write("\\* \(remark)\n") }
        if json { try printJSON(results) }
        if let plot { try Plot(results).write(to: plot) }
        if results.contains(where: { $0.measurements.values.contains(where: \.hasFailed) }) {
            throw ExitCode.failure
        }
    }

    private static var ways: [String] {
        Program.all.flatMap { $0.ways.map(\.name) }.reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    private var wanted: [String]? {
        ways?.split(separator: ",").map(String.init)
    }

    private var programs: [Program] {
        Program.all.filter { only.map($0.title.contains) ?? true }
    }

    private func compare(_ program: Program, _ size: Int, _ ways: [String]) throws -> ProgramResult
    {
        var measurements = ways.map { _ in Measurement() }
        for run in 0..<runs {
            for place in ways.indices {
                // Each run begins with another way.
                let index = (place + run) % ways.count
                try measurements[index].addRun(
                    program.title,
                    on: ways[index],
                    size: size,
                    patience: patience
                )
            }
        }
        return ProgramResult(
            program: program,
            size: size,
            measurements: Dictionary(uniqueKeysWithValues: zip(ways, measurements))
        )
    }

    private func printJSON(_ results: [ProgramResult]) throws {
        let data = try JSONSerialization.data(
            withJSONObject: results.map(\.object),
            options: [.prettyPrinted, .sortedKeys]
        )
        print(String(decoding: data, as: UTF8.self))
    }

    private func write(_ line: String) {
        guard !json else { return }
        print(line)
        // Whoever waits for lines in a file wants them one by one.
        fflush(nil)
    }
}
