import FoundationEssentials
import RunLoopKit

/// The check-in of many tutorials: a worker first sends its port, and then both threads exchange
/// messages.
struct PortConversationSample: Sample {
    let name = "port-conversation"
    let summary = "a worker that checks in with its port, and two threads that talk by messages"

    func run(_ trace: Trace) throws {
        let port = RLPort()
        let manager = Manager(trace)
        port.setDelegate(manager)
        RLRunLoop.current.add(port, forMode: .default)
        RLThread.detachNewThread { work(for: port, trace) }
        while !manager.isDone { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
        port.invalidate()
        trace.expect([
            "the worker checks in", "the manager has the worker's port, and sends 21",
            "the worker got 21, and sends 42", "the manager got 42",
        ])
    }
}

private let checkIn: UInt32 = 100
private let task: UInt32 = 101
private let result: UInt32 = 102

/// Runs on the worker's thread.
private func work(for manager: RLPort, _ trace: Trace) {
    let port = RLPort()
    let worker = Laborer(trace)
    port.setDelegate(worker)
    RLRunLoop.current.add(port, forMode: .default)
    trace.event("the worker checks in")
    manager.send(before: .distantFuture, msgid: checkIn, from: port)
    RLRunLoop.current.run(mode: .default, before: .distantFuture)
    port.invalidate()
    withExtendedLifetime(worker) {}
}

private final class Manager: RLPortDelegate {
    private let trace: Trace
    private(set) var isDone = false

    init(_ trace: Trace) {
        self.trace = trace
    }

    func handle(_ message: RLPortMessage) {
        switch message.msgid {
        case checkIn:
            trace.event("the manager has the worker's port, and sends 21")
            message.sendPort?.send(
                before: .distantFuture,
                msgid: task,
                components: [21],
                from: message.receivePort
            )
        case result:
            trace.event("the manager got \(message.components?.first as? Int ?? 0)")
            isDone = true
        default: trace.fail("an unknown message \(message.msgid)")
        }
    }
}

private final class Laborer: RLPortDelegate {
    private let trace: Trace

    init(_ trace: Trace) {
        self.trace = trace
    }

    func handle(_ message: RLPortMessage) {
        let number = message.components?.first as? Int ?? 0
        trace.event("the worker got \(number), and sends \(number * 2)")
        message.sendPort?.send(before: .distantFuture, msgid: result, components: [number * 2])
    }
}
