import Foundation

/// What one loop did in one workload, over all runs.
struct Measurement {
    /// Of each run, the figures that `benchmarks measure` prints.
    private var runs: [[Double]] = []

    /// The median over the runs of the figure at an index; nothing if no run had it.
    func median(_ index: Int) -> Double? {
        let values = runs.filter { $0.count > index }.map { $0[index] }.sorted()
        return values.isEmpty ? nil : values[values.count / 2]
    }

    /// Runs the workload once more, in a process of its own.
    ///
    /// A loop that ran out of time or came to an end has no figure.
    mutating func addRun(_ workload: String, on subject: String, size: Int) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let command = "'\(program)' measure '\(workload)' '\(subject)' \(size) 2>/dev/null"
        guard let output = popen(command, "r") else { throw CocoaError(.executableNotLoadable) }
        var line = [CChar](repeating: 0, count: 256)
        let hasLine = fgets(&line, Int32(line.count), output) != nil
        guard pclose(output) == 0, hasLine else { return }
        let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        runs.append(
            String(decoding: text, as: UTF8.self).split { " \n".contains($0) }
                .compactMap { Double($0) }
        )
    }
}
