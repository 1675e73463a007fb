// Requests of an app to Foundation's run loop and to Dispatch, with the names of Tests/Costs/Swift.

import Dispatch
import Foundation

// Set before all runs; used by one thread at a time.
nonisolated(unsafe) var left = 0

let isOver = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "app")

@Sendable func countDown() {
    left -= 1
    if left == 0 { isOver.signal() }
}

/// Keeps the run loop nonempty.
private func keepAlive() {
    RunLoop.current.add(Timer(timeInterval: 1e6, repeats: false) { _ in }, forMode: .default)
}

private final class Worker {}

private func post(_ names: [Notification.Name], _ objects: [Worker?], _ times: Int) {
    let center = NotificationCenter()
    var tokens: [any NSObjectProtocol] = []
    for name in names {
        for object in objects {
            tokens.append(center.addObserver(forName: name, object: object, queue: nil) { _ in })
        }
    }
    for number in 0..<times {
        center.post(
            name: names[number % names.count],
            object: objects[number % objects.count]
        )
    }
    withExtendedLifetime(tokens) {}
}

private func perform(_ times: Int) {
    let mayContinue = DispatchSemaphore(value: 0)
    queue.async { mayContinue.wait() }
    for _ in 0..<times { queue.async { countDown() } }
    mayContinue.signal()
    isOver.wait()
}

private func postAgain() {
    countDown()
    if left > 0 { RunLoop.current.perform { postAgain() } }
}

@Sendable private func postAgainOnQueue() {
    countDown()
    if left > 0 { queue.async(execute: postAgainOnQueue) }
}

enum Requests {
    static let foundation: [String: @Sendable (Int) -> Void] = [
        "sources": { times in
            keepAlive()
            for _ in 0..<times { _ = RunLoop.current.run(mode: .default, before: .distantPast) }
        },
        "self": { times in
            keepAlive()
            RunLoop.current.perform { postAgain() }
            while left > 0 { _ = RunLoop.current.run(mode: .default, before: .distantPast) }
        },
        "due": { times in
            let now = Date()
            for _ in 0..<times {
                let timer = Timer(fire: now, interval: 0, repeats: false) { _ in countDown() }
                RunLoop.current.add(timer, forMode: .default)
            }
            while left > 0 { _ = RunLoop.current.run(mode: .default, before: .distantPast) }
        },
        // Foundation's run does not return after a timer, but at its limit.
        "ticks": { times in
            let timer = Timer(fire: Date(), interval: 1e-4, repeats: true) { timer in
                countDown()
                if left == 0 { timer.invalidate() }
            }
            RunLoop.current.add(timer, forMode: .default)
            keepAlive()
            while left > 0 {
                let limit = Date(timeIntervalSinceNow: Double(left) * 1e-4)
                _ = RunLoop.current.run(mode: .default, before: limit)
            }
        },
        "notify": { post([.init("changed")], [nil], $0) },
        "names": { post((0..<100).map { .init("name \($0)") }, [nil], $0) },
        "objects": { post([.init("changed")], (0..<1000).map { _ in Worker() }, $0) },
        "enqueue": { times in
            keepAlive()
            let queue = NotificationQueue(notificationCenter: NotificationCenter())
            let worker = Worker()
            for _ in 0..<times {
                let notification = Notification(name: .init("changed"), object: worker)
                queue.enqueue(notification, postingStyle: .asap)
                _ = RunLoop.current.run(mode: .default, before: .distantPast)
            }
        },
    ]

    static let dispatch: [String: @Sendable (Int) -> Void] = [
        "self": { _ in
            queue.async(execute: postAgainOnQueue)
            isOver.wait()
        },
        "due": { times in
            let now = DispatchTime.now()
            for _ in 0..<times { queue.asyncAfter(deadline: now) { countDown() } }
            isOver.wait()
        },
        "ticks": { _ in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .microseconds(100), leeway: .nanoseconds(0))
            timer.setEventHandler { countDown() }
            timer.activate()
            isOver.wait()
        },
        "perform": perform,
        "wait": { times in
            for _ in 0..<times {
                queue.async { isOver.signal() }
                isOver.wait()
            }
        },
        "request": { times in
            let other = DispatchQueue(label: "other")
            for _ in 0..<times {
                queue.async { other.async { isOver.signal() } }
                isOver.wait()
            }
        },
    ]
}
