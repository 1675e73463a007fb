// Handing something to another thread.

import CoreRunLoop
import Dispatch
import Engines
import Programs
import RunLoopKit

/// Called with each number by the thread that gets them.
private typealias Handler = @Sendable (Int) -> Void

/// Makes a thread that handles numbers, and returns what hands one over.
private typealias Opening = (@escaping Handler) -> Handler

extension Program {
    /// Threads of one process of which one hands something to the other.
    static var threads: [Program] {
        [
            Program("message one way between threads") { messagesOneWay($0) },
            Program("request and reply between threads") { requests($0) },
        ]
    }

    private static var handingWays: [(name: String, open: Opening)] {
        [
            ("floor", openFloor), ("dispatch", openQueue), ("RLPort", openPort),
            ("perform(on:)", openPerforming),
        ]
    }

    private init(_ title: String, measure: @escaping (Opening) -> [Double]) {
        self.title = title
        sizes = [1]
        figures = Figure.ofTimes
        ways = Self.handingWays.map { name, open in Way(name: name) { _ in measure(open) } }
    }
}

// MARK: - What is done

/// Numbers one after the other, on all processors that there are: the processor time of both.
private func messagesOneWay(_ open: Opening) -> [Double] {
    let count = 50_000
    let isOver = DispatchSemaphore(value: 0)
    let post = open { if $0 == 0 { isOver.signal() } }
    func postAll(_ count: Int) {
        for number in (0..<count).reversed() { post(number) }
        isOver.wait()
    }
    postAll(count / 10)
    let began = processor_ns()
    postAll(count)
    return [Double(processor_ns() - began) / Double(count), .nan, .nan]
}

/// What only the thread looks at to which requests return.
private final class Trips: @unchecked Sendable {
    var began: Int64 = 0
    var latencies: [Double] = []
    var again: Handler?
}

/// There and back on one processor, as else most of it is how long an idle one takes to wake up.
private func requests(_ open: Opening) -> [Double] {
    let count = 20_000
    bind_to_processor(0)
    let trips = Trips()
    let isOver = DispatchSemaphore(value: 0)
    @Sendable func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }
    let back = open { number in
        trips.latencies.append(Double(now() - trips.began))
        if number == 0 { return _ = isOver.signal() }
        trips.began = now()
        trips.again?(number - 1)
    }
    trips.again = open { back($0) }
    func runAll(_ count: Int) {
        trips.latencies.removeAll(keepingCapacity: true)
        back(count)
        isOver.wait()
    }
    runAll(count / 10)
    let began = processor_ns()
    runAll(count)
    let took = Double(processor_ns() - began) / Double(count)
    return [took] + percentiles(of: trips.latencies.dropFirst(), [50, 99])
}

// MARK: - Ways

private final class HandlerBox {
    let handler: Handler

    init(_ handler: @escaping Handler) {
        self.handler = handler
    }
}

/// A mailbox, which locks itself.
private struct Box: @unchecked Sendable {
    let mailbox: OpaquePointer
}

private func openFloor(_ handler: @escaping Handler) -> Handler {
    let mailbox = mailbox_open(
        { info, number in look(HandlerBox.self, info) { $0.handler(number) } },
        give(HandlerBox(handler))
    )
    guard let mailbox else { fatalError("no mailbox") }
    let box = Box(mailbox: mailbox)
    return { mailbox_post(box.mailbox, $0) }
}

private func openQueue(_ handler: @escaping Handler) -> Handler {
    let queue = DispatchQueue(label: "benchmarks")
    return { number in queue.async { handler(number) } }
}

/// Gets the messages of a port.
///
/// The thread keeps it.
private final class Receiver: RLPortDelegate {
    private let handler: Handler

    init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    func handle(_ message: RLPortMessage) {
        handler(Int(message.msgid))
    }
}

private func openPort(_ handler: @escaping Handler) -> Handler {
    let port = RLPort()
    let isOpen = DispatchSemaphore(value: 0)
    RLThread.detachNewThread {
        let receiver = Receiver(handler)
        port.setDelegate(receiver)
        RLRunLoop.current.add(port, forMode: .default)
        isOpen.signal()
        withExtendedLifetime(receiver) { RLRunLoop.current.run() }
    }
    isOpen.wait()
    return { port.send(before: .distantFuture, msgid: UInt32($0)) }
}

private final class Performer: RLObject, Sendable {
    private let handler: Handler

    init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    func handle(_ number: Int) {
        handler(number)
    }

    static let handling = RLSelector("handle:", Performer.handle)
}

private func openPerforming(_ handler: @escaping Handler) -> Handler {
    let performer = Performer(handler)
    let thread = RLThread {
        RLRunLoopAddSource(RLRunLoopGetCurrent(), RLRunLoopSourceCreate {}, .defaultMode)
        RLRunLoop.current.run()
    }
    thread.start()
    return { performer.perform(Performer.handling, on: thread, with: $0, waitUntilDone: false) }
}
