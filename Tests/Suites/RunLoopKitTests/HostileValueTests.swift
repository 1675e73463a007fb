import ProcessKit
import Testing

@Suite("A public function that takes a date, interval, size, count, port or string")
struct HostileValueTests {
    /// Runs the calls in child processes; after an abort the next child continues behind the call.
    @Test("returns, throws or stops with a line, whatever the value is") func values() async throws
    {
        var next = 0
        while true {
            let run = try await ChildProcess.ended(
                product: keepingProbe,
                ["hostile-values", "\(next)"]
            )
            let lines = run.output.split(separator: "\n").map(String.init)
            if run.exitCode == 0, lines.last == "end" { break }
            let last = lines.last { $0.first?.isNumber == true } ?? ""
            let isReported = lines.contains {
                $0.hasPrefix("RunLoopKit: ") || $0.hasPrefix("CoreRunLoop: ")
            }
            #expect(run.exitCode == 128 + 6 && isReported, "\(last): \(lines.suffix(3))")
            next = try #require(last.split(separator: " ").first.flatMap { Int($0) }) + 1
        }
        #expect(next > 50)
    }
}
