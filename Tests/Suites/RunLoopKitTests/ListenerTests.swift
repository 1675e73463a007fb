import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopKit
import ServerKit
import Testing
import ThreadKit

@Suite("A listener") struct ListenerTests {
    @Test("accepts by IPv4 and IPv6 on one port, and names the peers")
    func families() throws {
        let listener = try RLListener(port: 0)
        #expect(listener.isValid && listener.port != 0)
        #expect(listener.addresses.contains("0.0.0.0:\(listener.port)"))
        let hosts = listener.addresses.count > 1 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]
        onFreshThread {
            var peers: [String] = []
            listener.accept(in: .current) { connection in
                peers.append(connection.peer)
                connection.close()
            }
            let clients = hosts.map { Client($0, listener.port) }
            runUntil { peers.count == hosts.count }
            #expect(peers.contains { $0.hasPrefix("127.0.0.1:") })
            #expect(hosts.count == 1 || peers.contains { $0.hasPrefix("[::1]:") })
            for client in clients { #expect(client.isAtEnd) }
            listener.invalidate()
        }
    }

    @Test("has streams that echo what is sent, and end in order") func echo() throws {
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        #expect(listener.addresses == ["127.0.0.1:\(listener.port)"])
        onFreshThread {
            var echoes: [Echo] = []
            listener.accept(in: .current) { echoes.append(Echo($0)) }
            let text = Log<String>()
            let peer = RLThread {
                let client = Client("127.0.0.1", listener.port)
                client.send("hello")
                text.add(client.read(5))
                // The echo closes the connection in order.
                client.send(".")
                #expect(client.read(1) == "." && client.isAtEnd)
            }
            peer.start()
            runUntil { echoes.first?.isOver == true }
            peer.join()
            #expect(text.entries == ["hello"])
            listener.invalidate()
        }
    }

