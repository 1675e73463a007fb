import Glibc
import RunLoopKit
import Testing
import ThreadKit

/// What many requests cost: eight times as many may cost sixteen times as much.
///
/// By the processor time of the thread, which does not depend on others. Walking all of them for
/// each would cost 64 times as much.
@Suite("As many as there may be") struct GrowthTests {
    @Test("delayed requests are performed") func delayed() {
        expectGrowth { count in
            let worker = Worker()
            for number in 0..<count { worker.perform(.work, with: number, afterDelay: 0) }
            RLRunLoop.current.run()
            #expect(worker.count == count)
        }
    }

    @Test("delayed requests are cancelled, one by one") func cancelled() {
        expectGrowth { count in
            let worker = Worker()
            for number in 0..<count { worker.perform(.work, with: number, afterDelay: 1000) }
            for number in 0..<count {
                Worker.cancelPreviousPerformRequests(
                    withTarget: worker,
                    selector: .work,
                    object: number
                )
            }
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
        }
    }

    @Test("ordered requests are performed and cancelled") func ordered() {
        expectGrowth { count in
            let worker = Worker()
            let loop = RLRunLoop.current
            for number in 0..<count {
                loop.perform(
                    .work,
                    target: worker,
                    argument: number,
                    order: -number,
                    modes: [.default]
                )
            }
            for number in 0..<count / 2 {
                loop.cancelPerform(.work, target: worker, argument: number)
            }
            loop.run(mode: .default, before: .distantPast)
            #expect(worker.count == count - count / 2)
        }
    }

    @Test("notifications are merged, and posted") func merged() {
        expectGrowth { count in
            let log = Guarded(0)
            let queue = RLNotificationQueue { _ in log.withLock { $0 += 1 } }
            let senders = (0..<count).map { _ in Worker() }
            for _ in 0..<2 {
                for sender in senders {
                    queue.enqueue(
                        RLNotification(name: .init("changed"), object: sender),
                        postingStyle: .asap
                    )
                }
            }
            RLRunLoop.current.perform {}
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(log.withLock { $0 } == count)
        }
    }

    @Test("requests of another mode are passed by") func modes() {
        expectGrowth { count in
            let done = Guarded(0)
            let thread = RLThread.current
            for _ in 0..<count {
                thread.perform(modes: [.tracking]) { done.withLock { $0 += 1 } }
                thread.perform(modes: [.default]) { done.withLock { $0 += 1 } }
            }
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(done.withLock { $0 } == count)
            RLRunLoop.current.run(mode: .tracking, before: .distantPast)
            #expect(done.withLock { $0 } == 2 * count)
        }
    }

    @Test("requests that are waited for pass those of another mode by") func waited() {
        expectGrowth { count in
            let thread = RLThread.current
            for _ in 0..<count { thread.perform(modes: [.tracking]) {} }
            let isOver = Flag()
            let asker = RLThread {
                for _ in 0..<count / 8 { thread.perform(waitUntilDone: true) {} }
                thread.perform { isOver.set() }
            }
            asker.start()
            let keeper = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, .defaultMode)
            while !isOver.isSet { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
            asker.join()
            RLRunLoop.current.run(mode: .tracking, before: .distantPast)
        }
    }

    private func expectGrowth(_ body: @escaping @Sendable (Int) -> Void) {
        let costs = [2000, 16_000].map { count in
            onFreshThread {
                let before = processorTime()
                body(count)
                return processorTime() - before
            } ?? 0
        }
        #expect(costs[1] < 16 * costs[0], "\(costs)")
    }
}

private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private final class Worker: RLObject {
    private(set) var count = 0

    func work(_ number: Int) {
        count += 1
    }
}

extension RLSelector where Target == Worker {
    fileprivate static let work = RLSelector("work:", Worker.work)
}
