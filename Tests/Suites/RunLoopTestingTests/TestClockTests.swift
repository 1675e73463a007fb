import CRunLoop.Wrapping
import FoundationEssentials
import Glibc
import RunLoopConcurrency
import RunLoopTesting
import Testing
import ThreadKit

/// Advances a loop that does not run, and returns the logged line; the loop runs only after that.
private func lineOfAdvance() async -> String {
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    #expect(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO)
    let end = ends[0]
    let (loops, loop) = AsyncStream<RLRunLoopRef>.makeStream()
    let (lines, line) = AsyncStream<String>.makeStream()
    RLThread.detachNewThread {
        RLRunLoopAddSource(RLRunLoopGetCurrent(), RLRunLoopSourceCreate {}, .defaultMode)
        loop.yield(RLRunLoopGetCurrent())
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(end, &bytes, bytes.count)
        line.yield(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        RLRunLoopRun()
    }
    for await served in loops {
        let clock = RLTestClock(for: .loops([served]))
        await clock.advance(by: .seconds(1), on: served, warningAfter: 0)
        clock.end()
        RLRunLoopStop(served)
        break
    }
    return await lines.first { _ in true } ?? ""
}

@Suite("A clock that a test owns") struct TestClockTests {
    /// Calls a closure on a thread whose loop uses a clock.
    private func withClock(
        startingAt date: Date? = nil,
        _ body: @escaping @Sendable (RLTestClock) -> Void
    ) {
        onFreshThread {
            let clock = RLTestClock(startingAt: date)
            body(clock)
            clock.end()
        }
    }

    @Test("logs a line if the loop that is to serve it does not run") func silentLoop() async {
        // In its own process, whose standard error the test reads.
        await #expect(processExitsWith: .success) {
            let line = await lineOfAdvance()
            #expect(
                line
                    == "RunLoopKit: RLTestClock.advance(by:on:): still waiting after 0 s: the run loop "
                    + "does not run in a common mode, so the test clock cannot advance; run the loop "
                    + "in a common mode\n"
            )
        }
    }

    @Test("brings a timer of an hour in no time, at its date") func anHour() {
        withClock { clock in
            let start = clock.date
            let began = ContinuousClock.now
            var fired: [TimeInterval] = []
            let timer = RLTimer.scheduledTimer(withTimeInterval: 3600, repeats: true) { timer in
                fired.append(clock.date.timeIntervalSince(start))
                #expect(RLAbsoluteTimeGetCurrent() == clock.date.timeIntervalSinceReferenceDate)
            }
            clock.advance(by: .seconds(3600) - .nanoseconds(1))
            #expect(fired.isEmpty)
            clock.advance(by: .nanoseconds(1))
            #expect(fired.count == 1)
            clock.advance(by: .seconds(23 * 3600))
            #expect(fired.count == 24)
            for (index, seconds) in fired.enumerated() {
                #expect(abs(seconds - Double(index + 1) * 3600) < 1e-6)
            }
            timer.invalidate()
            #expect(ContinuousClock.now - began < .seconds(60))
        }
    }

    @Test("may begin at any date, and be taken to one") func dates() {
        let start = Date(timeIntervalSinceReferenceDate: 86400.25)
        withClock(startingAt: start) { clock in
            let log = Log<String>()
            #expect(clock.date == start)
            let date = start + 0.1 + 0.2
            let timer = RLTimer(fire: date, interval: 0, repeats: false) { _ in log.add("timer") }
            RLRunLoop.current.add(timer, forMode: .default)
            clock.advance(by: .milliseconds(299))
            #expect(log.entries.isEmpty)
            clock.advance(to: start + 0.3)
            #expect(log.entries == ["timer"])
            clock.date = start + 1e6
            #expect(RLAbsoluteTimeGetCurrent() == (start + 1e6).timeIntervalSinceReferenceDate)
        }
    }

    @Test("has no date that nanoseconds cannot count") func noDate() async {
        await #expect(processExitsWith: .failure) {
            RLTestClock().date = .distantFuture
        }
        await #expect(processExitsWith: .failure) {
            _ = RLTestClock(startingAt: .distantPast)
        }
    }

    @Test(
        "fires timers in the order of their dates, in whatever order they were added, also in callbacks"
    )
    func order() {
        withClock { clock in
            let log = Log<String>()
            let start = clock.nanoseconds
            @Sendable func note(_ name: String) {
                log.add("\(name) \((clock.nanoseconds - start) / 1_000_000)")
            }
            RLRunLoop.current.perform(afterDelay: 0.5) { note("delayed") }
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0.2, repeats: true) { _ in
                note("timer")
            }
            let styled = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent() + 0.3) { _ in
                note("C-style")
                RLRunLoop.current.perform { note("block") }
                RLRunLoop.current.perform(afterDelay: 0.05) { note("inner") }
            }
            RLRunLoopAddTimer(RLRunLoopGetCurrent(), styled, .commonModes)
            clock.advance(by: .milliseconds(600))
            timer.invalidate()
            #expect(
                log.entries == [
                    "timer 200", "C-style 300", "block 300", "inner 350", "timer 400",
                    "delayed 500", "timer 600",
                ]
            )
        }
    }

    @Test("ends runs with a limit, of the thread that advances and of others") func limits() {
        withClock { clock in
            clock.isAutomatic = true
            let start = clock.date
            let began = ContinuousClock.now
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, .defaultMode)
            RLRunLoop.current.run(until: start + 1000)
            #expect(clock.date == start + 1000)
            RLRunLoop.current.run(for: .seconds(500))
            #expect(clock.date == start + 1500)
            RLRunLoop.current.run(mode: .default, before: start + 2000)
            #expect(clock.date == start + 2000)
            #expect(RLRunLoopRunInMode(.defaultMode, 100, false) == .timedOut)
            #expect(clock.date == start + 2100)
            #expect(ContinuousClock.now - began < .seconds(60))
        }
    }

    @Test("counts the budget of an idle queue") func idleQueues() {
        withClock { clock in
            let log = Log<String>()
            let queue = RLIdleQueue(sliceBudget: .milliseconds(5))
            RLRunLoop.current.observe(.beforeWaiting, in: [.default], order: .max) { _, _ in
                log.add("rest")
            }
            for number in 1...4 {
                queue.add {
                    log.add("\(number)")
                    clock.jump(by: .milliseconds(3))
                }
            }
            clock.runUntilIdle()
            #expect(log.entries.prefix(5) == ["1", "2", "rest", "3", "4"])
        }
    }

    @Test("wakes tasks that sleep by the loop's clock, and sequences of dates") func tasks() {
        withClock { clock in
            let log = Log<String>()
            let loop = RLRunLoop.current.getRLRunLoop()
            let executor = RLRunLoopExecutor(loop: loop)
            let start = clock.nanoseconds
            @Sendable func note(_ name: String) {
                log.add("\(name) \((clock.nanoseconds - start) / 1_000_000_000)")
            }
            let sleeper = Task(executorPreference: executor) {
                let time = RLRunLoopClock(loop: loop)
                // The subject is the clock's time.
                try await time.sleep(for: .seconds(60), tolerance: .seconds(30))
                note("slept")
                // The subject is the clock's time.
                try await time.sleep(for: .seconds(60))
                note("slept")
            }
            let counter = Task(executorPreference: executor) {
                for await date in RLTimer.fires(every: .seconds(50), on: loop) {
                    #expect(abs(date.timeIntervalSince(clock.date)) < 1e-6)
                    note("fires")
                }
            }
            clock.runUntilIdle()
            clock.advance(by: .seconds(120))
            #expect(log.entries == ["fires 50", "slept 60", "fires 100", "slept 120"])
            counter.cancel()
            clock.runUntilIdle()
            _ = sleeper
        }
    }

    @Test("keeps the distance of sleeps that begin on other threads, to the nanosecond")
    func sleepsFromElsewhere() async throws {
        let clock = RLTestClock(for: .loops([]))
        let thread = RLPermanentThread()
        let loop = thread.runLoop
        clock.add(loop)
        let time = RLRunLoopClock(loop: loop)
        let start = time.now
        clock.jump(by: .seconds(1_000_000))
        #expect(start.duration(to: time.now) == .seconds(1_000_000))
        // The subject is the clock's time.
        async let slept: Void = time.sleep(for: .seconds(5))
        while RLRunLoopGetNextTimerFireDate(loop, .defaultMode) == 0 { await Task.yield() }
        await clock.advance(by: .seconds(5))
        try await slept
        #expect(start.duration(to: time.now) == .seconds(1_000_005))
        thread.stop()
        thread.join()
        clock.end()
    }

    @Test("waits for the loops of other threads, and lets descriptors come in real time")
    func otherThreads() {
        withClock { clock in
            let log = Log<String>()
            let own = RLRunLoop.current.getRLRunLoop()
            let workers = (1...3).map { _ in RLPermanentThread() }
            let start = clock.nanoseconds
            for (number, worker) in workers.enumerated() {
                clock.add(worker.runLoop)
                worker.execute(waitUntilDone: true) {
                    RLTimer.scheduledTimer(withTimeInterval: Double(number + 1), repeats: false) {
                        _ in
                        log.add("\(number + 1)")
                        RLRunLoopPerformBlock(own, .defaultMode) {
                            log.add(
                                "\(number + 1) at \((clock.nanoseconds - start) / 1_000_000_000)"
                            )
                        }
                        RLRunLoopWakeUp(own)
                    }
                }
            }
            clock.advance(by: .seconds(10))
            #expect(log.entries == ["1", "1 at 1", "2", "2 at 2", "3", "3 at 3"])
            for worker in workers {
                worker.stop()
                worker.join()
            }
        }
    }

    @Test("ends, and leaves timers to the real clock") func end() {
        onFreshThread {
            let clock = RLTestClock()
            let log = Log<String>()
            RLRunLoop.current.perform(afterDelay: 0.01) { log.add("done") }
            clock.end()
            clock.end()
            RLRunLoop.current.run()
            #expect(log.entries == ["done"])
        }
    }
}
