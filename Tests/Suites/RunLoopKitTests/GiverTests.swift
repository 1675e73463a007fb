import ProcessKit
import RunLoopKit
import Testing

/// A loop accepts objects that need not be `Sendable` only from its own thread.
@Suite("What is kept for later") struct GiverTests {
    @Test(
        "stops the process if it is given by an actor that has no loop, or by a task outside any actor",
        arguments: [("actor", "code of Giver, whose jobs"), ("task", "a task outside any actor")]
    )
    func strangers(_ giver: String, _ description: String) throws {
        for (call, name) in try calls() {
            let run = try ChildProcess(product: keepingProbe, ["give", call, giver])
            #expect(run.exitCode == 128 + 6, "\(call): \(run.output)")
            #expect(
                run.output.contains("RunLoopKit: \(name): called by \(description)"),
                "\(call): \(run.output)"
            )
        }
    }

    @Test(
        "may come from an actor or a task whose jobs run on the loop's thread",
        arguments: ["pinned-actor", "pinned-task"]
    )
    func pinned(_ giver: String) throws {
        for (call, _) in try calls() {
            let run = try ChildProcess(product: keepingProbe, ["give", call, giver])
            #expect(run.exitCode == 0, "\(call): \(run.output)")
        }
    }

    @Test(
        "stops the process if the main actor gives it after the end of the main thread",
        arguments: ["main-job", "main-work", "main-sync", "ended-main"]
    )
    func mainActorElsewhere(_ giver: String) throws {
        for (call, name) in try calls() {
            let run = try ChildProcess(product: keepingProbe, ["give", call, giver])
            #expect(run.exitCode == 128 + 6, "\(call): \(run.output)")
            #expect(
                run.output.contains("RunLoopKit: \(name): the main actor runs on thread ")
                    && run.output.contains("dispatchMain()"),
                "\(call): \(run.output)"
            )
        }
    }

    @Test("is not checked, but for the main queue, if the runtime's executors are unknown")
    func unknownExecutors() throws {
        let line = "MainActor.sharedUnownedExecutor: has an unknown layout"
        for (call, _) in try calls().prefix(4) {
            let task = try withoutRuntime(["give", call, "task"])
            #expect(task.exitCode == 0, "\(call): \(task.output)")
            #expect(
                task.lines.count(where: { $0.contains(line) }) == 1,
                "\(call): \(task.output)"
            )
            let sync = try withoutRuntime(["give", call, "main-sync"])
            #expect(sync.exitCode == 128 + 6, "\(call): \(sync.output)")
        }
    }

    private func withoutRuntime(_ arguments: [String]) throws -> ChildProcess {
        let probe = try ChildProcess.pathOfProduct(keepingProbe)
        return try ChildProcess(
            path: "/usr/bin/env",
            ["CRUNLOOP_WITHOUT_SWIFT_RUNTIME=1", probe] + arguments
        )
    }

    /// The calls, and their names in diagnostics.
    private func calls() throws -> [(call: String, name: String)] {
        let lines = try ChildProcess(product: keepingProbe, ["give"]).lines.dropLast()
        #expect(!lines.isEmpty)
        return lines.map { line in
            let words = line.split(separator: " ").map(String.init)
            return (words[0], words[words.count - 1])
        }
    }
}
