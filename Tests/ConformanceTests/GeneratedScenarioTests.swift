import Foundation
import ProcessKit
import ScenarioKit
import Testing

/// Random programs, as many as `RL_RANDOM_SCENARIOS` says, from the seed `RL_RANDOM_SEED` on.
@Suite("A random program", .serialized)
struct GeneratedScenarioTests {
    private let count = Self.number("RL_RANDOM_SCENARIOS") ?? 200
    private let first = Self.number("RL_RANDOM_SEED") ?? 1

    private static func number(_ name: String) -> UInt? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt.init)
    }

    @Test("leaves the same trace on both engines")
    func isEqual() {
        print("\(count) random programs from seed \(first) on")
        for seed in first..<first + count {
            #expect(scenario_random_is_equal(seed, false), "seed \(seed)")
        }
    }

    @Test("leaves the same trace on both engines where the loop serves the main queue")
    func isEqualOnMain() throws {
        let arguments = ["random-main", "\(count)", "\(first)"]
        let runner = try ChildProcess(product: "scenario-runner", arguments)
        #expect(runner.exitCode == 0, "\(runner.output)")
    }
}
