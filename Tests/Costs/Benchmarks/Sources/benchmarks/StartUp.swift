import Foundation

/// Programs that make one pass: when it comes, and what is resident then.
struct StartUp {
    /// How often each program runs.
    let runs: Int

    private static let programs = ["minimal-engine", "minimal-kit", "minimal-foundation"]

    func table() throws -> String {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let programs = Self.programs.map { folder.appendingPathComponent($0).path }
            .filter { FileManager.default.fileExists(atPath: $0) }
        var lives: [[Life]] = programs.map { _ in [] }
        for _ in 0..<runs {
            for index in programs.indices { lives[index].append(try Life(programs[index])) }
        }
        let lines = zip(programs, lives).map { program, lives in
            let milliseconds = lives.map(\.millisecondsToFirstPass).median
            let kilobytes = lives.map { Double($0.residentKilobytes) }.median
            let name = URL(fileURLWithPath: program).lastPathComponent
            return "| \(name) | \(String(format: "%.2f", milliseconds)) | \(Int(kilobytes)) |"
        }
        let head = ["| program | ms to its first pass | resident KB |", "|---|---|---|"]
        return (head + lines).joined(separator: "\n")
    }
}
