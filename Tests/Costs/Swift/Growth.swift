// Large numbers of requests: the cost of one must not depend on their number.

import CoreRunLoop
import RunLoopKit

enum Growth {
    /// Calls a function on its own thread, whose loop ends when it is empty, unlike the main loop.
    static func onThread(_ body: @escaping @Sendable (Int) -> Void) -> (Int) -> Void {
        { count in
            let thread = RLThread { body(count) }
            thread.start()
            thread.join()
        }
    }

    static func delayed(_ count: Int) {
        let worker = Worker()
        for number in 0..<count { worker.perform(.work, with: number, afterDelay: 0) }
        RLRunLoop.current.run()
    }

    /// Delayed requests, cancelled one by one.
    static func cancelled(_ count: Int) {
        let worker = Worker()
        for number in 0..<count { worker.perform(.work, with: number, afterDelay: 1000) }
        for number in 0..<count {
            Worker.cancelPreviousPerformRequests(
                withTarget: worker,
                selector: .work,
                object: number
            )
        }
        RLRunLoop.current.run()
    }

    /// Ordered requests, every other one of which is cancelled.
    static func ordered(_ count: Int) {
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
        for number in stride(from: 0, to: count, by: 2) {
            loop.cancelPerform(.work, target: worker, argument: number)
        }
        loop.run(mode: .default, before: .distantPast)
    }

    /// Notifications, each enqueued twice and posted once.
    static func merged(_ count: Int) {
        let queue = RLNotificationQueue { _ in }
        let senders = (0..<count).map { _ in Worker() }
        for sender in senders + senders {
            queue.enqueue(
                RLNotification(name: .init("changed"), object: sender),
                postingStyle: .asap
            )
        }
        RLRunLoop.current.perform {}
        RLRunLoop.current.run(mode: .default, before: .distantPast)
    }

    /// Requests in two modes in turn, and in both.
    static func modes(_ count: Int) {
        let thread = RLThread.current
        for number in 0..<count {
            thread.perform(modes: number % 2 == 0 ? [.default] : [.tracking]) {}
            thread.perform(modes: [.default, .tracking]) {}
        }
        RLRunLoop.current.run(mode: .tracking, before: .distantPast)
        RLRunLoop.current.run(mode: .default, before: .distantPast)
    }

    /// Requests that are awaited, among as many in another mode.
    static func beside(_ count: Int) {
        let performer = ThreadPerformer()
        performer.ask(count, in: .tracking)
        performer.wait(count)
    }
}

private final class Worker: RLObject {
    private var sum = 0

    func work(_ number: Int) {
        sum += number
    }
}

extension RLSelector where Target == Worker {
    fileprivate static let work = RLSelector("work:", Worker.work)
}
