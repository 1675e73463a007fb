import Dispatch
import class Foundation.NSArray
import class Foundation.NSData
import class Foundation.NSMutableArray
import class Foundation.NSObject
import protocol Foundation.NSObjectProtocol
import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopFoundation
import RunLoopKit
import Testing
import ThreadKit

/// Members in the form in which programs for Foundation use them.
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

    @Test("a thread's dictionary and the class's properties can be overridden")
    func threadClass() {
        final class Own: RLThread, @unchecked Sendable {
            override var threadDictionary: RLThreadDictionary { RLThread.current.threadDictionary }
            override class var current: RLThread { RLThread.main }
            override class var main: RLThread { RLThread.current }
            override class var mainThread: RLThread { RLThread.current }
            override class var isMainThread: Bool { true }
            override class func isMultiThreaded() -> Bool { false }
            override class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
            override class var callStackSymbols: [String] { [] }
            override class var callStackReturnAddresses: [UInt] { [] }
        }
        onFreshThread {
            let thread: RLThread = Own()
            #expect(thread.threadDictionary === RLThread.current.threadDictionary)
            let type = type(of: thread)
            #expect(type.isMainThread && !type.isMultiThreaded() && type.current == RLThread.main)
            #expect(type.callStackSymbols.isEmpty && type.callStackReturnAddresses.isEmpty)
        }
    }

    @Test("a registration can be kept as Foundation's type, and ended by it")
    func registration() {
        let center = RLNotificationCenter()
        let calls = Log<String>()
        let token: any NSObjectProtocol = center.addObserver(forName: nil, object: nil) {
            calls.add($0.name.rawValue)
        }
        center.post(name: .init("first"), object: nil)
        center.removeObserver("no registration")
        center.removeObserver(token)
        center.post(name: .init("second"), object: nil)
        #expect(calls.entries == ["first"])
        #expect(token.isEqual(token) && token.hash == token.`self`().hash && !token.isProxy())
    }

    @Test("a timer can be a subclass, which its loop keeps and its block gets")
    func timerSubclass() {
        onFreshThread {
            let log = Log<String>()
            let timer = Alarm(timeInterval: 0.001, repeats: false) { timer in
                log.add((timer as? Alarm)?.label ?? "none")
            }
            RLRunLoop.current.add(timer, forMode: .default)
            while timer.isValid { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
            #expect(log.entries == ["alarm"])
            let target = Alarm(
                timeInterval: 1,
                target: Clerk(log),
                selector: .note,
                userInfo: nil,
                repeats: true
            )
            #expect(target.userInfo as? String == "overridden" && target.timeInterval == 7)
            target.fire()
            #expect(target.fires == 1 && log.entries == ["alarm"])
            target.tolerance = 5
            #expect(target.tolerance == 0 && target.fireDate == .distantPast)
            target.invalidate()
            #expect(target.isValid)
        }
    }

    @Test("centers, queues and messages can be subclasses") func notificationSubclasses() {
        final class Center: RLNotificationCenter, @unchecked Sendable {
            let log = Log<String>()
            override class var `default`: RLNotificationCenter { Center() }
            override func post(_ notification: RLNotification) {
                log.add("posts \(notification.name.rawValue)")
                super.post(notification)
            }
            override func removeObserver(_ token: Token) { log.add("removes") }
            override func addObserver(
                forName name: RLNotification.Name?,
                object: AnyObject?,
                queue: DispatchQueue?,
                using block: @escaping @Sendable (RLNotification) -> Void
            ) -> Token {
                log.add("adds")
                return super.addObserver(forName: name, object: object, queue: queue, using: block)
            }
        }
        final class Queue: RLNotificationQueue {
            override class var `default`: RLNotificationQueue {
                Queue(notificationCenter: .default)
            }
            override func enqueue(_ notification: RLNotification, postingStyle: PostingStyle) {
                super.enqueue(notification, postingStyle: .now)
            }
        }
        final class Message: RLPortMessage {
            override var msgid: UInt32 {
                get { 9 }
                set {}
            }
            override var components: [Any]? { ["own"] }
            override func send(before limitDate: Date) -> Bool { true }
        }
        onFreshThread {
            let center = Center()
            let log = center.log
            let token = center.addObserver(forName: .init("a"), object: nil, queue: nil) { _ in
                log.add("notified")
            }
            let queue: RLNotificationQueue = Queue(notificationCenter: center)
            queue.enqueue(RLNotification(name: .init("a")), postingStyle: .whenIdle)
            center.post(name: .init("a"), object: nil)
            center.removeObserver(token)
            #expect(
                log.entries == ["adds", "posts a", "notified", "posts a", "notified", "removes"]
            )
            #expect(type(of: center).default !== RLNotificationCenter.default)
            let message: RLPortMessage = Message(send: nil, receive: nil, components: nil)
            #expect(message.msgid == 9 && message.components?.count == 1)
            #expect(message.send(before: .distantPast))
        }
    }

    @Test("subclasses inherit the initializers that they inherit in Foundation")
    func inheritedInitializers() {
        final class Loud: RLInputStream { var reads = 0 }
        final class Counted: RLOutputStream {
            let limit: Int
            init(limit: Int) {
                self.limit = limit
                super.init(toMemory: ())
            }
        }
        final class Mock: RLInputStream {
            init() { super.init(data: Data([1, 2])) }
            override var hasBytesAvailable: Bool { false }
        }
        final class Ticket: RLThread, @unchecked Sendable { let number = 4 }
        final class Door: RLSocketPort, @unchecked Sendable { let number = 5 }
        #expect(Loud(data: Data([1])).reads == 0 && Loud(fileAtPath: "/file")?.reads == 0)
        #expect(Loud(url: URL(fileURLWithPath: "/file"))?.reads == 0)
        #expect(Counted(limit: 3).limit == 3 && !Mock().hasBytesAvailable)
        #expect(Ticket(target: Clerk(), selector: .note, object: nil).number == 4)
        #expect(Ticket(block: {}).number == 4)
        let door = Door(tcpPort: 0)
        #expect(door?.number == 5 && door?.isValid == true && Door().isValid)
        #expect(Door(remoteWithTCPPort: 1, host: "127.0.0.1")?.socketType == door?.socketType)
        door?.invalidate()
    }

    @Test("the main thread has the name of the process") func mainThread() {
        #expect(RLThread.mainThread === RLThread.main)
        let program = CommandLine.arguments[0].split(separator: "/").last.map(String.init)
        #expect(RLThread.main.name == program && program != nil)
        #expect(RLThread().name == nil)
    }

    @Test("a thread returns its call stack") func callStack() {
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
        #expect(!port.isValid && port.reservedSpaceLength == 7)
        let message = RLPortMessage(send: port, receive: nil, components: ["text"])
        #expect(message.sendPort === port && message.receivePort == nil)
        #expect(message.components?.first as? String == "text")
        #expect(!message.send(before: .distantPast))
        message.msgid = 5
        #expect(message.send(before: .distantPast))
        onFreshThread {
            // An invalid port is not added.
            RLRunLoop.current.add(Dead(), forMode: .default)
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
        }
    }

    @Test("components of a message can be in an array of Foundation's") func componentsInArray() {
        onFreshThread {
            let port = RLPort(), clerk = PortClerk()
            port.setDelegate(clerk)
            RLRunLoop.current.add(port, forMode: .default)
            let data = Data([1, 2, 3])
            // After the transfer, only their identities remain here.
            let plain = NSObject(), second = NSObject()
            let objects = [ObjectIdentifier(plain), ObjectIdentifier(second)]
            let components = NSMutableArray(array: [data, "text", port, plain])
            let isSent =
                port.send(before: .distantFuture, components: components, from: nil, reserved: 0)
                && port.send(
                    before: .distantFuture,
                    msgid: 7 as Int,
                    components: NSArray(),
                    from: port,
                    reserved: 0
                )
            #expect(isSent)
            #expect(port.send(before: .distantFuture, components: nil, from: nil, reserved: 0))
            let message = RLPortMessage(send: port, receive: nil, components: [second] as [Any])
            #expect(message.components == nil && message.send(before: .distantFuture))
            let other = RLPortMessage(sendPort: port, receivePort: nil, components: [1] as [Any])
            #expect(other == other && other != message && other.components?.count == 1)
            while clerk.messages.count < 4 {
                RLRunLoop.current.run(mode: .default, before: .distantFuture)
            }
            let first = clerk.messages[0].components ?? []
            #expect(first.count == 4 && first[0] as? Data == data && first[1] as? String == "text")
            #expect(first[0] as? NSData == NSData(data: data))
            #expect(Array(first[..<2]) as? [AnyHashable] == [data, "text"])
            #expect(first[2] as? RLPort === port)
            #expect((first[3] as? NSObject).map(ObjectIdentifier.init) == objects[0])
            #expect(clerk.messages[1].msgid == 7 && clerk.messages[1].components?.isEmpty == true)
            #expect(clerk.messages[2].components == nil)
            let last = clerk.messages[3].components?.first as? NSObject
            #expect(last.map(ObjectIdentifier.init) == objects[1])
        }
    }

    @Test("components that need not be sendable are sent once") func sentTwice() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let parts = [NSObject()] as [Any]
            let message = RLPortMessage(send: RLPort(), receive: nil, components: parts)
            guard message.send(before: .distantFuture) else { exit(EXIT_SUCCESS) }
            message.send(before: .distantFuture)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("RLPortMessage.send(before:): message 0 was already sent"))
    }

    @Test("notifications can be compared, and describe themselves") func notifications() {
        let center = RLNotificationCenter(), name = RLNotification.Name("a")
        let first = RLNotification(name: name, object: center, userInfo: ["key": 1, "list": [2]])
        #expect(first == RLNotification(name: name, object: center, userInfo: first.userInfo))
        #expect(first != RLNotification(name: name, object: center, userInfo: ["key": 1]))
        #expect(first != RLNotification(name: name, object: center))
        #expect(first != RLNotification(name: .init("b"), object: center, userInfo: first.userInfo))
        #expect(first != RLNotification(name: name, userInfo: first.userInfo))
        #expect(Set([first, first, RLNotification(name: name)]).count == 2)
        let object = RLNotification(name: name, userInfo: ["key": center])
        #expect(object == object)
        let mirror = Mirror(reflecting: first)
        #expect(mirror.children.map { $0.label } == ["name", "object", "userInfo"])
        #expect(mirror.displayStyle == .class && mirror.superclassMirror == nil)
        #expect(
            "\(RLNotification(name: name, userInfo: ["k": 1]))"
                == "name = a, userInfo = [AnyHashable(\"k\"): 1]"
        )
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
            // Removing a closed stream is no error.
            input.remove(from: .current, forMode: .default)
        }
    }

    @Test("a timer is created from the engine's timer, with its closure") func timers() {
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
            #expect(same == own && same.userInfo == nil)
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
        // On the queue itself, waiting would deadlock.
        queue.sync { center.post(name: .init("a"), object: nil) }
        #expect(log.entries.suffix(2) == ["a on queue", "a on queue"])
        center.removeObserver(first)
        center.post(name: .init("a"), object: nil)
        #expect(log.entries.count == 5)
    }

    @Test("observers on a queue get no part of a notification that its poster could keep using")
    func partsOnQueues() {
        final class Private {}
        final class Document: RLNotificationPart {}
        let center = RLNotificationCenter()
        let log = Log<String>()
        let queue = DispatchQueue(label: "notes")
        center.addObserver(forName: nil, queue: queue) { notification in
            let object = notification.object.map { "\(type(of: $0))" } ?? "nil"
            let keys = (notification.userInfo ?? [:]).keys.map { "\($0)" }.sorted()
            log.add("\(notification.name.rawValue): \(object) \(keys)")
        }
        let info: [AnyHashable: Any] = ["n": 1, "s": ["a": "b"], "p": Private(), 7: [Private()]]
        center.post(name: .init("a"), object: Private(), userInfo: info)
        center.post(name: .init("b"), object: Document())
        // The observer is called on the poster's thread.
        queue.sync { center.post(name: .init("c"), object: Private(), userInfo: ["p": Private()]) }
        #expect(
            log.entries == [
                "a: nil [\"n\", \"s\"]", "b: Document []", "c: Private [\"p\"]",
            ]
        )
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

private final class Alarm: RLTimer {
    let label = "alarm"
    private(set) var fires = 0

    override func fire() { fires += 1 }
    override var userInfo: Any? { "overridden" }
    override var timeInterval: TimeInterval { 7 }
    override var fireDate: Date {
        get { .distantPast }
        set {}
    }
    override var tolerance: TimeInterval {
        get { 0 }
        set {}
    }
    override func invalidate() {}
}

private final class PortClerk: RLPortDelegate {
    private(set) var messages: [RLPortMessage] = []

    func handle(_ message: RLPortMessage) {
        messages.append(message)
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
