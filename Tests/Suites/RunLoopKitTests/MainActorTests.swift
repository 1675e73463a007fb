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
                "in a nested run", "fetched: false", "stopped: 7",
            ]
        )
    }

    @Test("a program whose default it is gives the main loop everything, with no word more")
    func isDefault() throws {
        let run = try ChildProcess(product: "main-actor-probe", [])
        #expect(run.exitCode == 0, "\(run.output)")
        #expect(
            run.lines.dropLast().sorted() == [
                "commit", "committed", "delayed", "descriptor", "idle", "message 7", "observer",
                "performed", "play later", "play on main", "signal", "source", "stream", "tick",
                "tick", "timer",
            ]
        )
    }

    @Test("a method that a worker is to perform stops the process") func selector() throws {
        let run = try ChildProcess(product: "main-actor-probe", ["worker"])
        #expect(run.exitCode == 128 + 6)
        #expect(
            run.output.hasPrefix(
                "RunLoopKit: perform: selector tick of Player is a method of the main actor, and is "
                    + "performed on thread "
            ),
            "\(run.output)"
        )
    }
}
