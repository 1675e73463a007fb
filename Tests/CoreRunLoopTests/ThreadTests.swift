import CoreRunLoop
import Dispatch
import Testing
import ThreadKit

@Suite("From another thread")
struct ThreadTests {
    @Test("a loop can be given blocks, woken and stopped")
    func performAndStop() {
        let log = Log<String>()

        withRunningLoop { loop in
            RLRunLoopPerformBlock(loop, "mode") { log.add("on its thread") }
            RLRunLoopPerformBlock(loop, "mode") { RLRunLoopStop(loop) }
            RLRunLoopWakeUp(loop)
        } whenDone: {
            log.add("\($0)")
        }

        #expect(log.entries == ["on its thread", "stopped"])
    }

    @Test("a source can be signalled")
    func signal() {
        let log = Log<String>()
        let source = RLRunLoopSourceCreate {
            log.add("performed")
            RLRunLoopStop(RLRunLoopGetCurrent())
        }

        withRunningLoop { loop in
            RLRunLoopAddSource(loop, source, "mode")
            RLRunLoopSourceSignal(source)
            RLRunLoopWakeUp(loop)
        } whenDone: {
            log.add("\($0)")
        }

        #expect(log.entries == ["performed", "stopped"])
    }

    @Test("a timer can be added to a loop that sleeps")
    func addTimer() {
        let log = Log<String>()

        withRunningLoop { loop in
            let timer = RLRunLoopTimerCreate(fireDate: 0) { _ in
                log.add("fired")
                RLRunLoopStop(loop)
            }
            RLRunLoopAddTimer(loop, timer, "mode")
        } whenDone: {
            log.add("\($0)")
        }

        #expect(log.entries == ["fired", "stopped"])
    }

    @Test("every reference can be sent to tasks that use it at the same time")
    func tasks() async {
        let source = RLRunLoopSourceCreate {}
        let timer = RLRunLoopTimerCreate(fireDate: .infinity) { _ in }
        let alone = (RLGetRetainCount(source), RLGetRetainCount(timer))

        let descriptions = await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    RLRunLoopSourceSignal(source)
                    RLRunLoopTimerSetNextFireDate(timer, .infinity)
                    return "\(RLRunLoopSourceIsSignalled(source)) \(RLRunLoopTimerIsValid(timer))"
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(descriptions == ["true true"])
        #expect(RLGetRetainCount(source) == alone.0)
        #expect(RLGetRetainCount(timer) == alone.1)
    }

    /// Calls `body` on this thread while another one runs its loop in "mode".
    private func withRunningLoop(
        _ body: @escaping @Sendable (RLRunLoopRef) -> Void,
        whenDone: @escaping @Sendable (RLRunLoopRunResult) -> Void
    ) {
        onFreshThread {
            guard let loop = RLRunLoopGetCurrent() else { return }
            let observer = RLRunLoopObserverCreate(
                activities: .beforeWaiting,
                repeats: false
            ) { _, _ in
                DispatchQueue.global().async { body(loop) }
            }
            RLRunLoopAddObserver(loop, observer, "mode")
            RLRunLoopAddSource(loop, RLRunLoopSourceCreate {}, "mode")
            whenDone(RLRunLoopRunInMode("mode", 10, false))
        }
    }
}
