import FoundationEssentials
import Glibc
import RunLoopDiagnostics
import RunLoopKit

/// A server and hundreds of clients, all on one loop.
struct EchoSample: Sample {
    let name = "echo"
    let summary = "an echo server with 300 clients at the same time, in one loop"
    /// The number of seconds in which the clients send about 1000 messages each second.
    ///
    /// If nil, each client sends one message.
    var seconds: Double?

    func run(_ trace: Trace) throws {
        if seconds != nil {
            RLInspector.start()
            trace.remark("to look at it: runloop top \(getpid())")
        }
        let before = countDescriptors()
        let thread = RLThread {
            let hall = EchoHall(clientCount: 300, seconds: seconds, trace)
            guard hall.open() else { return trace.fail("the server could not listen") }
            while !hall.isEmpty { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
            hall.close()
            trace.event("served \(hall.mostGuests) clients at the same time")
            trace.remark("\(hall.echoCount) messages came back, of \(hall.byteCount) bytes")
            trace.event("\(hall.wrongCount) clients got others")
            let sum = (0..<300).map(EchoClient.messageLength).reduce(0, +)
            trace.check(seconds != nil || hall.byteCount == sum, "all bytes have come back")
        }
        thread.start()
        thread.join()
        // Connections to the inspector also use descriptors.
        trace.check(
            RLInspector.isRunning || countDescriptors() == before,
            "as many descriptors are open as before"
        )
        trace.expect([
            "all clients are connected", "all clients have hung up",
            "served 300 clients at the same time", "0 clients got others",
        ])
    }
}

private func countDescriptors() -> Int {
    guard let folder = opendir("/proc/thread-self/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}

extension RLInputStream {
    /// Reads at most 2048 bytes.
    fileprivate func readPiece() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 2048) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = max(read(start, maxLength: buffer.count), 0)
        }
    }
}

private final class EchoHall {
    private let trace: Trace
    private let clientCount: Int
    private let seconds: Double?
    private var listener: RLListener?
    private var clients: [EchoClient] = []
    private var sessions: [ObjectIdentifier: EchoSession] = [:]
    private(set) var mostGuests = 0
    private(set) var wrongCount = 0
    private(set) var echoCount = 0
    private(set) var byteCount = 0
    private var finishedCount = 0
    private var isBroken = false
    private var nextSpeaker = 0
    private var baton: RLTimer?

    init(clientCount: Int, seconds: Double?, _ trace: Trace) {
        self.clientCount = clientCount
        self.seconds = seconds
        self.trace = trace
    }

    /// Whether all clients have finished or a client could not connect.
    var isEmpty: Bool { isBroken || finishedCount == clientCount && sessions.isEmpty }

    func open() -> Bool {
        listener = try? RLListener(host: "127.0.0.1", port: 0)
        guard let listener else { return false }
        listener.accept(in: .current, forMode: .default) { [unowned self] in accept($0) }
        addClient()
        return true
    }

    func close() {
        listener?.invalidate()
        trace.event("all clients have hung up")
    }

    private func addClient() {
        let client = EchoClient(number: clients.count, port: Int(listener?.port ?? 0))
        guard let client else {
            isBroken = true
            return trace.fail("a client got no socket")
        }
        clients.append(client)
        client.onOpen = { [unowned self] in clientIsOpen() }
        client.onEcho = { [unowned self, unowned client] isRight in
            echoCount += 1
            byteCount += isRight ? client.messageLength : 0
            wrongCount += isRight ? 0 : 1
            if baton == nil { client.hangUp() }
        }
        client.onEnd = { [unowned self] in
            finishedCount += 1
            isBroken = isBroken || clients.count < clientCount
        }
        client.open()
    }

    private func clientIsOpen() {
        guard clients.count == clientCount else { return addClient() }
        trace.event("all clients are connected")
        guard let seconds else { return clients.forEach { $0.begin() } }
        let end = ContinuousClock.now + .seconds(seconds)
        baton = .scheduledTimer(withTimeInterval: 0.01, repeats: true) { [unowned self] _ in
            if ContinuousClock.now < end { passBaton() } else { sendHome() }
        }
    }

