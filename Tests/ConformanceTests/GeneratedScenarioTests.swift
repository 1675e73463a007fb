import Foundation
import ScenarioKit
import Testing

/// Random programs, as many as `RL_RANDOM_SCENARIOS` says, from the seed `RL_RANDOM_SEED` on.
@Suite("A random program", .serialized)
struct GeneratedScenarioTests {
    @Test("leaves the same trace on both engines")
    func isEqual() {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["RL_RANDOM_SCENARIOS"].flatMap(UInt.init) ?? 200
        let first = environment["RL_RANDOM_SEED"].flatMap(UInt.init) ?? 1
        print("\(count) random programs from seed \(first) on")
        for seed in first..<first + count {
            #expect(scenario_random_is_equal(seed), "seed \(seed)")
        }
    }
}
