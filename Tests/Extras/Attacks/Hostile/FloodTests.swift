import CHarness
import FetchKit
import FoundationEssentials
import Glibc
import RunLoopDiagnostics
import RunLoopNetworking
import ServerKit
import Testing
import ThreadKit

/// A thread whose loop is flooded, with a timer of 10 ms that shows whether the loop still serves
/// it.
///
/// The flood ends when the timer has fired often enough, and the test fails if the whole flood is
/// sent before: the result does not depend on the machine's speed. Neither does the processor time
/// between two firings, which is limited.
private final class FloodedThread: Sendable {
    private struct Figures {
        var turns = 0
        var portions = 0
        var used: Duration?
        var mostUsed = Duration.zero
    }

    let thread = RLPermanentThread(name: "flooded")
    private let figures = Guarded(Figures())
    private let isOver = Flag()

    init() {
        thread.execute(waitUntilDone: true) { [self] in
            let timer = RLTimer(timeInterval: 0.01, repeats: true) { [unowned self] _ in fire() }
            RLRunLoop.current.add(timer, forMode: .common)
        }
    }

    /// Records on the thread that a part of the flood has come.
    func takePortion() {
        figures.withLock { $0.portions += 1 }
    }

    private func fire() {
        let now = Self.usedByThread
        figures.withLock { figures in
            if let before = figures.used { figures.mostUsed = max(figures.mostUsed, now - before) }
            figures.used = now
            figures.turns += 1
            if figures.turns >= 5 && figures.portions > 0 { isOver.set() }
        }
    }

    private static var usedByThread: Duration {
        .nanoseconds(thread_time_ns())
    }

    /// The limit of processor time between two firings: optimized code needs less; other code is
    /// far slower, especially with sanitizers.
    private static var limit: Duration {
        #if DEBUG
            .seconds(10)
        #else
            .nanoseconds(most_held_ns())
        #endif
    }

    /// Sends units on this thread until the other one's timer has fired often enough; then ends the
    /// thread.
    func endure(_ name: String, most: Int, _ sendUnit: () -> Bool) {
        var units = 0
        while !isOver.isSet && units < most && sendUnit() { units += 1 }
        #expect(isOver.isSet, "\(name) has starved the timer after \(units) units")
        thread.stop()
        thread.join()
        let figures = figures.withLock { $0 }
        #expect(figures.mostUsed < Self.limit, "\(name) has held the loop")
        print("\(name): \(figures.mostUsed) of processor time, \(units) units")
    }
}

@Suite("A flood") struct FloodTests {
    private struct Failure: Error {}

    @Test(
        "of a response leaves the network thread its turns",
        arguments: [
            ("chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
            ("bytes", "HTTP/1.1 200 OK\r\n\r\n", "xxxxxxxx"),
        ]
    )
    func response(_ name: String, _ head: String, _ unit: String) throws {
        let flooded = FloodedThread()
        let connection = Guarded<HostileServer.Connection?>(nil)
        let isConnected = Gate()
        let isOver = Gate()
        let server = try HostileServer { client in
            connection.withLock { $0 = client }
            isConnected.open()
            isOver.wait()
        }
        var request = try server.request()
        request.limits = RLHTTPLimits(
            headLength: .max,
            fieldCount: .max,
            bodyLength: .max
        )
        let fetch = Fetch(request, on: flooded.thread)
        fetch.operation.start()
        isConnected.wait()
        let client = try #require(connection.withLock { $0 })
        client.send(head)
        flooded.takePortion()
        let units = String(repeating: unit, count: 65536 / unit.utf8.count)
        flooded.endure(name, most: 2000) { client.send(units) }
        isOver.open()
        fetch.waitForCompletion()
        #expect(fetch.error == .threadEnded)
    }

    /// Counts each message as a part.
    private final class Receiver: RLPortDelegate {
        private let flooded: FloodedThread

        init(_ flooded: FloodedThread) {
            self.flooded = flooded
        }

        func handle(_ message: RLPortMessage) {
            flooded.takePortion()
        }
    }

    @Test(
        "of messages to a socket port leaves its loop its turns",
        arguments: [("small messages", 0, 4_000_000), ("the largest messages", 64 << 20, 40)]
    )
    func messages(_ name: String, _ length: Int, _ most: Int) throws {
        let flooded = FloodedThread()
        let port = try #require(RLSocketPort(tcpPort: 0))
        flooded.thread.execute(waitUntilDone: true) {
            let receiver = Receiver(flooded)
            RLThread.current.threadDictionary["receiver"] = receiver
            port.setDelegate(receiver)
            RLRunLoop.current.add(port, forMode: .default)
        }
        let letter = try Self.letter(of: length < 1000 ? 0 : length - 1000)
        // Many small messages per write, so that the sender is faster than the loop.
        var some = letter
        if length == 0 { for _ in 0..<1000 { some += letter } }
        let sender = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(sender) }
        let isConnected = port.address.withUnsafeBytes { address in
            address.withMemoryRebound(to: sockaddr.self) {
                connect(sender, $0.baseAddress, socklen_t(address.count)) == 0
            }
        }
        #expect(isConnected)
        flooded.endure(name, most: most) { Self.send(some, by: sender) }
        port.invalidate()
    }