    @Test("throws a readable error for a port that another listener has") func taken() throws {
        let first = try RLListener(port: 0)
        for host in [nil, "127.0.0.1"] {
            let error = #expect(throws: RLSystemError.self) {
                _ = try RLListener(host: host, port: first.port)
            }
            #expect(error?.code == EADDRINUSE)
            let words = ":\(first.port): Address already in use"
            #expect(error?.description.hasPrefix("cannot listen at ") == true)
            #expect(error?.description.hasSuffix(words) == true)
        }
        first.invalidate()
        // The failed attempts have released the port.
        #expect(try RLListener(port: first.port).port == first.port)
    }

    @Test("throws a readable error for an unknown host") func noHost() {
        let error = #expect(throws: RLSystemError.self) {
            _ = try RLListener(host: "999.999.999.999", port: 0)
        }
        #expect(error?.description.hasPrefix("cannot look up 999.999.999.999: ") == true)
        let elsewhere = #expect(throws: RLSystemError.self) {
            // A documentation address, which no machine has.
            _ = try RLListener(host: "192.0.2.1", port: 0)
        }
        #expect(elsewhere?.code == EADDRNOTAVAIL)
    }

    @Test("can be created again at once after connections to its port") func reuse() {
        // Another test may get the released port.
        #expect((0..<10).contains { _ in canListenAgain() })
    }

    private func canListenAgain() -> Bool {
        guard let listener = try? RLListener(port: 0) else { return false }
        onFreshThread {
            var isAccepted = false
            listener.accept(in: .current) { connection in
                // This end closes first, so that the port is in TIME_WAIT.
                connection.close()
                isAccepted = true
            }
            let client = Client("127.0.0.1", listener.port)
            runUntil { isAccepted }
            #expect(client.isAtEnd)
            listener.invalidate()
        }
        return (try? RLListener(port: listener.port).isValid) == true
    }

    @Test("closes its sockets when it is invalidated or goes") func closing() throws {
        let port: UInt16
        do { port = try RLListener(port: 0).port }
        #expect(Client("127.0.0.1", port).isRefused)
        let log = Log<String>()
        onFreshThread {
            guard let listener = try? RLListener(port: 0) else { return }
            listener.accept(in: .current) { [token = Token(log)] _ in token.hold() }
            #expect(log.entries.isEmpty)
            listener.invalidate()
            #expect(!listener.isValid && log.entries == ["released"])
            #expect(Client("127.0.0.1", listener.port).isRefused)
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
            listener.invalidate()
        }
    }

    @Test("is kept by its loop, and closed at the end of the thread") func threadEnd() {
        let ports = Log<UInt16>()
        onFreshThread {
            do {
                guard let listener = try? RLListener(port: 0) else { return }
                listener.accept(in: .current) { _ in }
                ports.add(listener.port)
            }
            #expect(ports.entries.first.map { Client("127.0.0.1", $0).isConnected } == true)
        }
        #expect(ports.entries.first.map { Client("127.0.0.1", $0).isRefused } == true)
    }

    @Test("may be invalidated by its handler, and by other threads meanwhile")
    func invalidation() throws {
        for _ in 0..<20 {
            let listener = try RLListener(port: 0)
            onFreshThread {
                let clients = (0..<8).map { _ in Client("127.0.0.1", listener.port) }
                let other = RLThread { listener.invalidate() }
                var count = 0
                listener.accept(in: .current) { connection in
                    count += 1
                    connection.close()
                    if count == 1 { other.start() }
                    if count == 4 { listener.invalidate() }
                }
                runUntil { !listener.isValid }
                if count == 0 { other.start() }
                other.join()
                #expect((1...4).contains(count))
                // All connections are closed, also those that nobody accepted.
                for client in clients { #expect(client.isOver) }
            }
        }
    }

    @Test("accepts one connection per pass, so that a flood leaves room for others") func flood()
        throws
    {
        let listener = try RLListener(port: 0)
        onFreshThread {
            let clients = (0..<200).map { _ in Client("127.0.0.1", listener.port) }
            var passes = 0, accepted = 0, most = 0
            var isNew = false
            RLRunLoop.current.observe(.beforeSources) { _, _ in
                passes += 1
                isNew = true
            }
            var inPass = 0
            listener.accept(in: .current) { connection in
                inPass = isNew ? 1 : inPass + 1
                isNew = false
                most = max(most, inPass)
                accepted += 1
                connection.close()
            }
            runUntil { accepted == clients.count }
            #expect(most <= 2, "one of each family")
            listener.invalidate()
        }
    }

    @Test("does not spin without descriptors, and continues when there are some")
    func noDescriptors()
        async
    {
        await #expect(processExitsWith: .success) {
            onFreshThread { acceptWithoutDescriptors() }
        }
    }

    @Test("continues in the parent when a child that fork made drops its copy") func fork() throws {
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        onFreshThread {
            var accepted = 0
            listener.accept(in: .current) { connection in
                accepted += 1
                connection.close()
            }
            let child = forkProcess()
            if child == 0 {
                listener.invalidate()
                _exit(listener.isValid ? 1 : 0)
            }
            var status: CInt = -1
            waitpid(child, &status, 0)
            #expect(status == 0)
            let client = Client("127.0.0.1", listener.port)
            runUntil { accepted == 1 }
            #expect(client.isAtEnd)
            listener.invalidate()
        }
    }

    @Test("stops the process if it is to accept twice, or in the loop of another thread")
    func misuse() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let listener = try RLListener(port: 0)
            onFreshThread {
                listener.accept(in: .current) { _ in }
                listener.accept(in: .current) { _ in }
            }
        }
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let listener = try RLListener(port: 0)
            onFreshThread {
                nonisolated(unsafe) let loop = RLRunLoop.current
                onFreshThread { listener.accept(in: loop) { _ in } }
            }
        }
    }

    @Test("serves clients by TLS", .timeLimit(.minutes(15))) func security() throws {
        let listener = try RLListener(host: "localhost", port: 0)
        onFreshThread {
            var echoes: [Echo] = []
            listener.accept(in: .current) { connection in
                var settings = RLStreamTLSSettings()
                settings.isServer = true
                settings.certificates = [Data(Certificates.server.utf8)]
                #expect(connection.input.setProperty(settings, forKey: .sslSettingsKey))
                echoes.append(Echo(connection))
            }
            var input: RLInputStream?
            var output: RLOutputStream?
            RLStream.getStreamsToHost(
                withName: "localhost",
                port: Int(listener.port),
                inputStream: &input,
                outputStream: &output
            )
            guard let input, let output else { return }
            var settings = RLStreamTLSSettings()
            settings.authorities = [Data(Certificates.authority.utf8)]
            #expect(input.setProperty(settings, forKey: .sslSettingsKey))
            let client = Talker("secret.", input, output)
            runUntil { client.isOver && echoes.first?.isOver == true }
            #expect(client.text == "secret." && input.streamError == nil)
            listener.invalidate()
        }
    }
}

