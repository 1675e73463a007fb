import Glibc
import ProcessKit
import Testing

/// The scenarios and random programs of ScenarioKit, whose runner reports failures.
@Suite("Scenarios", .serialized)
struct ScenarioTests {
    @Test("our engine conforms to the specification")
    func specification() async throws {
        try await expectSuccess(of: ["check", "rl"])
    }

    @Test("the reference does what we expect of it")
    func reference() async throws {
        try await expectSuccess(of: ["check", "cf"])
    }

    /// Runs `RL_RANDOM_SCENARIOS` programs, beginning with the seed `RL_RANDOM_SEED`.
    @Test(
        "random programs leave the same traces on both engines",
        arguments: ["random", "random-main"]
    )
    func random(word: String) async throws {
        let count = variable("RL_RANDOM_SCENARIOS") ?? "200"
        let first = variable("RL_RANDOM_SEED") ?? "1"
        print("\(count) random programs from seed \(first) on")
        try await expectSuccess(of: [word, count, first])
    }

    private func expectSuccess(of arguments: [String]) async throws {
        let runner = try await ChildProcess.ended(product: "scenario-runner", arguments)
        #expect(runner.exitCode == 0, "\(runner.output)")
    }

    private func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
