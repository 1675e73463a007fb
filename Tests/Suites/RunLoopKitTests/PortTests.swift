import FoundationEssentials
import RunLoopKit
import Synchronization
import Testing
import ThreadKit

@Suite("A port") struct PortTests {
    @Test("delivers messages in order, each by itself") func order() {
        onFreshThread {
            let log = Log<String>()
            let (port, receiver) = makePort(log)
            for number in 0..<3 {
                port.send(before: .distantPast, msgid: UInt32(number), components: ["c\(number)"])
            }
            #expect(log.entries.isEmpty)
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            #expect(log.entries == ["0 [\"c0\"]"])
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            #expect(log.entries == ["0 [\"c0\"]", "1 [\"c1\"]", "2 [\"c2\"]"])
            #expect(receiver.last?.receivePort === port && receiver.last?.sendPort == nil)
            withExtendedLifetime(receiver) {}
        }
    }

    @Test("lets a worker check in and two threads talk both ways") func conversation() {
        onFreshThread {
            let log = Log<String>()
            let (port, receiver) = makePort(log)
            receiver.answers = true
            let worker = RLThread {
                let own = RLPort()
                let clerk = Receiver(log, name: "worker ")
                own.setDelegate(clerk)
                RLRunLoop.current.add(own, forMode: .default)
                log.add("checks in")
                port.send(
                    before: .distantFuture,
                    msgid: 100,
                    components: [own, "hello"],
                    from: own
                )
                RLRunLoop.current.run(mode: .default, before: .distantFuture)
                own.invalidate()
                withExtendedLifetime(clerk) {}
            }
            worker.start()
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            worker.join()
            #expect(
                log.entries == ["checks in", "100 2 components", "worker 101 [\"answer to 100\"]"]
            )
            // The worker's port is invalid for all holders.
            #expect(receiver.last?.sendPort?.isValid == false)
            #expect(receiver.last?.sendPort?.send(before: .distantFuture) == false)
        }
    }

    @Test("does not wait for a date that is no number") func noDate() {
        let port = RLPort()
        let date = Date(timeIntervalSinceReferenceDate: .nan)
        for _ in 0..<RLPort.queueLimit { #expect(port.send(before: date)) }
        #expect(!port.send(before: date))
        port.invalidate()
    }

    @Test("makes senders wait when it is full, and lets them go when their time is up")
    func limits() {
        onFreshThread {
            let log = Log<String>()
            let (port, receiver) = makePort(log)
            for _ in 0..<RLPort.queueLimit { #expect(port.send(before: .distantPast)) }
            let start = ContinuousClock.now
            #expect(!port.send(before: Date(timeIntervalSinceNow: 0.005)))
            #expect(ContinuousClock.now - start >= .milliseconds(4))
            let sender = RLThread { log.add("sent \(port.send(before: .distantFuture, msgid: 7))") }
            sender.start()
            while log.entries.last != "7 []" {
                RLRunLoop.current.run(mode: .default, before: .distantFuture)
            }
            sender.join()
            #expect(log.entries.filter { $0 == "0 []" }.count == RLPort.queueLimit)
            #expect(log.entries.contains("sent true"))
            withExtendedLifetime(receiver) {}
        }
    }

    @Test("notifies waiting senders and observers that it is invalid (NSPT-1)") func invalidation()
    {
        onFreshThread {
            let log = Log<String>()
            let port = RLPort()
            for _ in 0..<RLPort.queueLimit { port.send(before: .distantPast) }
            let token = RLNotificationCenter.default.addObserver(
                forName: RLPort.didBecomeInvalidNotification,
                object: port
            ) { _ in log.add("invalid") }
            let isWaiting = Atomic(false)
            let sender = RLThread {
                isWaiting.store(true, ordering: .releasing)
                log.add("sent \(port.send(before: .distantFuture))")
            }
            sender.start()
            while !isWaiting.load(ordering: .acquiring) {}
            port.invalidate()
            port.invalidate()
            sender.join()
            RLNotificationCenter.default.removeObserver(token)
            #expect(log.entries.sorted() == ["invalid", "sent false"])
            #expect(!port.isValid && port.reservedSpaceLength == 0)
        }
    }

    @Test("is kept by its loop, once per mode, until it is removed or invalid (NSRL-13, NSRL-14)")
    func scheduling() {
        onFreshThread {
            let loop = RLRunLoop.current
            let log = Log<String>()
            let port = Counting(log)
            loop.add(port, forMode: .default)
            loop.add(port, forMode: .default)
            loop.add(port, forMode: "other")
            loop.remove(port, forMode: "third")
            loop.remove(port, forMode: "other")
            loop.remove(port, forMode: "other")
            #expect(log.entries == ["schedule", "schedule", "remove"])
            port.invalidate()
            loop.remove(port, forMode: .default)
            loop.add(port, forMode: .default)
            #expect(log.entries == ["schedule", "schedule", "remove"])
            #expect(!loop.run(mode: .default, before: .distantPast))

            var dropped: RLPort? = RLPort()
            weak let kept = dropped
            loop.add(dropped ?? port, forMode: .default)
            dropped = nil
            #expect(kept != nil)
            kept?.invalidate()
            #expect(kept == nil)
        }
    }

    @Test("drops messages without a delegate, and holds its delegate weakly") func delegates() {
        onFreshThread {
            let log = Log<String>()
            let port = RLMachPort()
            RLRunLoop.current.add(port, forMode: .default)
            do {
                let receiver = Receiver(log)
                port.setDelegate(receiver)
                #expect(port.withDelegate { $0 is Receiver })
            }
            #expect(port.withDelegate { $0 == nil } && port.machPort > 0)
            port.send(before: .distantPast)
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            #expect(log.entries.isEmpty)
            let message = RLPortMessage(sendPort: port, receivePort: nil, components: ["late"])
            message.msgid = 9
            let receiver = Receiver(log)
            port.setDelegate(receiver)
            #expect(message.send(before: .distantPast))
            #expect(
                !RLPortMessage(sendPort: nil, receivePort: port, components: nil).send(before: .now)
            )
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            #expect(log.entries == ["9 [\"late\"]"])
            port.invalidate()
        }
    }

    @Test("goes with its unread messages, also with those to be answered to it") func unread() {
        onFreshThread {
            let log = Log<String>()
            do {
                let port = RLPort()
                port.send(before: .distantPast, components: [Token(log)], from: port)
            }
            #expect(log.entries == ["released"])

            let (port, receiver) = makePort(log)
            port.send(before: .distantPast, from: port)
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            #expect(receiver.last?.sendPort === port && receiver.last?.receivePort === port)
            port.invalidate()
        }
    }

    @Test("stops a process whose delegate is on another thread") func foreignDelegate() async {
        await #expect(processExitsWith: .failure) { deliverElsewhere() }
    }

    @Test("carries many messages between many threads, each exactly once") func storm() {
        onFreshThread {
            let log = Log<String>()
            let (port, receiver) = makePort(log)
            let senders = (0..<4).map { sender in
                RLThread {
                    for number in 0..<200 {
                        port.send(before: .distantFuture, msgid: UInt32(sender * 1000 + number))
                    }
                }
            }
            for sender in senders { sender.start() }
            while log.entries.count < 800 {
                RLRunLoop.current.run(mode: .default, before: .distantFuture)
            }
            for sender in senders { sender.join() }
            let numbers = log.entries.compactMap { Int($0.split(separator: " ")[0]) }
            for sender in 0..<4 {
                #expect(
                    numbers.filter { $0 / 1000 == sender } == (0..<200).map { sender * 1000 + $0 }
                )
            }
            withExtendedLifetime(receiver) {}
        }
    }
}

