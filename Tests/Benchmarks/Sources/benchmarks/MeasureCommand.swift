import ArgumentParser
import Engines
import Foundation
import Histogram

/// `benchmarks measure`: one workload on one loop.
///
/// The other command starts it, so that each measurement has a process of its own.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Runs one workload on one loop and prints its figures."
    )

    @Argument(help: "The name of the workload.")
    var workload: String

    @Argument(help: "The name of the loop.")
    var subject: String

    @Argument(help: "How many there are of what the workload has many of.")
    var size: Int

    @Option(help: "The seconds after which the process is ended.")
    var patience: UInt32 = 20

    func run() throws {
        guard let chosen = Workloads.all.first(where: { $0.title == workload }) else {
            throw ValidationError("There is no workload '\(workload)'.")
        }
        guard let subject = Subject.all.first(where: { $0.name == subject }) else {
            throw ValidationError("There is no loop '\(subject)', or it is not installed.")
        }
        alarm(patience)
        let samples = subject.measure(chosen, size)
        print(figures(of: samples).map { String($0) }.joined(separator: " "))
    }

    /// The median and the 99th percentile of many, or the only one.
    private func figures(of samples: [Double]) -> [Double] {
        guard samples.count > 1 else { return samples }
        var histogram = Histogram<UInt32>(highestTrackableValue: 60_000_000_000)
        for sample in samples { histogram.record(UInt64(max(0, sample))) }
        return [50, 99].map { Double(histogram.valueAtPercentile($0)) }
    }
}