@Suite("The connections of a listener, as a sequence") struct ConnectionSequenceTests {
    @Test("come one by one, on the main actor", .timeLimit(.minutes(15))) @MainActor
    func sequence() async throws {
        let listener = try RLListener(port: 0)
        let clients = (0..<5).map { _ in Client("127.0.0.1", listener.port) }
        var count = 0
        var kept: [RLConnection] = []
        for await connection in listener.connections() {
            kept.append(connection)
            count += 1
            if count == clients.count { break }
        }
        for connection in kept { connection.close() }
        for client in clients { #expect(client.isAtEnd) }
        // Another iteration of the sequence continues.
        let late = Client("127.0.0.1", listener.port)
        for await connection in listener.connections() {
            connection.close()
            listener.invalidate()
        }
        #expect(late.isAtEnd)
    }

    @Test("are accepted as they are taken: others wait with the system", .timeLimit(.minutes(15)))
    func backPressure() async throws {
        let worker = RLPermanentThread(name: "accepting")
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        let clients = (0..<20).map { _ in Client("127.0.0.1", listener.port) }
        let first = await listener.accept(on: worker.runLoop)
        #expect(first != nil)
        // The connection that was taken, and at most one that is ready for the next call.
        #expect(Self.waiting(at: listener.port) >= clients.count - 2)
        listener.invalidate()
        worker.stop()
        worker.join()
    }

    /// The number of connections in the kernel's backlog of a listening socket.
    ///
    /// The kernel's table may lack a row while other processes open and close sockets.
    private static func waiting(at port: UInt16) -> Int {
        for _ in 0..<1000 {
            if let count = backlog(at: "0100007F:" + hexadecimal(port)) { return count }
        }
        return -1
    }

    private static func backlog(at place: String) -> Int? {
        let table = try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
        for line in table?.split(separator: "\n") ?? [] {
            let words = line.split(separator: " ")
            guard words.count > 4, words[1] == place, words[3] == "0A" else { continue }
            return words[4].split(separator: ":").last.flatMap { Int($0, radix: 16) }
        }
        return nil
    }

    private static func hexadecimal(_ port: UInt16) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test("go to several tasks, each to one, and can be passed on", .timeLimit(.minutes(15)))
    func tasks() async throws {
        let worker = RLPermanentThread(name: "accepting")
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        let clients = (0..<40).map { _ in Client("127.0.0.1", listener.port) }
        let loop = worker.runLoop
        let peers = await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    var peers: [String] = []
                    for _ in 0..<10 {
                        guard let connection = await listener.accept(on: loop) else { break }
                        let ending = Task {
                            defer { connection.close() }
                            return connection.peer
                        }
                        peers.append(await ending.value)
                    }
                    return peers
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(peers).count == clients.count)
        for client in clients { #expect(client.isAtEnd) }
        worker.stop()
        worker.join()
    }

    @Test(
        "end when the task is cancelled, the listener or the thread ends",
        .timeLimit(.minutes(15))
    )
    func ends() async throws {
        for round in 0..<60 {
            let worker = RLPermanentThread(name: "accepting")
            let listener = try RLListener(host: "127.0.0.1", port: 0)
            let loop = worker.runLoop
            let task = Task {
                var count = 0
                for await connection in listener.connections(on: loop) {
                    connection.close()
                    count += 1
                }
                return count
            }
            let client = Client("127.0.0.1", listener.port)
            if Bool.random() { await Task.yield() }
            switch round % 3 {
            case 0: task.cancel()
            case 1: listener.invalidate()
            default: worker.stop()
            }
            #expect(await task.value <= 1)
            #expect(round % 3 == 0 || !listener.isValid)
            listener.invalidate()
            #expect(client.isOver)
            worker.stop()
            worker.join()
        }
    }
}

// MARK: - Helpers

private func runUntil(_ condition: () -> Bool) {
    while !condition() {
        guard RLRunLoop.current.run(mode: .default, before: .distantFuture) else {
            if condition() { return }
            Issue.record("the loop has nothing to do")
            return
        }
    }
}

/// Runs in its own process; the exit code identifies the failure.
private func acceptWithoutDescriptors() {
    guard let listener = try? RLListener(host: "127.0.0.1", port: 0) else { _exit(2) }
    var accepted = 0
    listener.accept(in: .current) { connection in
        accepted += 1
        connection.close()
    }
    // The first connections create everything that is created once.
    let clients = (0..<2).map { _ in Client("127.0.0.1", listener.port) }
    runUntil { accepted == 2 }
    let late = Client("127.0.0.1", listener.port)
    var limit = rlimit(rlim_cur: 256, rlim_max: 256)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [CInt] = []
    while true {
        let copy = dup(0)
        if copy < 0 { break }
        taken.append(copy)
    }
    var passes = 0
    RLRunLoop.current.observe(.beforeWaiting) { _, _ in passes += 1 }
    // Time is the subject: half a second, with ten attempts a second.
    RLRunLoop.current.run(until: Date(timeIntervalSinceNow: 0.5))
    if accepted != 2 || passes > 50 { _exit(3) }
    for copy in taken { close(copy) }
    runUntil { accepted == 3 }
    withExtendedLifetime(clients) {}
    if !late.isAtEnd { _exit(4) }
}

/// A client with blocking system calls.
private final class Client: Sendable {
    private let socket: CInt
    let isConnected: Bool
    private let error: CInt