    /// Makes the next ten clients send, if their last echo has arrived.
    private func passBaton() {
        for _ in 0..<10 {
            clients[nextSpeaker].begin()
            nextSpeaker = (nextSpeaker + 1) % clientCount
        }
    }

    /// Makes each client hang up when its echo has arrived.
    private func sendHome() {
        baton?.invalidate()
        baton = nil
        for client in clients where !client.speaks { client.hangUp() }
    }

    private func accept(_ connection: RLConnection) {
        let session = EchoSession(connection)
        sessions[ObjectIdentifier(session)] = session
        mostGuests = max(mostGuests, sessions.count)
        session.onEnd = { [unowned self, unowned session] in
            sessions[ObjectIdentifier(session)] = nil
        }
    }
}

/// The server's side of a connection, which sends each byte back.
private final class EchoSession: RLStreamDelegate {
    private let connection: RLConnection
    private var waiting: [UInt8] = []
    /// Called when the client has hung up or the connection has failed.
    var onEnd: () -> Void = {}

    init(_ connection: RLConnection) {
        self.connection = connection
        openStreams([connection.input, connection.output], for: self)
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        switch eventCode {
        case .hasBytesAvailable: read()
        case .hasSpaceAvailable: write()
        case .endEncountered, .errorOccurred:
            connection.close()
            onEnd()
        default: break
        }
    }

    /// Reads after the last bytes are written, so no bytes accumulate for a client that does not
    /// read.
    private func read() {
        guard waiting.isEmpty else { return }
        waiting = connection.input.readPiece()
        if connection.output.hasSpaceAvailable { write() }
    }

    private func write() {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst(max(connection.output.write(waiting, maxLength: waiting.count), 0))
        if waiting.isEmpty && connection.input.hasBytesAvailable { read() }
    }
}

private func openStreams(_ streams: [RLStream], for delegate: any RLStreamDelegate) {
    for stream in streams {
        stream.delegate = delegate
        stream.schedule(in: .current, forMode: .default)
        stream.open()
    }
}

private final class EchoClient: RLStreamDelegate {
    let number: Int
    private let input: RLInputStream
    private let output: RLOutputStream
    private let message: [UInt8]
    private var sent = 0
    private var received: [UInt8] = []
    /// Whether an echo is outstanding.
    private(set) var speaks = false
    private var hasHungUp = false
    var onOpen: () -> Void = {}
    /// Called when the echo is complete or can no longer arrive, with true if the echo is correct.
    var onEcho: (Bool) -> Void = { _ in }
    var onEnd: () -> Void = {}

    static func messageLength(_ number: Int) -> Int { 1 + number * 37 % 5000 }

    init?(number: Int, port: Int) {
        var input: RLInputStream?
        var output: RLOutputStream?
        RLStream.getStreamsToHost(
            withName: "127.0.0.1",
            port: port,
            inputStream: &input,
            outputStream: &output
        )
        guard let input, let output else { return nil }
        self.number = number
        self.input = input
        self.output = output
        message = (0..<Self.messageLength(number)).map {
            UInt8(truncatingIfNeeded: ($0 &+ number) &* 2_654_435_761 >> 7)
        }
    }

    var messageLength: Int { message.count }

    func open() {
        openStreams([input, output], for: self)
    }

    /// Sends the message, unless an echo is outstanding.
    func begin() {
        if speaks || hasHungUp { return }
        speaks = true
        sent = 0
        received = []
        if output.hasSpaceAvailable { write() }
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        switch eventCode {
        case .openCompleted: if aStream === output { onOpen() }
        case .hasBytesAvailable: read()
        case .hasSpaceAvailable: write()
        case .endEncountered, .errorOccurred: hangUp()
        default: break
        }
    }

    func hangUp() {
        if hasHungUp { return }
        hasHungUp = true
        input.close()
        output.close()
        if speaks { reportEcho() }
        onEnd()
    }

    private func write() {
        guard speaks, sent < message.count else { return }
        let rest = Array(message[sent...])
        sent += max(output.write(rest, maxLength: rest.count), 0)
    }

    private func read() {
        received += input.readPiece()
        if speaks && received.count >= message.count { reportEcho() }
    }

    private func reportEcho() {
        speaks = false
        onEcho(received == message)
    }
}
