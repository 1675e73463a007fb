import CoreRunLoop
import RunLoopConcurrency
import RunLoopKit
import Testing
import ThreadKit

/// An actor of a loop that waits for ticks.
private actor Ticker {
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: RLRunLoopExecutor) {
        self.executor = executor
    }

    func logTicks(
        _ count: Int,
        _ log: Log<String>,
        mode: RLRunLoop.Mode = .common,
        stopsFirst: Bool = false
    ) async {
        var left = count
        let ticks = RLTimer.fires(every: .milliseconds(1), on: executor.loop, mode: mode)
        if stopsFirst { RLRunLoopStop(executor.loop) }
        for await _ in ticks {
            log.add("tick")
            left -= 1
            if left == 0 { return RLRunLoopStop(executor.loop) }
        }
    }
}

@Suite("A job of an event of the loop")
struct EventJobTests {
    @Test("runs in the callback of the event")
    func inCallback() {
        onFreshThread {
            let loop: RLRunLoopRef = RLRunLoopGetCurrent()
            let log = Log<String>()
            let ticker = Ticker(RLRunLoopExecutor(loop: loop))
            // Between the wait and the next pass is nothing but the callback.
            let observer = RLRunLoopObserverCreate(activities: [.afterWaiting, .beforeTimers]) {
                log.add($1 == .afterWaiting ? "wait" : "pass")
            }
            Task(executorPreference: ticker.executor) { await ticker.logTicks(10, log) }
            RLRunLoopAddObserver(loop, observer, .defaultMode)
            RLRunLoopRunInMode(.defaultMode, .infinity, false)
            RLRunLoopObserverInvalidate(observer)
            let all = log.entries
            for place in all.indices where all[place] == "tick" {
                #expect(all[place - 1] == "wait")
            }
            #expect(all.count { $0 == "tick" } == 10)
        }
    }

    @Test("waits for a mode of its executor")
    func otherMode() {
        onFreshThread {
            let loop: RLRunLoopRef = RLRunLoopGetCurrent()
            let log = Log<String>()
            let ticker = Ticker(RLRunLoopExecutor(loop: loop, modes: [.defaultMode]))
            Task(executorPreference: ticker.executor) {
                await ticker.logTicks(1, log, mode: .tracking, stopsFirst: true)
            }
            RLRunLoopRunInMode(.defaultMode, .infinity, false)
            let timer = RLRunLoopTimerCreate(
                fireDate: RLAbsoluteTimeGetCurrent() + 0.02,
                interval: 0
            ) { _ in
                log.add("other mode ends")
                RLRunLoopStop(loop)
            }
            RLRunLoopAddTimer(loop, timer, RLRunLoop.Mode.tracking.mode)
            RLRunLoopRunInMode(RLRunLoop.Mode.tracking.mode, .infinity, false)
            RLRunLoopRunInMode(.defaultMode, .infinity, false)
            #expect(log.entries == ["other mode ends", "tick"])
        }
    }
}
