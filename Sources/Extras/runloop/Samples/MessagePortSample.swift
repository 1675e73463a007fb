import CoreRunLoop
import Glibc
import Synchronization

/// A client and a server in two processes, with all that can happen between them.
struct MessagePortSample: Sample {
    let name = "message-port"
    let summary = "requests to another process, which is killed during one, and to its successor"

    func run(_ trace: Trace) throws {
        let client = Client(port: "org.corerunloop.demo.\(getpid())", trace)
        invalidations.withLock { $0 = trace }
        defer { invalidations.withLock { $0 = nil } }

        trace.check(client.connect() == nil, "nobody has the name yet")
        let server = try client.start()
        let port = try unwrap(client.connect(), "The server cannot be found.")
        client.ask(port, .uppercase, "hello")

        trace.remark("a request that it does not answer before the client is tired of waiting")
        client.ask(port, .hold, "slow", patience: 0.02)
        trace.check(server.receive(), "the server has the request")
        server.send()
        client.ask(port, .uppercase, "the late reply is dropped")

        trace.remark("a request in the midst of which it is killed")
        client.killWhenBusy(server)
        client.ask(port, .hold, "deadly")
        client.ask(port, .uppercase, "anybody there?")
        client.awaitEnd(of: server)

        trace.remark("another one takes over the name, whose files are still there")
        let successor = try client.start()
        let next = try unwrap(client.connect(), "The successor cannot be found.")
        trace.check(next != port, "an invalid port is not used again")
        client.ask(next, .uppercase, "hello again")
        successor.send()
        client.awaitEnd(of: successor)

        trace.expect([
            "a server is there", "hello: HELLO", "slow: error -2, receive timeout",
            "the late reply is dropped: THE LATE REPLY IS DROPPED",
            "the server is at work: kill -9", "the port's invalidation callback",
            "deadly: error -5, became invalid", "anybody there?: error -3, is invalid",
            "the server was killed by signal 9", "a server is there", "hello again: HELLO AGAIN",
            "the server ended with 0",
        ])
    }
}

/// The numbers of the messages.
private enum Request: Int32 {
    /// Is answered with the bytes in upper case.
    case uppercase = 1
    /// A request that is answered after the client has sent a byte to the server's input.
    case hold = 2
}

/// The trace for the callback of a remote port, which has no info.
private let invalidations = Mutex<Trace?>(nil)

private let replying: RLRunLoopMode = "replying"

private struct Client {
    private let port: RLStringRef
    private let name: String
    private let trace: Trace

    init(port name: String, _ trace: Trace) {
        port = RLStringCreate(name)
        self.name = name
        self.trace = trace
    }

    /// A server that is ready.
    func start() throws -> Subprocess {
        let server = try Subprocess(part: "message-server", name)
        trace.check(server.receive(), "the server could take its name")
        trace.event("a server is there")
        return server
    }

    func connect() -> RLMessagePortRef? {
        guard let remote = RLMessagePortCreateRemote(kRLAllocatorDefault, port) else { return nil }
        RLMessagePortSetInvalidationCallBack(remote) { _, _ in
            invalidations.withLock { $0 }?.event("the port's invalidation callback")
        }
        return remote
    }

    func ask(
        _ port: RLMessagePortRef,
        _ request: Request,
        _ text: String,
        patience: RLTimeInterval = 10
    ) {
        let data = RLDataCreate([UInt8](text.utf8))
        var reply: RLDataRef?
        let result = RLMessagePortSendRequest(
            port,
            request.rawValue,
            data,
            1,
            patience,
            replying,
            &reply
        )
        let answer = reply.map { String(decoding: [UInt8]($0), as: UTF8.self) }
        trace.event("\(text): \(answer ?? "error \(result), \(describe(result))")")
    }

    /// The loop that waits for a reply serves whatever else is in the mode.
    func killWhenBusy(_ server: Subprocess) {
        let output = RLFileDescriptorCreate(server.output, closeOnInvalidate: false) { output, _ in
            trace.event("the server is at work: kill -9")
            kill(server.number, SIGKILL)
            RLFileDescriptorInvalidate(output)
        }
        let source = RLFileDescriptorCreateRunLoopSource(kRLAllocatorDefault, output, 0)
        RLFileDescriptorEnableCallBacks(output, kRLFileDescriptorReadCallBack)
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, replying)
    }

    func awaitEnd(of server: Subprocess) {
        let source = RLProcessSourceCreate(process: server.number) { _, status in
            trace.event("the server \(describeEnd(status))")
        }
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
        RLRunLoopRunInMode(.defaultMode, 10, true)
    }
}

private func describe(_ result: Int32) -> String {
    switch result {
    case kRLMessagePortSendTimeout: "send timeout"
    case kRLMessagePortReceiveTimeout: "receive timeout"
    case kRLMessagePortIsInvalid: "is invalid"
    case kRLMessagePortTransportError: "transport error"
    case kRLMessagePortBecameInvalidError: "became invalid"
    default: "success"
    }
}

/// The server, which runs until there is something on its input, or its client is gone.
func serveMessages(as name: String) throws {
    let port = RLMessagePortCreateLocal(name) { _, number, data in
        switch Request(rawValue: number) {
        case .uppercase:
            return RLDataCreate(
                [UInt8](String(decoding: [UInt8](data), as: UTF8.self).uppercased().utf8)
            )
        case .hold:
            var byte: UInt8 = 0
            Glibc.write(STDOUT_FILENO, ".", 1)
            read(STDIN_FILENO, &byte, 1)
            return RLDataCreate([UInt8]("late".utf8))
        case nil: return nil
        }
    }
    let local = try unwrap(port, "The name \(name) cannot be taken.")
    let messages = RLMessagePortCreateRunLoopSource(kRLAllocatorDefault, local, 0)
    let input = RLFileDescriptorCreate(STDIN_FILENO, closeOnInvalidate: false) { _, _ in
        RLRunLoopStop(RLRunLoopGetCurrent())
    }
    let inputs = RLFileDescriptorCreateRunLoopSource(kRLAllocatorDefault, input, 0)
    RLFileDescriptorEnableCallBacks(input, kRLFileDescriptorReadCallBack)
    RLRunLoopAddSource(RLRunLoopGetCurrent(), messages, .defaultMode)
    RLRunLoopAddSource(RLRunLoopGetCurrent(), inputs, .defaultMode)
    Glibc.write(STDOUT_FILENO, "!", 1)
    RLRunLoopRun()
    RLMessagePortInvalidate(local)
    RLFileDescriptorInvalidate(input)
}
