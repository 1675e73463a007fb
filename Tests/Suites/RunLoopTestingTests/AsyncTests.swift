import CRunLoop.Wrapping
import FoundationEssentials
import Glibc
import RunLoopConcurrency
import RunLoopTestTraits
import Testing
import ThreadKit

/// Counts with a clock, on no loop.
private actor Poller {
    private(set) var count = 0

    func poll(every interval: Duration, by clock: RLRunLoopClock) async throws {
        while true {
            // The subject is the clock's time.
            try await clock.sleep(for: interval)
            await look()
        }
    }

    func countFires(every interval: Duration) async {
        for await _ in RLTimer.fires(every: interval) { await look() }
    }

    private func look() async {
        await Task.detached { await Task {}.value }.value
        count += 1
    }
}

/// The lines that a function writes to standard error; in the test's own process.
private func linesOnStandardError(
    _ function: nonisolated(nonsending) () async -> Void
) async -> [String] {
    var ends: [CInt] = [-1, -1]
    let old = dup(STDERR_FILENO)
    #expect(pipe(&ends) == 0)
    #expect(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO)
    await function()
    #expect(dup2(old, STDERR_FILENO) == STDERR_FILENO)
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(ends[0], &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
}

private let nothingDueWarning =
    "RunLoopKit: RLTestClock.advance(by:): no timer or sleep is scheduled on this clock: check that "
    + "the code under test uses this clock and its loop, or use the trait `.runLoop`"

@Suite("An advance in an async test with a loop of its own", .runLoop) struct AsyncTests {
    @Test("comes after the first sleep of each task, and brings all later ones") func tasks()
        async throws
    {
        let clock = RLTestClock()
        let pollers = (0..<8).map { _ in Poller() }
        let tasks = pollers.map { poller in
            Task { try await poller.poll(every: .seconds(60), by: RLRunLoopClock()) }
        }
        await clock.advance(by: .seconds(3600) - .nanoseconds(1))
        for poller in pollers { #expect(await poller.count == 59) }
        await clock.advance(by: .nanoseconds(1))
        for poller in pollers { #expect(await poller.count == 60) }
        for task in tasks { task.cancel() }
        await clock.runUntilIdle()
        clock.end()
    }

    @Test("brings each element of a sequence, which takes the loop of the test") func sequences()
        async
    {
        let clock = RLTestClock()
        let poller = Poller()
        let task = Task { await poller.countFires(every: .seconds(1)) }
        await clock.advance(by: .seconds(100))
        #expect(await poller.count == 100)
        task.cancel()
        await clock.advance(to: clock.date + 100)
        #expect(await poller.count == 100)
        clock.end()
    }

    @Test("lets a task of any priority, with tasks of its own, come to its sleep") func priorities()
        async throws
    {
        let clock = RLTestClock()
        let log = Log<String>()
        for priority in [TaskPriority.background, .low, .high] {
            Task.detached(priority: priority) {
                // The subject is the clock's time.
                async let first: Void = RLRunLoopClock().sleep(for: .seconds(2))
                Task {
                    // The subject is the clock's time.
                    try await RLRunLoopClock().sleep(for: .seconds(1))
                    log.add("inner")
                }
                try await first
                log.add("outer")
            }
        }
        await clock.advance(by: .seconds(1))
        #expect(log.entries == ["inner", "inner", "inner"])
        await clock.advance(by: .seconds(1))
        #expect(log.entries.suffix(3) == ["outer", "outer", "outer"])
        clock.end()
    }

    @Test("leaves tasks that outlive the test to Swift's own threads") func afterwards() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task.detached {
            for await _ in stream {}
            return RLThreadGetNumber()
        }
        await Task.yield()
        let own = RLThreadGetNumber()
        #expect(await Task { RLThreadGetNumber() }.value == own)
        Late.tasks.withLock { $0.append(task) }
        Late.continuations.withLock { $0.append(continuation) }
    }
}

private enum Late {
    static let tasks = Locked<[Task<Int32, Never>]>([])
    static let continuations = Locked<[AsyncStream<Void>.Continuation]>([])
}

@Suite("An advance in an async test without the trait") struct PlainAsyncTests {
    /// In its own process, as other tests use the main loop.
    @Test("on the main actor serves its tasks at each date, however busy Swift's threads are")
    func mainActor() async {
        await #expect(processExitsWith: .success) { await countOnMainActor() }
    }

    /// In its own process, where no other test delays the task.
    @Test("waits for a task of another thread to begin its first sleep") func otherThreads()
        async
    {
        await #expect(processExitsWith: .success) {
            let thread = RLPermanentThread()
            let clock = RLTestClock(for: .loops([thread.runLoop]))
            let time = RLRunLoopClock(loop: thread.runLoop)
            let task = Task.detached {
                for _ in 0..<100 { await Task.yield() }
                // The subject is the clock's time.
                try await time.sleep(for: .seconds(3600))
                return time.now
            }
            let start = time.now
            await clock.advance(by: .seconds(3600))
            // A sleep that has not ended by now throws.
            task.cancel()
            let end = try? await task.value
            #expect(end.map { start.duration(to: $0) } == .seconds(3600))
            thread.stop()
            thread.join()
            clock.end()
        }
    }

    @Test("logs that nothing is due, once") func nothingDue() async {
        await #expect(processExitsWith: .success) {
            let lines = await linesOnStandardError {
                let thread = RLPermanentThread()
                let clock = RLTestClock(for: .loops([thread.runLoop]))
                let start = clock.date
                await RLTestClock.withVisibleTasks {
                    await clock.advance(by: .seconds(60))
                    await clock.advance(by: .seconds(60))
                }
                #expect(clock.date == start + 120)
                thread.stop()
                thread.join()
            }
            #expect(lines == [nothingDueWarning])
        }
    }

    /// Not in an async function, which may be on a thread without a loop.
    @Test("returns at once if timers have ended, and no task of another thread has slept since")
    func nothingLeft() async {
        await #expect(processExitsWith: .success) { await advanceWithoutTimers() }
    }

    @Test("stops if the clock is that of a thread of Swift's") func noLoop() async {
        await #expect(processExitsWith: .failure) {
            let clock = RLTestClock(for: .loops([currentLoop()]))
            await clock.advance(by: .seconds(1))
        }
    }
}

