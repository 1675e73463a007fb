import ArgumentParser
import Engines
import Foundation

/// `benchmarks compare`: all workloads on all loops, as a table and a plot.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Prints a table of medians with ratios, and writes a plot of growth with size.",
        discussion: """
            Each figure is the median over the runs. The loops take turns within a run, so that \
            what else the machine does falls on all of them; on a busy machine only the ratios \
            mean something. A dash stands for what a loop does not have, or did not finish.
            """
    )

    @Option(help: "How often each workload runs on each loop.")
    var runs = 5

    @Option(help: "The largest size; workloads grow to 1000000.")
    var largest = 100_000

    @Option(help: "Only workloads whose names contain this.")
    var only: String?

    @Option(help: "Only these loops, separated by commas.")
    var loops: String?

    @Option(help: "Where the plot goes, an SVG file.")
    var plot: String?

    func run() throws {
        let wanted = loops?.split(separator: ",").map(String.init)
        let subjects = Subject.all.map(\.name).filter { wanted?.contains($0) ?? true }
        var results: [Result] = []
        print(Result.head(subjects))
        for workload in Workloads.all where only.map(workload.title.contains) ?? true {
            for size in workload.allSizes where size <= max(largest, workload.allSizes[0]) {
                let result = try compare(workload, size: size, subjects: subjects)
                for line in result.lines(subjects) { print(line) }
                // Whoever waits for lines in a file wants them one by one.
                fflush(nil)
                results.append(result)
            }
        }
        print(try startUp())
        if let plot { try Plot(results, subjects).write(to: plot) }
    }

    private func compare(_ workload: workload, size: Int, subjects: [String]) throws -> Result {
        var measurements = Array(repeating: Measurement(), count: subjects.count)
        for run in 0..<runs {
            for place in subjects.indices {
                // Each run begins with another loop.
                let index = (place + run) % subjects.count
                try measurements[index].addRun(workload.title, on: subjects[index], size: size)
            }
        }
        return Result(
            title: workload.title,
            unit: String(cString: workload.unit),
            size: size,
            isDistribution: workload.is_distribution,
            measurements: Dictionary(uniqueKeysWithValues: zip(subjects, measurements))
        )
    }

    /// Programs that run one pass: what they take from start to end, and their resident size.
    private func startUp() throws -> String {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        var lines = [
            "", "| program that makes one pass | ms from start to end | resident KB |",
            "|---|---|---|",
        ]
        for name in ["minimal-engine", "minimal-foundation"] {
            let path = folder.appendingPathComponent(name).path
            guard FileManager.default.fileExists(atPath: path) else { continue }
            var times: [Double] = []
            var size = 0
            for _ in 0..<(runs * 4) {
                let life = try Life(path)
                times.append(life.milliseconds)
                size = life.residentKilobytes
            }
            let median = times.sorted()[times.count / 2]
            lines.append("| \(name) | \(String(format: "%.1f", median)) | \(size) |")
        }
        return lines.joined(separator: "\n")
    }
}
