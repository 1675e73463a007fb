import RunLoopKit
import Testing
import ThreadKit

@Suite("A pump") struct PumpTests {
    @Test("serves what is ready and does not sleep") func ready() {
        onFreshThread {
            let loop = RLRunLoop.current
            let log = Log<String>()
            #expect(!loop.pump())
            loop.perform { log.add("block") }
            RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: false) { _ in log.add("never") }
            #expect(loop.pump())
            #expect(log.entries == ["block"])
            #expect(!loop.pump(for: .seconds(1000)))
        }
    }

    @Test("continues while there is more, for the time given") func timeLimit() {
        onFreshThread {
            let loop = RLRunLoop.current
            let log = Log<Int>()
            let again = RLRunLoopSourceCreate {
                log.add(0)
                RLRunLoopPerformBlock(RLRunLoopGetCurrent(), .defaultMode) { log.add(1) }
            }
            RLRunLoopAddSource(loop.getRLRunLoop(), again, .defaultMode)
            RLRunLoopSourceSignal(again)
            #expect(loop.pump(for: .seconds(1000)))
            #expect(log.entries == [0, 1])

            // The time limit ends a source that is always ready.
            let endless = Endless()
            let start = ContinuousClock.now
            RLRunLoopAddSource(loop.getRLRunLoop(), endless.source, .defaultMode)
            RLRunLoopSourceSignal(endless.source)
            #expect(loop.pump(for: .milliseconds(3)))
            #expect(ContinuousClock.now - start >= .milliseconds(3))
            endless.end()
        }
    }

    @Test("wakes async code by timers") func asyncTimers() async {
        let worker = RLPermanentThread()
        var count = 0
        for await _ in RLTimer.fires(every: .milliseconds(1), on: worker.runLoop) {
            count += 1
            if count == 3 { break }
        }
        #expect(count == 3)
        let log = Log<String>()
        // The loop's removal has removed the timer.
        worker.execute(waitUntilDone: true) {
            log.add("\(RLRunLoopGetNextTimerFireDate(RLRunLoopGetCurrent(), .defaultMode))")
        }
        #expect(log.entries == ["0.0"])
        worker.stop()
    }

    @Test("does not keep async code waiting for a timer that is over") @MainActor
    func invalidTimer() async {
        let timer = RLTimer(timeInterval: 1000, repeats: false) { _ in }
        timer.invalidate()
        #expect(await !timer.nextFire())
    }

    @Test("does not keep a cancelled task waiting for a timer") func cancelledTask() async {
        let watcher = await Watcher()
        let task = Task { await watcher.watch() }
        // The actor is free again once the task waits.
        while !(await watcher.isWaiting) { await Task.yield() }
        task.cancel()
        #expect(await !task.value)
        #expect(await watcher.watchAgain())

        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Watcher().watch()
        }
        #expect(await !late.value)
    }
}

/// Waits for a timer that is in no loop.
@MainActor private final class Watcher {
    private let timer = RLTimer(timeInterval: 1000, repeats: true) { _ in }
    private(set) var isWaiting = false

    func watch() async -> Bool {
        isWaiting = true
        return await timer.nextFire()
    }

    /// Waits again, while another task fires the timer.
    func watchAgain() async -> Bool {
        let task = Task { fire() }
        let hasFired = await timer.nextFire()
        await task.value
        return hasFired
    }

    private func fire() {
        timer.fire()
    }
}

/// A source that signals itself whenever it is performed, until it is ended.
private final class Endless: Sendable {
    private final class Itself: Sendable {
        let source = Guarded<RLRunLoopSourceRef?>(nil)
    }

    let source: RLRunLoopSourceRef
    private let itself = Itself()

    init() {
        source = RLRunLoopSourceCreate { [itself] in
            itself.source.withLock { $0.map { RLRunLoopSourceSignal($0) } }
        }
        itself.source.withLock { $0 = source }
    }

    func end() {
        itself.source.withLock { $0 = nil }
    }
}
