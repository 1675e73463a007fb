// Requests of an app to RunLoopKit that need several calls of the engine.

import CoreRunLoop
import RunLoopKit

enum App {
    /// Posts notifications with a hundred names in turn, each with one observer.
    static func names(_ times: Int) {
        let names = (0..<100).map { RLNotification.Name("name \($0)") }
        let center = center(of: names, [nil])
        for number in 0..<times { center.post(name: names[number % 100], object: nil) }
    }

    /// Posts notifications of a thousand objects in turn, each with one observer.
    static func objects(_ times: Int) {
        let objects = (0..<1000).map { _ in Worker() }
        let name = RLNotification.Name("changed")
        let center = center(of: [name], objects)
        for number in 0..<times { center.post(name: name, object: objects[number % 1000]) }
    }

    static func notify(_ times: Int) {
        let name = RLNotification.Name("changed")
        let center = center(of: [name], [nil])
        for _ in 0..<times { center.post(name: name, object: nil) }
    }

    private static func center(of names: [RLNotification.Name], _ objects: [AnyObject?])
        -> RLNotificationCenter
    {
        let center = RLNotificationCenter()
        for name in names {
            for object in objects { center.addObserver(forName: name, object: object) { _ in } }
        }
        return center
    }

    /// Performs selectors after a delay of 0.
    static func delay(_ times: Int) {
        begin(times)
        let worker = Worker()
        for _ in 0..<times { worker.perform(.count, afterDelay: 0) }
        RLRunLoop.current.run(mode: .default, before: .distantFuture)
    }

    /// Marks an object, which a pass commits.
    static func commit(_ times: Int) {
        keepAlive()
        let worker = Worker()
        for _ in 0..<times {
            RLTransaction.current.setNeedsCommit(worker)
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        }
    }

    /// Enqueues a notification, which a pass posts.
    static func enqueue(_ times: Int) {
        keepAlive()
        let queue = RLNotificationQueue { _ in }
        let worker = Worker()
        for _ in 0..<times {
            let notification = RLNotification(name: .init("changed"), object: worker)
            queue.enqueue(notification, postingStyle: .asap)
            RLRunLoop.current.run(mode: .default, before: .distantPast)
        }
    }

    private static func keepAlive() {
        bell = RLRunLoopSourceCreate {}
        RLRunLoopAddSource(RLRunLoopGetCurrent(), bell, .defaultMode)
    }

    /// Sends messages to another thread's port, each after the reply to the previous one.
    static func request(_ times: Int) {
        let (server, client) = (RLPort(), RLPort())
        let thread = RLThread {
            let answerer = Answerer()
            server.setDelegate(answerer)
            RLRunLoop.current.add(server, forMode: .default)
            RLRunLoop.current.run()
        }
        thread.start()
        let counter = Answerer()
        client.setDelegate(counter)
        RLRunLoop.current.add(client, forMode: .default)
        for _ in 0..<times {
            server.send(before: .distantFuture, from: client)
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
        }
    }
}

private final class Answerer: RLPortDelegate {
    private(set) var count = 0

    func handle(_ message: RLPortMessage) {
        count += 1
        message.sendPort?.send(before: .distantFuture)
    }
}

private final class Worker: RLObject, RLCommitting {
    func commitChanges() {}
}

extension RLSelector where Target == Worker {
    fileprivate static let count = RLSelector("count") { (_: Worker) in { countDown() } }
}
