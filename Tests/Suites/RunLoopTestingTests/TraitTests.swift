import FoundationEssentials
import Glibc
import RunLoopConcurrency
import RunLoopTestTraits
import Testing
import ThreadKit

@Suite("A test with a run loop of its own", .runLoop) struct TraitTests {
    @Test("runs on its loop's thread, and owns the loop's time") func time() {
        let clock = RLTestClock()
        var ticks = 0
        let timer = RLTimer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in ticks += 1 }
        clock.advance(by: .seconds(3600))
        #expect(ticks == 60)
        timer.invalidate()
        clock.end()
    }

    @Test("may suspend itself, and tasks of the loop continue meanwhile") func suspending()
        async throws
    {
        let loop = await MainActor.run { RLRunLoopGetMain() }
        let own = currentLoop()
        #expect(own != loop)
        let clock = RLTestClock(for: .loops([own]))
        let time = RLRunLoopClock(loop: own)
        let start = time.now
        // The subject is the clock's time.
        async let slept: Void = time.sleep(for: .seconds(3600))
        await clock.advance(by: .seconds(3600))
        try await slept
        #expect(start.duration(to: time.now) == .seconds(3600))
        #expect(currentLoop() == own)
        clock.end()
    }

    private func currentLoop() -> RLRunLoopRef {
        RLRunLoopGetCurrent()
    }

    @Test("fails for each item, descriptor and closure that it leaves") func leftovers() {
        let loop = currentLoop()
        let leftovers = RLLoopLeftovers(of: loop)
        let timer = RLTimer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in }
        let observer = RLRunLoop.current.observe(.entry, in: [.default]) { _, _ in }
        let descriptor = RLRunLoopPortCreate()
        let source = RLRunLoopSourceCreate(order: 0, port: descriptor) {}
        RLRunLoopAddSource(loop, source, .commonModes)
        queueNothing(in: loop)
        queueNothing(in: loop)
        let lines = leftovers.find()
        #expect(lines.count == 5)
        for word in [
            "timer in mode kRLRunLoopDefaultMode", "observer in mode", "descriptor \(descriptor)",
            "closure in mode another, queued and not called",
            "closure #1 in RunLoopTestingTests.TraitTests.queueNothing",
        ] {
            #expect(lines.contains { $0.contains(word) }, "\(word) in \(lines)")
        }
        timer.invalidate()
        observer.invalidate()
        RLRunLoopSourceInvalidate(source)
        close(descriptor)
        RLRunLoopRunInMode("another", 0, false)
        #expect(leftovers.find() == [])
    }

    private func queueNothing(in loop: RLRunLoopRef) {
        RLRunLoopPerformBlock(loop, "another") {}
    }

    @Test("fails only for new closures among equal ones, in any modes")
    func moreOfTheSame() {
        let loop = currentLoop()
        queueNothing(in: loop)
        let leftovers = RLLoopLeftovers(of: loop)
        queueNothing(in: loop)
        #expect(leftovers.find().count == 1)
        RLRunLoopRunInMode("another", 0, false)
        RLRunLoop.current.perform(inModes: [.init("another"), .common]) {}
        #expect(leftovers.find().map { $0.contains(" and 1 more, queued") } == [true])
        RLRunLoopRunInMode("another", 0, false)
        #expect(leftovers.find() == [])
    }

    @Test("does not fail for the library's own items in a loop") func permanent() throws {
        let lines = onFreshThread {
            let leftovers = RLLoopLeftovers(of: RLRunLoopGetCurrent())
            _ = RLThread.current
            let queue = RLNotificationQueue.default
            let notification = RLNotification(name: .init("permanent"))
            queue.enqueue(notification, postingStyle: .asap)
            RLRunLoop.current.runUntilIdle()
            return withExtendedLifetime(queue) { leftovers.find() }
        }
        #expect(lines == [])
    }

    @Test("leaves nothing when it uses all that the libraries keep in a loop") func kit() {
        let log = Log<String>()
        let loop = RLRunLoop.current
        loop.perform { log.add("block") }
        loop.perform(afterDelay: 0) { log.add("later") }
        let queue = RLIdleQueue()
        queue.add { log.add("idle") }
        RLThread.current.perform { log.add("performed") }
        loop.runUntilIdle()
        #expect(Set(log.entries) == ["block", "later", "idle", "performed"])
    }
}

@Suite("The trait for run loops") struct TraitIssueTests {
    /// Runs a body as the trait runs a test, and returns the recorded issues.
    private func issues(of body: @escaping @Sendable () -> Void) async throws -> [String] {
        let log = Log<String>()
        try await withKnownIssue {
            try await RLRunLoopTrait.runLoop.provideScope(
                for: #require(Test.current),
                testCase: nil,
                performing: { body() }
            )
        } matching: { issue in
            log.add(issue.comments.map(\.rawValue).joined())
            return true
        }
        return log.entries
    }

    @Test("names a timer that was not invalidated") func timer() async throws {
        let lines = try await issues {
            RLTimer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in }
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("timer in mode kRLRunLoopDefaultMode") == true)
    }

    @Test("names a closure that was never called") func closure() async throws {
        let lines = try await issues {
            RLRunLoopPerformBlock(RLRunLoopGetCurrent(), RLRunLoopMode("another"), {})
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("closure in mode another, queued and not called") == true)
        #expect(lines.first?.contains("in RunLoopTestingTests.TraitIssueTests.closure") == true)
    }
}
