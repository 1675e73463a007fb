import Dispatch
import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopFoundation
import RunLoopKit
import Testing
import ThreadKit

/// Members in the shapes in which programs that were written for Foundation use them.
@Suite("As in Foundation") struct FoundationShapeTests {
    @Test("a subclass of a thread may have members of any name that Foundation leaves free")
    func threadSubclass() {
        let worker = Worker()
        worker.start()
        worker.waitForStart()
        let done = Log<String>()
        #expect(worker.perform("task", done))
        #expect(worker.runLoop == "my loop")
        worker.join()
        #expect(done.entries == ["task"] && worker.isCancelled && worker.joins.entries == [1])
        (worker as RLThread).join()
    }

    @Test("a thread's state can be overridden") func threadState() {
        final class Named: RLThread, @unchecked Sendable {
            override var name: String? {
                get { "always" }
                set {}
            }
            override var isCancelled: Bool { true }
            override var isMainThread: Bool { true }
        }
        let thread: RLThread = Named()
        #expect(thread.name == "always" && thread.isCancelled && thread.isMainThread)
    }

    @Test("the main thread has the name of the process") func mainThread() {
        #expect(RLThread.mainThread === RLThread.main)
        let program = CommandLine.arguments[0].split(separator: "/").last.map(String.init)
        #expect(RLThread.main.name == program && program != nil)
        #expect(RLThread().name == nil)
    }

    @Test("a thread tells its call stack") func callStack() {
        let addresses = RLThread.callStackReturnAddresses
        #expect(addresses.count > 2 && !addresses.contains(0))
        let symbols = onFreshThread { RLThread.callStackSymbols } ?? []
        #expect(symbols.count > 2)
        #expect(symbols.contains { $0.contains("libc.so") || $0.contains("start_thread") })
    }

    @Test("a permanent thread performs methods") func permanentThread() {
        let clerk = Clerk()
        let thread = RLPermanentThread(name: "clerk")
        #expect(clerk.perform(.note, on: thread, with: "waited", waitUntilDone: true))
        #expect(clerk.notes.entries == ["waited"])
        #expect(clerk.perform(.note, on: thread, with: "later", waitUntilDone: false))
        thread.stop()
        thread.join()
        #expect(clerk.notes.entries == ["waited", "later"])
        #expect(!clerk.perform(.note, on: thread, with: "late", waitUntilDone: true))
    }

    @Test("a port's members can be overridden") func portSubclass() {
        final class Dead: RLPort, @unchecked Sendable {
            override var isValid: Bool { false }
            override var reservedSpaceLength: Int { 7 }
            override func delegate() -> (any RLPortDelegate)? { nil }
            override func send(
                before limitDate: Date,
                msgid: UInt32,
                components: [any Sendable]?,
                from replyPort: RLPort?,
                reserved: Int
            ) -> Bool {
                msgid == 5
            }
        }
        let port: RLPort = Dead()
        #expect(!port.isValid && port.reservedSpaceLength == 7 && port.delegate() == nil)
        let message = RLPortMessage(send: port, receive: nil, components: ["text"])
        #expect(message.sendPort === port && message.receivePort == nil)
        #expect(message.components?.first as? String == "text")
        #expect(!message.send(before: .distantPast))
        message.msgid = 5
        #expect(message.send(before: .distantPast))
        onFreshThread {
            // What says that it is invalid is not added.
            RLRunLoop.current.add(Dead(), forMode: .default)
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
        }
    }

