import ProcessKit
import Testing

@Suite("With bridges to Foundation") struct FoundationTests {
    private func lines(_ probe: String) throws -> [Substring] {
        let run = try ChildProcess(product: "extras-probe", [probe])
        #expect(run.exitCode == 0, "\(run.output)")
        return run.lines.dropLast()
    }

    @Test("Foundation's timers fire while our main loop runs") func foundationTimers() throws {
        #expect(
            try lines("foundation-timers") == [
                "Foundation's timer 1", "Foundation's timer 2", "Foundation's timer 3",
                "nothing left: true",
            ]
        )
    }

    #if DEBUG
        @Test("debug builds report that Foundation's loop of a thread is not served")
        func foundationUnserved() throws {
            let output = try lines("foundation-unserved")
            #expect(output.count == 2)
            for (line, what) in zip(output, ["timer", "source"]) {
                #expect(line.hasPrefix("CoreRunLoop: RLRunLoopRunInMode: run loop 0x"))
                #expect(line.contains(" sleeps despite a \(what) in Foundation's run loop of "))
                #expect(line.contains("call RLRunLoop.current.serveFoundation() "))
            }
        }
    #endif

    @Test("the main thread joins one that posts to the main operation queue") func joinServes()
        throws
    {
        #expect(try lines("join-poster") == ["observed, main thread: true", "joined"])
    }

    @Test(
        "objects that are not Sendable are not sent",
        arguments: [
            Snippet(
                "as a component of a message, in Foundation's type",
                """
                final class Model { var count = 0 }
                let model = Model()
                let message = RLPortMessage(send: nil, receive: nil, components: [model] as [Any])
                model.count += 1
                _ = message
                """,
                "sending value of non-Sendable type '[Any]' risks causing data races",
                importing: "RunLoopFoundation\nimport RunLoopKit"
            ),
            Snippet(
                "as a component of a port's message, in Foundation's array",
                """
                let parts = NSArray(array: ["text"])
                let port = RLPort()
                port.send(before: .distantPast, components: parts, from: nil, reserved: 0)
                print(parts)
                """,
                "risks causing data races",
                importing: "Foundation\nimport RunLoopFoundation\nimport RunLoopKit"
            ),
        ]
    )
    func sound(_ snippet: Snippet) throws {
        let errors = try snippet.errors()
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.contains(snippet.diagnosis) ?? false, "\(errors)")
    }
}
