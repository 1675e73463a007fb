import ProcessKit
import Testing

@Suite("On the main actor") struct MainActorTests {
    @Test("a class has its methods performed by the main loop, its timers and observers")
    func callbacks() throws {
        let run = try ChildProcess(product: "kit-probe", ["main-actor"])
        #expect(run.exitCode == 0, "\(run.output)")
        #expect(
            run.lines.dropLast() == [
                "performed", "performed in a mode", "of another thread", "timer", "observer",
                "in a nested run", "fetched: false",
            ]
        )
    }
}
