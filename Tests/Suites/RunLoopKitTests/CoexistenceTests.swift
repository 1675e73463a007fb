import ProcessKit
import Testing

@Suite("Beside Foundation") struct CoexistenceTests {
    private func lines(_ probe: String) throws -> [Substring] {
        let run = try ChildProcess(product: "kit-probe", [probe])
        #expect(run.exitCode == 0, "\(run.output)")
        return run.lines.dropLast()
    }

    @Test("the main queue and the main actor work while our main loop runs") func mainQueue() throws
    {
        #expect(
            try lines("main-queue") == [
                "main queue, main thread: true", "operation, main thread: true",
                "main actor, main thread: true", "before", "drained", "after",
            ]
        )
    }

    @Test("our timers and sources work while Foundation's main loop runs") func hosted() throws {
        let output = try lines("hosted")
        #expect(output.prefix(3) == ["timer 1", "timer 2", "timer 3"])
        #expect(Set(output.dropFirst(3).prefix(2)) == ["source, main thread: true", "block"])
        #expect(output.dropFirst(5) == ["again by itself: true"])
    }

    @Test("our main loop is served there forever if the hosting is not retained")
    func hostedForGood() throws {
        #expect(try lines("hosted-for-good") == ["timer 1", "timer 2", "timer 3"])
    }

    @Test("URLSession calls back while our main loop runs") func urlSession() throws {
        #expect(try lines("url-session") == ["answered with an error: true, main thread: true"])
    }

    @Test("a task of the main actor waits for timers of our main loop") func nextFire() throws {
        #expect(try lines("next-fire") == ["fired: true", "fired: false", "sequence: 3"])
    }

    @Test("other threads perform on the main thread, which runs our loop") func performOnMain()
        throws
    {
        #expect(
            try lines("perform-on-main") == [
                "waiting, main thread: true", "waited", "block", "later, main thread: true",
            ]
        )
    }
}
