import Foundation
import ScenarioKit
import Testing

/// One scenario on one engine, as an argument of a test.
struct ScenarioRun: CustomTestStringConvertible {
    let number: Int32
    let engine: scenario_engine

    var testDescription: String {
        let scenario = scenario_at(engine, number).pointee
        return "\(String(cString: scenario.title)) [\(String(cString: scenario.clauses))]"
    }

    /// All scenarios whose trace on an engine is known.
    static func all(on engine: scenario_engine) -> [ScenarioRun] {
        (0..<scenario_count())
            .filter { scenario_is_comparable(engine, $0) }
            .map { ScenarioRun(number: $0, engine: engine) }
    }

    /// What happened, an entry an element.
    func trace() -> [String] {
        guard let text = scenario_trace(engine, number) else { return ["no trace"] }
        defer { free(text) }
        return entries(of: text)
    }

    /// What is to happen, an entry an element.
    func expectedTrace() -> [String] {
        guard let text = scenario_expected(engine, number) else { return ["no expectation"] }
        return entries(of: text)
    }

    private func entries(of text: UnsafePointer<CChar>) -> [String] {
        String(cString: text).components(separatedBy: "; ")
    }
}

@Suite("In a scenario", .serialized)
struct ScenarioTests {
    @Test(
        "our engine does what the specification says",
        arguments: ScenarioRun.all(on: scenario_engine_rl)
    )
    func specification(_ run: ScenarioRun) {
        #expect(run.trace() == run.expectedTrace())
    }

    @Test(
        "the reference does what we expect of it",
        arguments: ScenarioRun.all(on: scenario_engine_cf)
    )
    func reference(_ run: ScenarioRun) {
        #expect(run.trace() == run.expectedTrace())
    }
}
