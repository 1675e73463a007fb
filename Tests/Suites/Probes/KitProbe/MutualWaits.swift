import CRunLoop.Testing
import Dispatch
import Foundation
import RunLoopKit

/// The functions that wait for another thread or a queue of this process.
private enum Wait: String, CaseIterable {
    case join, perform, post, message

    func begin(for other: Side) {
        switch self {
        case .join: other.thread.join()
        case .perform: other.thread.perform(waitUntilDone: true) {}
        case .post: RLNotificationCenter.default.post(name: other.name, object: nil)
        case .message:
            let port = RLMessagePortCreateRemote(nil, other.portName)
            var reply: RLDataRef?
            RLMessagePortSendRequest(port, 0, nil, 60, 60, "waits", &reply)
        }
    }
}

/// A thread that waits for another one in work of its queue, and has a port in its loop.
private final class Side: Sendable {
    let number: Int
    let thread: RLThread
    private let queue: DispatchQueue

    var name: RLNotification.Name { RLNotification.Name("side \(number)") }
    var portName: RLStringRef { RLStringRef("mutual-waits-\(getpid())-\(number)") }

    init(_ number: Int, begin: @escaping @Sendable () -> Void) {
        self.number = number
        let queue = DispatchQueue(label: "side \(number)")
        let portName = "mutual-waits-\(getpid())-\(number)"
        self.queue = queue
        thread = RLThread {
            let port = RLMessagePortCreateLocal(
                nil,
                RLStringRef(portName),
                { _, _, _, _ in nil },
                nil,
                nil
            )
            let source = RLMessagePortCreateRunLoopSource(nil, port, 0)
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .commonModes)
            queue.sync(execute: begin)
        }
        RLNotificationCenter.default.addObserver(forName: name, queue: queue) { _ in }
    }
}

/// Starts two threads that wait for each other with the functions that the arguments name.
func waitMutually() {
    let names = CommandLine.arguments.dropFirst(2)
    let kinds = names.compactMap(Wait.init(rawValue:))
    guard kinds.count == 2 else {
        return print(Wait.allCases.map(\.rawValue).joined(separator: "\n"))
    }
    endWithHint()
    let sides = Locked<[Side]>([])
    let arrived = Condition(0)
    let both = (0..<2).map { number in
        Side(number) {
            arrived.withLock { $0 += 1 }
            arrived.wait { $0 == 2 ? () : nil }
            kinds[number].begin(for: sides.withLock { $0[1 - number] })
        }
    }
    sides.withLock { $0 = both }
    for side in both { side.thread.start() }
    while true { pause() }
}

/// Joins a worker on the main thread.
///
/// The worker waits for observers on the main queue, before and during its end.
func joinPoster() {
    endWithHint()
    let name = RLNotification.Name("done")
    let center = RLNotificationCenter.default
    center.addObserver(forName: RLThread.willExitNotification, queue: .main) { note in
        print("observed \(note.name.rawValue), main thread: \(RLThread.isMainThread)")
    }
    center.addObserver(forName: name, queue: .main) { _ in
        print("observed done, main thread: \(RLThread.isMainThread)")
    }
    RLTimer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
        let worker = RLPermanentThread(name: "worker")
        worker.execute { RLNotificationCenter.default.post(name: name, object: nil) }
        // Posts when the ended loop releases its items.
        worker.execute {
            let poster = Poster()
            RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: false) { _ in poster.keep() }
        }
        center.addObserver(forName: .init("released"), queue: .main) { _ in print("released") }
        worker.stop()
        worker.join()
        print("joined")
        RLRunLoop.main.stop()
    }
    exit(RLRunLoop.main.runUntilStopped())
}

private final class Poster {
    func keep() {}

    deinit {
        RLNotificationCenter.default.post(name: .init("released"), object: nil)
    }
}

/// Joins in work of the main queue, which cannot be served within itself.
func joinInMainQueue() {
    endWithHint()
    RLNotificationCenter.default.addObserver(forName: .init("done"), queue: .main) { _ in }
    DispatchQueue.main.async {
        let worker = RLThread {
            RLNotificationCenter.default.post(name: .init("done"), object: nil)
        }
        worker.start()
        worker.join()
    }
    RLRunLoop.main.run()
}

/// Prints the first diagnostic, and exits.
private func endWithHint() {
    // A limit for hangs.
    alarm(300)
    RLTestingSetHintHandler { line in
        print(line.map { String(cString: $0) } ?? "")
        exit(3)
    }
}