    @Test("streams and queues can be compared, and a stream's delegate need not listen")
    func identities() {
        final class Deaf: RLStreamDelegate {}
        onFreshThread {
            let input = RLInputStream(data: Data([1])), other = RLInputStream(data: Data([1]))
            let deaf = Deaf()
            #expect(input == input && input != other && Set([input, other, input]).count == 2)
            input.delegate = deaf
            input.schedule(in: .current, forMode: .default)
            input.open()
            while RLRunLoop.current.run(mode: .default, before: .distantPast),
                !input.hasBytesAvailable
            {}
            #expect(input.delegate === deaf)
            let queue = RLNotificationQueue(notificationCenter: .default)
            #expect(queue == queue && queue != RLNotificationQueue.default)
            #expect(RLNotificationCenter.default != RLNotificationCenter())
            input.close()
            // To remove a closed stream is no error.
            input.remove(from: .current, forMode: .default)
        }
    }

    @Test("a timer is made of the engine's, with what it calls") func timers() {
        onFreshThread {
            let log = Log<String>()
            let own = RLTimer(
                timeInterval: 1000,
                target: Clerk(log),
                selector: .note,
                userInfo: "info",
                repeats: true
            )
            let same = RLTimer(own.getRLRunLoopTimer())
            #expect(same == own && same.userInfo as? String == "info")
            same.fire()
            let plain = RLRunLoopTimerCreate(fireDate: 0, interval: 1000) { _ in log.add("plain") }
            let wrapper = RLTimer(plain)
            #expect(wrapper.isValid && wrapper.timeInterval == 1000 && wrapper.userInfo == nil)
            wrapper.fire()
            RLRunLoop.current.add(wrapper, forMode: .default)
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(log.entries == ["timer", "plain", "plain"])
            RLRunLoop.current.remove(wrapper, forMode: .default)
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
            let once = RLTimer(
                RLRunLoopTimerCreate(fireDate: .infinity) { _ in log.add("once") }
            )
            once.fire()
            once.fire()
            #expect(!once.isValid && log.entries.last == "once" && log.entries.count == 4)
            #expect(wrapper.getRLRunLoopTimer() === plain)
        }
    }

    @Test("observers of notifications are called on a queue, while the poster waits")
    func notificationsOnQueues() {
        let center = RLNotificationCenter()
        let log = Log<String>()
        let queue = DispatchQueue(label: "notes")
        let key = DispatchSpecificKey<String>()
        queue.setSpecific(key: key, value: "queue")
        let block: @Sendable (RLNotification) -> Void = { notification in
            log.add(
                "\(notification.name.rawValue) on \(DispatchQueue.getSpecific(key: key) ?? "none")"
            )
        }
        let first = center.addObserver(forName: .init("a"), object: nil, queue: queue, using: block)
        center.addObserver(forName: .init("a"), object: nil, queue: nil, using: block)
        center.post(name: .init("a"), object: nil)
        #expect(log.entries == ["a on queue", "a on none"])
        // On the queue itself it would wait for ever.
        queue.sync { center.post(name: .init("a"), object: nil) }
        #expect(log.entries.suffix(2) == ["a on queue", "a on queue"])
        center.removeObserver(first)
        center.post(name: .init("a"), object: nil)
        #expect(log.entries.count == 5)
    }
}

private final class Worker: RLThread, @unchecked Sendable {
    let joins = Log<Int>()
    private let started = Gate()

    var runLoop: String { "my loop" }

    override func main() {
        started.open()
        let keeper = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: false) { _ in }
        while !isCancelled { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
        keeper.invalidate()
    }

    func waitForStart() { started.wait() }

    func perform(_ name: String, _ log: Log<String>) -> Bool {
        super.perform(waitUntilDone: true) { log.add(name) }
    }

    func join() {
        joins.add(1)
        super.perform(waitUntilDone: false) { [self] in cancel() }
        (self as RLThread).join()
    }
}

private final class Clerk: RLObject, Sendable {
    let notes: Log<String>

    init(_ notes: Log<String> = Log()) {
        self.notes = notes
    }

    func note(_ thing: Any) {
        notes.add(thing as? String ?? "timer")
    }
}

extension RLSelector where Target == Clerk {
    fileprivate static let note = RLSelector("note:") { (clerk: Clerk) in
        { (thing: Any) in clerk.note(thing) }
    }
}