@MainActor private func countOnMainActor() async {
    let clock = RLTestClock(for: .loops([RLRunLoopGetMain()]))
    let log = Log<String>()
    let gate = Gate()
    for _ in 0..<sysconf(CInt(_SC_NPROCESSORS_ONLN)) {
        let isBusy = Gate()
        Task.detached {
            isBusy.open()
            gate.wait()
        }
        isBusy.wait()
    }
    let task = Task {
        while true {
            // The subject is the clock's time.
            try await RLRunLoopClock().sleep(for: .seconds(1))
            await Task { await Task { log.add("tick") }.value }.value
        }
    }
    await clock.advance(by: .seconds(100))
    #expect(log.entries.count == 100)
    gate.open()
    task.cancel()
    clock.end()
}

@MainActor private func advanceWithoutTimers() async {
    let clock = RLTestClock(for: .loops([RLRunLoopGetMain()]))
    let start = clock.date
    // Not by an async function, which may be on a thread without a loop.
    let timer = { RLTimer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in } }()
    await clock.advance(by: .seconds(60))
    timer.invalidate()
    let began = ContinuousClock.now
    for _ in 0..<100 { await clock.advance(by: .seconds(60)) }
    #expect(clock.date == start + 6060)
    // One wait for tasks takes ten seconds.
    #expect(ContinuousClock.now - began < .seconds(500))
    clock.end()
}

private func currentLoop() -> RLRunLoopRef {
    RLRunLoopGetCurrent()
}
