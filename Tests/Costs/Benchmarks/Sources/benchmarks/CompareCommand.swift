import ArgumentParser
import Engines
import Foundation

/// `benchmarks compare`: all workloads on all loops, as tables and a plot.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Prints tables of medians with ratios, and writes a plot of growth with size.",
        discussion: """
            Each figure is the median over the runs. The loops take turns within a run, so that \
            what else the machine does falls on all of them; on a busy machine only the ratios \
            mean something. A dash stands for what a loop does not have. One with a star stands \
            for a loop that did not finish, or was left out because, at the size before, it took \
            so long that it could not; the reasons follow the table.
            """
    )

    @Option(help: "How often each workload runs on each loop.")
    var runs = 5

    @Option(help: "The largest size.")
    var largest = 1_000_000

    @Option(help: "The seconds that one run of a workload may take on a loop.")
    var patience = 10

    @Option(help: "Only workloads whose names contain this.")
    var only: String?

    @Option(
        help:
            "Only these loops, separated by commas: \(Subject.all.map(\.name).joined(separator: ", "))."
    )
    var loops: String?

    @Flag(
        help: "Print the columns and sizes of RESULTS.md only; measure all of them."
    )
    var brief = false

    @Option(help: "Where the plot goes, an SVG file.")
    var plot: String?

    func validate() throws {
        guard runs > 0, patience > 0 else {
            throw ValidationError("'--runs' and '--patience' are at least 1.")
        }
        for name in wanted ?? [] where !Subject.all.map(\.name).contains(name) {
            throw ValidationError("There is no loop '\(name)', or it is not installed.")
        }
        guard workloads(optIn: true).count + workloads(optIn: false).count > 0 else {
            throw ValidationError("No workload has '\(only ?? "")' in its name.")
        }
    }

    func run() throws {
        let subjects = Subject.all.map(\.name).filter { wanted?.contains($0) ?? true }
        let results = try compareAll(workloads(optIn: false), subjects)
        writeSwiftLayers(results)
        // What is off unless asked for stands apart.
        let able = ["floor", "ours", "CoreRunLoop", "RunLoopKit"].filter(subjects.contains)
        let optIn = try compareAll(workloads(optIn: true), able)
        if only == nil { write(try StartUp(runs: runs * 4).table()) }
        if let plot { try Plot(results, subjects).write(to: plot) }
        if (results + optIn).contains(where: { $0.measurements.values.contains(where: \.hasFailed) }
        ) {
            throw ExitCode.failure
        }
    }

    private var wanted: [String]? {
        loops?.split(separator: ",").map(String.init)
    }

    private func workloads(optIn: Bool) -> [workload] {
        Workloads.all.filter { workload in
            workload.isOptIn == optIn && only.map(workload.title.contains) ?? true
        }
    }

    /// Measures and prints a table; nothing if there are no workloads.
    private func compareAll(_ workloads: [workload], _ subjects: [String]) throws -> [Result] {
        guard !workloads.isEmpty, !subjects.isEmpty else { return [] }
        let columns = brief ? Subject.brief.filter(subjects.contains) : subjects
        write(Result.head(columns, of: subjects))
        var results: [Result] = []
        for workload in workloads {
            var before: Result?
            for size in workload.allSizes where size <= max(largest, workload.allSizes[0]) {
                let result = try compare(workload, size: size, subjects: subjects, before: before)
                if !brief || result.isEssential {
                    result.lines(columns, of: subjects).forEach(write)
                }
                results.append(result)
                before = result
            }
        }
        write("")
        for remark in results.flatMap({ $0.remarks(subjects) }) { write("\\* \(remark)\n") }
        return results
    }

    private func compare(
        _ workload: workload,
        size: Int,
        subjects: [String],
        before: Result?
    ) throws -> Result {
        var measurements = subjects.map { first($0, size: size, before: before) }
        for run in 0..<runs {
            for place in subjects.indices {
                // Each run begins with another loop.
                let index = (place + run) % subjects.count
                try measurements[index].addRun(
                    workload.title,
                    on: subjects[index],
                    size: size,
                    patience: patience
                )
            }
        }
        return Result(
            title: workload.title,
            unit: String(cString: workload.unit),
            size: size,
            isDistribution: workload.is_distribution,
            isEssential: size == 1 || size == 100_000 || size == workload.allSizes.last,
            measurements: Dictionary(uniqueKeysWithValues: zip(subjects, measurements))
        )
    }

    /// A measurement to begin with: of a loop that took too long at the size before, none.
    ///
    /// Times grow with the size at least. A loop that is not linear is tried once more and then
    /// ends by the limit.
    private func first(_ subject: String, size: Int, before: Result?) -> Measurement {
        var measurement = Measurement()
        guard let before, let past = before.measurements[subject] else { return measurement }
        let expected = past.seconds * Double(size) / Double(before.size)
        if past.remark != nil {
            measurement.leaveOut("left out, as at \(before.size)")
        } else if expected > Double(patience) {
            let seconds = String(format: "%.1f", past.seconds)
            measurement.leaveOut("left out, as \(before.size) took \(seconds) s")
        }
        return measurement
    }

    private func writeSwiftLayers(_ results: [Result]) {
        let lines = results.filter { !brief || $0.isEssential }.flatMap { $0.swiftLines() }
        guard !lines.isEmpty else { return }
        write(Result.swiftHead)
        for line in lines { write(line) }
        write("")
    }

    private func write(_ line: String) {
        print(line)
        // Whoever waits for lines in a file wants them one by one.
        fflush(nil)
    }
}
