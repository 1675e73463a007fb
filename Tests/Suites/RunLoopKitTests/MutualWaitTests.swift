import ProcessKit
import Testing

/// Threads that wait for each other, with functions of these libraries.
@Suite("Waits for each other") struct MutualWaitTests {
    private static let kinds = [
        "join": "RLThread.join()", "perform": "RLThread.perform(waitUntilDone:modes:_:)",
        "post": "RLNotificationCenter.post(_:)", "message": "RLMessagePortSendRequest",
    ]

    #if DEBUG
        @Test("are reported in debug builds", arguments: kinds.keys, kinds.keys)
        func pair(_ first: String, _ second: String) throws {
            let run = try ChildProcess(product: "kit-probe", ["mutual-waits", first, second])
            let calls = [first, second].compactMap { Self.kinds[$0] }
            let lines = [calls, calls.reversed()].map { calls in
                (
                    begin: "\(calls[0]): deadlock: thread ",
                    end: " in \(calls[1]): on one thread, run "
                )
            }
            #expect(
                lines.contains { run.output.contains($0.begin) && run.output.contains($0.end) },
                "\(run.output)"
            )
            #expect(run.exitCode == 3)
        }

        @Test("are reported if the main queue cannot be served in its own work") func inQueue()
            throws
        {
            let run = try ChildProcess(product: "kit-probe", ["join-in-main-queue"])
            #expect(run.output.contains(": deadlock: thread "), "\(run.output)")
            #expect(run.exitCode == 3)
        }
    #endif

    @Test("do not arise if the main thread joins one that posts to the main queue")
    func joinServes() throws {
        let run = try ChildProcess(product: "kit-probe", ["join-poster"])
        #expect(
            run.lines.dropLast() == [
                "observed done, main thread: true",
                "observed RLThreadWillExitNotification, main thread: true",
                "released", "joined",
            ],
            "\(run.output)"
        )
        #expect(run.exitCode == 0)
    }
}
