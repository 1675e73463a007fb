import CoreRunLoop
import Glibc
import Synchronization

/// A client and a server in two processes, and the server's crash and restart.
struct MessagePortSample: Sample {
    let name = "message-port"
    let summary = "requests to another process, which is killed during one, and to its successor"

    func run(_ trace: Trace) throws {
        let client = Client(port: "org.corerunloop.demo.\(getpid())", sample: name, trace)
        invalidations.withLock { $0 = trace }
        defer { invalidations.withLock { $0 = nil } }

        trace.check(client.connect() == nil, "nobody has the name yet")
        guard let server = client.start() else { return trace.fail("no server can be started") }
        let port = client.connect()
        client.ask(port, .uppercase, "hello")

        trace.remark("a request that it does not answer before the client is tired of waiting")
        kill(server, SIGSTOP)
        client.ask(port, .uppercase, "slow", patience: 0.02)
        kill(server, SIGCONT)
        client.ask(port, .uppercase, "the late reply is dropped")

        trace.remark("a request in the midst of which it is killed")
        client.ask(port, .die, "deadly")
        client.ask(port, .uppercase, "anybody there?")
        client.awaitEnd(of: server)

        trace.remark("another one takes over the name, whose files are still there")
        guard let successor = client.start() else { return trace.fail("there is no successor") }
        let next = client.connect()
        trace.check(next != port, "an invalid port is not used again")
        client.ask(next, .uppercase, "hello again")
        client.ask(next, .end, "that is all")
        client.awaitEnd(of: successor)

        trace.expect([
            "a server is there", "hello: HELLO", "slow: error -2, receive timeout",
            "the late reply is dropped: THE LATE REPLY IS DROPPED",
            "the port's invalidation callback", "deadly: error -5, became invalid",
            "anybody there?: error -3, is invalid", "the server was killed by signal 9",
            "a server is there", "hello again: HELLO AGAIN", "that is all: as you wish",
            "the server ended with 0",
        ])
    }

    /// Serves the port for at most a minute.
    func play(_ word: String) throws {
        let loop = RLRunLoopGetCurrent()
        let port = RLMessagePortCreateLocal(word) { _, number, data in
            let text = String(decoding: [UInt8](data), as: UTF8.self)
            switch Request(rawValue: number) {
            case .uppercase: return RLDataCreate([UInt8](text.uppercased().utf8))
            case .die: kill(getpid(), SIGKILL)
            case .end:
                RLRunLoopStop(loop)
                return RLDataCreate([UInt8]("as you wish".utf8))
            case nil: break
            }
            return nil
        }
        guard let port else { exit(EXIT_FAILURE) }
        let messages = RLMessagePortCreateRunLoopSource(kRLAllocatorDefault, port, 0)
        RLRunLoopAddSource(loop, messages, .defaultMode)
        // Write the byte for which the parent waits.
        write(STDOUT_FILENO, "!", 1)
        RLRunLoopRunInMode(.defaultMode, 60, false)
        RLMessagePortInvalidate(port)
    }
}

private enum Request: Int32 {
    case uppercase = 1
    case die = 2
    case end = 3
}

/// The trace for a remote port's invalidation callback, which has no info.
private let invalidations = Mutex<Trace?>(nil)

private let replying: RLRunLoopMode = "replying"

private struct Client {
    private let port: RLStringRef
    private let name: String
    private let sample: String
    private let trace: Trace

    init(port name: String, sample: String, _ trace: Trace) {
        port = RLStringCreate(name)
        self.name = name
        self.sample = sample
        self.trace = trace
    }

    /// Starts this program as a server, and waits until the server is ready.
    func start() -> pid_t? {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        var server = pid_t()
        let arguments = ["server", "part", sample, name]
        let words = arguments.map { strdup($0) } + [nil]
        let failure = posix_spawn(&server, "/proc/self/exe", &actions, nil, words, environ)
        words.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
        close(ends[1])

        var byte: UInt8 = 0
        let isReady = failure == 0 && read(ends[0], &byte, 1) == 1
        close(ends[0])
        if isReady { trace.event("a server is there") }
        return isReady ? server : nil
    }

    func connect() -> RLMessagePortRef? {
        guard let remote = RLMessagePortCreateRemote(kRLAllocatorDefault, port) else { return nil }
        RLMessagePortSetInvalidationCallBack(remote) { _, _ in
            invalidations.withLock { $0 }?.event("the port's invalidation callback")
        }
        return remote
    }

    func ask(
        _ port: RLMessagePortRef?,
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
            10,
            patience,
            replying,
            &reply
        )
        let answer = reply.map { String(decoding: [UInt8]($0), as: UTF8.self) }
        trace.event("\(text): \(answer ?? "error \(result), \(describe(result))")")
    }

    func awaitEnd(of server: pid_t) {
        let source = RLProcessSourceCreate(process: server) { _, status in
            let status = status ?? -1
            let signal = status & 0x7F
            let end = signal == 0 ? "ended with \(status >> 8)" : "was killed by signal \(signal)"
            trace.event("the server \(end)")
            RLRunLoopStop(RLRunLoopGetCurrent())
        }
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
        RLRunLoopRunInMode(.defaultMode, 10, false)
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