    /// The bytes of a message in the format of a remote port.
    private static func letter(of length: Int) throws -> [UInt8] {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        guard let number = bindToFreePort(listener), listen(listener, 1) == 0,
            let remote = RLSocketPort(remoteWithTCPPort: UInt16(number), host: "127.0.0.1")
        else { throw Failure() }
        let sending = RLThread {
            let components = length == 0 ? [] : [Data(count: length)]
            remote.send(before: .distantFuture, msgid: 1, components: components)
            remote.invalidate()
        }
        sending.start()
        let receiver = accept(listener, nil, nil)
        defer { close(receiver) }
        var bytes: [UInt8] = []
        var some = [UInt8](repeating: 0, count: 65536)
        while case let count = recv(receiver, &some, some.count, 0), count > 0 {
            bytes += some[..<count]
        }
        sending.join()
        return bytes
    }

    private static func send(_ bytes: [UInt8], by sender: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(sender, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if sent <= 0 { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// The greatest number of queued requests: senders need not slow down to one thread's rate.
    private static let mostWaiting = 64

    @Test("of work that other threads send to a thread leaves its loop its turns")
    func performs() {
        let flooded = FloodedThread()
        let waiting = Guarded(0)
        flooded.endure("performs", most: 4_000_000) {
            while waiting.withLock({ $0 }) == Self.mostWaiting { sched_yield() }
            waiting.withLock { $0 += 1 }
            return flooded.thread.execute {
                waiting.withLock { $0 -= 1 }
                flooded.takePortion()
            }
        }
    }

    @Test("of notifications, each of which posts the next, leaves its loop its turns")
    func notifications() {
        let flooded = FloodedThread()
        let name = RLNotification.Name("Flood")
        flooded.thread.execute(waitUntilDone: true) {
            let token = RLNotificationCenter.default.addObserver(forName: name, object: nil) {
                flooded.takePortion()
                RLNotificationQueue.default.enqueue($0, postingStyle: .asap)
            }
            RLThread.current.threadDictionary["token"] = token
            RLNotificationQueue.default.enqueue(RLNotification(name: name), postingStyle: .asap)
        }
        // The thread floods itself; the time for its timer is the subject.
        flooded.endure("notifications", most: 100_000) { usleep(1000) == 0 }
    }

    @Test("of requests to the inspector leaves the inspected loops their turns")
    func questions() async {
        await #expect(processExitsWith: .success) { try floodInspector() }
    }
}

private func floodInspector() throws {
    let flooded = FloodedThread()
    #expect(RLInspector.start())
    flooded.takePortion()
    let number = getpid()
    let port = try #require(RLMessagePortCreateRemote("runloop.inspect.\(number)"))
    let questions = ["hello", "sample viewer=f", "items thread=\(number)", "dump", "\u{0}"]
    var turn = 0
    flooded.endure("questions", most: 100_000) {
        turn += 1
        let question = RLDataCreate(Array(questions[turn % questions.count].utf8))
        // Without a mode for the reply, nobody waits for it.
        return RLMessagePortSendRequest(port, 1, question, 100, 0, nil, nil) == 0
    }
    // Another viewer gets its reply.
    var reply: RLDataRef?
    let hello = RLDataCreate(Array("hello".utf8))
    #expect(RLMessagePortSendRequest(port, 1, hello, 100, 100, "reply", &reply) == 0)
    #expect(reply != nil)
    RLInspector.stop()
}
