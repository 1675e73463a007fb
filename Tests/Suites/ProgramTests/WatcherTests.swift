import RunLoopConcurrency
import RunLoopTestTraits
import Synchronization
import Testing

@testable import periodic_job

/// A watched object, and its reported changes.
private final class Subject: Sendable {
    private struct State {
        var looks = 0
        var failure: String?
        var reports: [Watcher.State] = []
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let state = Mutex(State())

    var looks: Int { state.withLock { $0.looks } }
    var reports: [Watcher.State] { state.withLock { $0.reports } }

    func fail(_ reason: String?) { state.withLock { $0.failure = reason } }
    func report(_ report: Watcher.State) { state.withLock { $0.reports.append(report) } }

    func look() throws {
        let failure = state.withLock { state in
            state.looks += 1
            return state.failure
        }
        if let failure { throw Failure(description: failure) }
    }
}

/// Each test has a run loop of its own, on which its tasks run, and owns its clock: no test waits.
@Suite("A watcher", .runLoop) struct WatcherTests {
    @Test("looks once in each period, and reports once") func periods() async {
        let clock = RLTestClock()
        let subject = Subject()
        let watcher = Watcher(every: .seconds(60), look: subject.look, report: subject.report)
        let job = Task { try await watcher.run() }
        await clock.advance(by: .seconds(3599))
        #expect(subject.looks == 60)
        await clock.advance(by: .seconds(1))
        #expect(subject.looks == 61)
        #expect(subject.reports == [.well])
        job.cancel()
        _ = await job.result
        clock.end()
    }

    @Test("looks sooner after a failure, and less and less often") func failures() async {
        let clock = RLTestClock()
        let subject = Subject()
        subject.fail("refused")
        let watcher = Watcher(every: .seconds(60), look: subject.look, report: subject.report)
        let job = Task { try await watcher.run() }
        // At 0, 1, 3, 7, 15 and 31 seconds.
        await clock.advance(by: .seconds(31))
        #expect(subject.looks == 6)
        #expect(subject.reports == [.failing("refused")])
        subject.fail(nil)
        await clock.advance(by: .seconds(60))
        #expect(subject.reports == [.failing("refused"), .well])
        job.cancel()
        _ = await job.result
        clock.end()
    }

    @Test("gives up a look that takes too long") func limit() async {
        let clock = RLTestClock()
        let subject = Subject()
        let watcher = Watcher(every: .seconds(60), limit: .seconds(5)) {
            // The subject is a look that takes long, in virtual time.
            try await RLRunLoopClock().sleep(for: .seconds(3600))
        } report: {
            subject.report($0)
        }
        let job = Task { try await watcher.run() }
        await clock.advance(by: .seconds(4))
        #expect(subject.reports == [])
        await clock.advance(by: .seconds(1))
        #expect(subject.reports == [.failing("no answer in 5.0 seconds")])
        job.cancel()
        _ = await job.result
        clock.end()
    }
}
