import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

@Suite("A loop's clock") struct ClockTests {
    @Test("sleeps for at least the time given, on the loop's timers") func sleeping() async throws {
        let worker = RLPermanentThread()
        let clock = RLRunLoopClock(loop: worker.runLoop)
        let start = clock.now
        // Sleeping is the subject.
        try await clock.sleep(for: .milliseconds(3))
        #expect(start.duration(to: clock.now) >= .milliseconds(3))
        // Sleeping is the subject.
        try await Task.sleep(for: .milliseconds(1), tolerance: .milliseconds(1), clock: clock)
        // Sleeping is the subject.
        try await clock.sleep(until: start)
        #expect(clock.minimumResolution == .nanoseconds(1) && start < clock.now)
        worker.stop()
    }

    @Test("ends a sleep at once when its task is cancelled") func cancelling() async {
        let worker = RLPermanentThread()
        let clock = RLRunLoopClock(loop: worker.runLoop)
        // Sleeping is the subject.
        let task = Task { try await clock.sleep(for: .seconds(1000)) }
        // The sleep has begun when its timer is in the loop.
        while !hasTimer(worker.runLoop) { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        while hasTimer(worker.runLoop) { await Task.yield() }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            // Sleeping is the subject.
            try await clock.sleep(for: .seconds(1000))
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        worker.stop()
    }

    @Test("throws to sleepers when the loop has ended") func loopEnds() async {
        let worker = RLPermanentThread()
        let clock = RLRunLoopClock(loop: worker.runLoop)
        // Sleeping is the subject.
        let task = Task { try await clock.sleep(for: .seconds(1000)) }
        while !hasTimer(worker.runLoop) { await Task.yield() }
        worker.stop()
        await #expect(throws: RLRunLoopClock.LoopEnded.self) { try await task.value }
        worker.join()
        await #expect(throws: RLRunLoopClock.LoopEnded.self) {
            // Sleeping is the subject.
            try await clock.sleep(for: .milliseconds(1))
        }
    }

    private func hasTimer(_ loop: RLRunLoopRef) -> Bool {
        RLRunLoopGetNextTimerFireDate(loop, .defaultMode) != 0
    }
}