private func makePort(_ log: Log<String>) -> (RLPort, Receiver) {
    let port = RLPort()
    let receiver = Receiver(log)
    port.setDelegate(receiver)
    RLRunLoop.current.add(port, forMode: .default)
    return (port, receiver)
}

private func deliverElsewhere() {
    let port = RLPort()
    let receiver = Receiver(Log())
    port.setDelegate(receiver)
    onFreshThread {
        RLRunLoop.current.add(port, forMode: .default)
        port.send(before: .distantPast)
        RLRunLoop.current.run(mode: .default, before: .distantFuture)
    }
    withExtendedLifetime(receiver) {}
}

private final class Receiver: RLPortDelegate {
    private let log: Log<String>
    private let name: String
    var answers = false
    var last: RLPortMessage?

    init(_ log: Log<String>, name: String = "") {
        self.log = log
        self.name = name
    }

    func handle(_ message: RLPortMessage) {
        last = message
        let texts = (message.components ?? []).compactMap { $0 as? String }
        let isAllText = texts.count == message.components?.count ?? 0
        log.add("\(name)\(message.msgid) \(isAllText ? "\(texts)" : "2 components")")
        guard answers else { return }
        message.sendPort?.send(
            before: .distantFuture,
            msgid: message.msgid + 1,
            components: ["answer to \(message.msgid)"],
            from: message.receivePort
        )
    }
}

private final class Counting: RLPort, @unchecked Sendable {
    // Proof: the subclass only adds a constant of a Sendable type.
    private let log: Log<String>

    init(_ log: Log<String>) {
        self.log = log
        super.init()
    }

    override func schedule(in runLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        log.add("schedule")
        super.schedule(in: runLoop, forMode: mode)
    }

    override func remove(from runLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        log.add("remove")
        super.remove(from: runLoop, forMode: mode)
    }
}