    init(_ host: String, _ port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        getaddrinfo(host, String(port), &hints, &list)
        defer { freeaddrinfo(list) }
        let family = list?.pointee.ai_family ?? AF_INET
        let made = Glibc.socket(family, CInt(SOCK_STREAM.rawValue), 0)
        let result = list.map { connect(made, $0.pointee.ai_addr, $0.pointee.ai_addrlen) }
        socket = made
        isConnected = result == 0
        error = isConnected ? 0 : errno
    }

    deinit {
        close(socket)
    }

    var isRefused: Bool { error == ECONNREFUSED }

    func send(_ text: String) {
        _ = Glibc.send(socket, Array(text.utf8), text.utf8.count, CInt(MSG_NOSIGNAL))
    }

    func read(_ count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = recv(socket, &bytes, count, CInt(MSG_WAITALL))
        return String(decoding: bytes.prefix(max(length, 0)), as: UTF8.self)
    }

    /// Waits for EOF.
    var isAtEnd: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, 0) == 0
    }

    /// Waits for EOF or an error.
    var isOver: Bool {
        var byte: UInt8 = 0
        return !isConnected || recv(socket, &byte, 1, 0) <= 0
    }
}

/// Echoes bytes, and closes after a full stop.
private final class Echo: RLStreamDelegate {
    private let connection: RLConnection
    private(set) var isOver = false

    init(_ connection: RLConnection) {
        self.connection = connection
        for stream in [connection.input, connection.output] as [RLStream] {
            stream.delegate = self
            stream.schedule(in: .current, forMode: .default)
            stream.open()
        }
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        if event == .errorOccurred || event == .endEncountered { return end() }
        guard event == .hasBytesAvailable else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = connection.input.read(&bytes, maxLength: bytes.count)
        if count <= 0 { return }
        _ = connection.output.write(bytes, maxLength: count)
        if bytes[count - 1] == UInt8(ascii: ".") { end() }
    }

    private func end() {
        connection.close()
        isOver = true
    }
}

/// Sends a text and reads to EOF.
private final class Talker: RLStreamDelegate {
    private let input: RLInputStream
    private let output: RLOutputStream
    private var bytes: [UInt8] = []
    private var words: [UInt8]
    private(set) var isOver = false

    init(_ words: String, _ input: RLInputStream, _ output: RLOutputStream) {
        self.words = Array(words.utf8)
        self.input = input
        self.output = output
        for stream in [input, output] as [RLStream] {
            stream.delegate = self
            stream.schedule(in: .current, forMode: .default)
            stream.open()
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        switch event {
        case .hasSpaceAvailable where !words.isEmpty:
            let count = output.write(words, maxLength: words.count)
            if count > 0 { words.removeFirst(count) }
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = input.read(&buffer, maxLength: buffer.count)
            if count > 0 { bytes += buffer[..<count] }
        case .errorOccurred, .endEncountered:
            isOver = true
            input.close()
            output.close()
        default: break
        }
    }
}
