import ArgumentParser
import Engines
import Foundation
import Histogram

/// `benchmarks measure`: one workload on one loop, or one program in one way.
///
/// The other commands start it, so that each measurement has a process of its own.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract:
            "Runs one workload on one loop, or one program in one way, and prints its figures."
    )

    @Argument(help: "The name of the workload or program.")
    var workload: String

    @Argument(help: "The name of the loop or way.")
    var subject: String

    @Argument(help: "How many there are of what the workload has many of.")
    var size: Int

    @Option(help: "The seconds after which the process is ended.")
    var patience: UInt32 = 20

    func run() throws {
        alarm(patience)
        if let program = Program.all.first(where: { $0.title == workload }) {
            try measure(program)
        } else {
            try measureLoop()
        }
    }

    private func measure(_ program: Program) throws {
        guard let way = program.ways.first(where: { $0.name == subject }) else {
            throw ValidationError("There is no way '\(subject)', or it is not installed.")
        }
        show(way.measure(size))
    }

    private func measureLoop() throws {
        guard let chosen = Workloads.all.first(where: { $0.title == workload }) else {
            throw ValidationError("There is no workload '\(workload)'.")
        }
        guard let subject = Subject.all.first(where: { $0.name == subject }) else {
            throw ValidationError("There is no loop '\(subject)', or it is not installed.")
        }
        let samples = subject.measure(chosen, size)
        // The median and the 99th percentile of many, or the only one.
        show(samples.count > 1 ? percentiles(of: samples, [50, 99]) : samples)
    }

    private func show(_ figures: [Double]) {
        print(figures.map { String($0) }.joined(separator: " "))
    }
}

/// Percentiles of samples; not numbers if there are no samples.
func percentiles(of samples: some Collection<Double>, _ wanted: [Double]) -> [Double] {
    guard !samples.isEmpty else { return wanted.map { _ in .nan } }
    var histogram = Histogram<UInt32>(highestTrackableValue: 60_000_000_000)
    for sample in samples { histogram.record(UInt64(max(0, sample))) }
    return wanted.map { Double(histogram.valueAtPercentile($0)) }
}
