import ProcessKit
import Testing

@Suite("Beside the main queue") struct MainQueueTests {
    private func lines(_ probe: String) throws -> [Substring] {
        let run = try ChildProcess(product: "kit-probe", [probe])
        #expect(run.exitCode == 0, "\(run.output)")
        return run.lines.dropLast()
    }

    @Test("blocks come first, then sources, due timers, and one turn of the queue per pass")
    func competition() throws {
        #expect(
            try lines("compete") == [
                "block", "source", "delayed perform", "timer", "main queue 1",
                "block of the main queue", "before waiting", "main queue 2, added by 1",
            ]
        )
    }

    @Test("tracking modes are common on the main loop: a common timer fires, a default one waits")
    func tracking() throws {
        #expect(
            try lines("drag") == [
                "scheduled for panels", "common in RLTrackingRunLoopMode",
                "common in RLEventTrackingRunLoopMode", "common in RLModalPanelRunLoopMode",
                "default in kRLRunLoopDefaultMode", "elsewhere: false",
            ]
        )
    }

    @Test("a delayed perform waits for its modes, asyncAfter for any common one")
    func delays() throws {
        #expect(
            try lines("delay") == [
                "tracking is not common: nothing", "asyncAfter in KitProbeTrackingMode",
                "tracking is common: the queue, not the perform",
                "perform in kRLRunLoopDefaultMode",
            ]
        )
    }

    @Test("a delegate that is set in a queue's work by sync is the main thread's, not the queue's")
    func syncedDelegate() throws {
        let run = try ChildProcess(product: "kit-probe", ["synced-delegate"])
        #expect(run.exitCode != 0 && !run.output.contains("notified\n"), "\(run.output)")
        #expect(run.output.contains("RunLoopKit: RLStream.delegate: would be called on thread"))
    }
}
