import Foundation

/// What one loop did in one workload at one size, over all runs.
struct Measurement {
    /// How a run ended.
    private enum Outcome {
        /// The figures that `benchmarks measure` prints; none if the loop has no such thing.
        case figures([Double])
        case tooLate
        case failed(status: Int32)
    }

    /// Of each run that ended well.
    private var runs: [[Double]] = []

    /// The shortest run, which tells best what the workload takes on a machine with more to do.
    private(set) var seconds = Double.infinity

    /// Why there is no figure, or one of fewer runs, if there should be one.
    private(set) var remark: String?

    /// Whether a run ended with an error.
    private(set) var hasFailed = false

    /// The median over the runs of the figure at an index; nothing if no run had it.
    func median(_ index: Int) -> Double? {
        let values = runs.filter { $0.count > index }.map { $0[index] }
        return values.isEmpty ? nil : values.median
    }

    /// Leaves the loop out, for a reason.
    mutating func leaveOut(_ reason: String) {
        remark = reason
    }

    /// Runs the workload once more, unless a run has come to nothing before.
    mutating func addRun(_ workload: String, on subject: String, size: Int, patience: Int) throws {
        guard remark == nil else { return }
        let began = DispatchTime.now().uptimeNanoseconds
        let outcome = try run(workload, subject, size, patience)
        seconds = min(seconds, Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9)
        switch outcome {
        case .figures(let figures): runs.append(figures)
        case .tooLate: remark = "not finished after \(patience) s\(place)"
        case .failed(let status):
            remark = "failed with status \(status)\(place)"
            hasFailed = true
        }
    }

    /// Which run it was, if it was not the first.
    private var place: String {
        runs.isEmpty ? "" : " in run \(runs.count + 1), the figure is of those before"
    }

    /// In a process of its own, whose complaints go where ours go.
    private func run(
        _ workload: String,
        _ subject: String,
        _ size: Int,
        _ patience: Int
    ) throws -> Outcome {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let arguments = "measure '\(workload)' '\(subject)' \(size) --patience \(patience)"
        // The shell becomes the program, whose status this is then.
        guard let output = popen("exec '\(program)' \(arguments)", "r") else {
            throw CocoaError(.executableNotLoadable)
        }
        var line = [CChar](repeating: 0, count: 256)
        let hasLine = fgets(&line, Int32(line.count), output) != nil
        let status = pclose(output)
        if status & 0x7F == SIGALRM { return .tooLate }
        guard status == 0, hasLine else { return .failed(status: status) }
        let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .figures(
            String(decoding: text, as: UTF8.self).split { " \n".contains($0) }
                .compactMap { Double($0) }
        )
    }
}

extension [Double] {
    /// The one in the middle, or the mean of the two there.
    var median: Double {
        let values = sorted()
        return (values[values.count / 2] + values[(values.count - 1) / 2]) / 2
    }
}
