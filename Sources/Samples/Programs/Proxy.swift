// A TCP proxy: forwards each connection to one of the servers that are reachable.
//
//     proxy PORT IDLE-SECONDS HOST:PORT...
//
// The proxy serves at most 500 connections at a time. After SIGTERM or Control-C, it ends when its
// last connection ends.

import Glibc
import RunLoopConcurrency
import RunLoopKit

@main struct Program {
    @MainActor static func main() async throws {
        let words = CommandLine.arguments
        guard words.count > 3, let port = UInt16(words[1]), let idle = Double(words[2]),
            (0.001...1e6).contains(idle)
        else {
            print("usage: \(words[0]) PORT IDLE-SECONDS HOST:PORT...")
            exit(EXIT_FAILURE)
        }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let listener = try RLListener(host: "localhost", port: port)
        RLRunLoop.main.observe(signals: [SIGINT, SIGTERM]) { _, _ in listener.invalidate() }
        let servers = words[3...].compactMap(Server.init)
        for server in servers { await server.check() }
        Task {
            while true {
                try await RLRunLoopClock().sleep(for: .milliseconds(500))
                for server in servers { await server.check() }
            }
        }
        log("listening on port \(listener.port)")
        let tasks = (0..<500).map { _ in
            Task {
                for await client in listener.connections() {
                    if let server = servers.filter(\.isUp).randomElement()?.connect() {
                        let streams = (client.input, client.output)
                        await Connection(streams, server).forward(idle: .seconds(idle))
                    }
                    client.close()
                }
            }
        }
        for task in tasks { await task.value }
    }

    static func log(_ line: String) {
        print(line)
        fflush(nil)
    }
}

@MainActor final class Server {
    private(set) var isUp = false
    private let host: String
    private let port: Int

    init?(_ name: String) {
        guard let colon = name.lastIndex(of: ":"), let port = UInt16(name[colon...].dropFirst())
        else { return nil }
        host = String(name[..<colon])
        self.port = Int(port)
    }

    /// Creates streams to the server; if connecting fails, the first read or write throws the
    /// error.
    func connect() -> Streams? {
        var input: RLInputStream?
        var output: RLOutputStream?
        RLStream.getStreamsToHost(
            withName: host,
            port: port,
            inputStream: &input,
            outputStream: &output
        )
        guard let input, let output else { return nil }
        return (input, output)
    }

    func check() async {
        let wasUp = isUp
        guard let streams = connect() else { return }
        let limit = Task {
            try await RLRunLoopClock().sleep(for: .seconds(5))
            close(streams)
        }
        isUp = (try? await streams.output.finishWriting()) != nil
        limit.cancel()
        close(streams)
        if isUp != wasUp { Program.log("\(host):\(port) is \(isUp ? "up" : "down")") }
    }
}

typealias Streams = (input: RLInputStream, output: RLOutputStream)

@MainActor func close(_ streams: Streams) {
    streams.output.close()
    streams.input.close()
}

@MainActor final class Connection {
    private let client: Streams
    private let server: Streams
    private let clock = RLRunLoopClock()
    private var lastUse = RLRunLoopClock().now

    init(_ client: Streams, _ server: Streams) {
        self.client = client
        self.server = server
        // Open all streams now: otherwise a read could open a stream that was already closed.
        let streams: [RLStream] = [client.input, client.output, server.input, server.output]
        for stream in streams { stream.open() }
    }

    func forward(idle: Duration) async {
        let watch = Task {
            while clock.now < lastUse.advanced(by: idle) {
                try await clock.sleep(until: lastUse.advanced(by: idle))
            }
            closeAll()
        }
        async let requests: Void = copy(isAnswer: false)
        async let answers: Void = copy(isAnswer: true)
        _ = await (requests, answers)
        watch.cancel()
        closeAll()
    }

    /// Reads the next bytes after the previous ones are written, so a slow receiver slows the
    /// sender.
    private func copy(isAnswer: Bool) async {
        let input = isAnswer ? server.input : client.input
        let output = isAnswer ? client.output : server.output
        do {
            for try await bytes in input.chunks() {
                lastUse = clock.now
                try await output.write(contentsOf: bytes)
            }
            try await output.finishWriting()
        } catch {
            closeAll()
        }
    }

    private func closeAll() {
        for streams in [client, server] { close(streams) }
    }
}
