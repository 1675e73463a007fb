import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopKit
import ServerKit
import Testing

/// A server that increments each byte, and then closes its output.
@MainActor private final class IncrementServer {
    let listener: RLListener
    private(set) var received = 0

    init(port: UInt16 = 0) throws {
        listener = try RLListener(host: "127.0.0.1", port: port)
    }

    var name: String { "127.0.0.1:\(listener.port)" }

    func serve() async {
        for await connection in listener.connections() {
            Task { try? await answer(connection) }
        }
    }

    private func answer(_ connection: RLConnection) async throws {
        defer { connection.close() }
        for try await bytes in connection.chunks() {
            received += bytes.count
            try await connection.output.write(contentsOf: bytes.map { $0 &+ 1 })
        }
        try await connection.output.finishWriting()
    }
}

@MainActor private struct Client {
    let input: RLInputStream
    let output: RLOutputStream

    init(port: UInt16) throws {
        var input: RLInputStream?
        var output: RLOutputStream?
        RLStream.getStreamsToHost(
            withName: "127.0.0.1",
            port: Int(port),
            inputStream: &input,
            outputStream: &output
        )
        self.input = try #require(input)
        self.output = try #require(output)
        self.input.open()
    }

    func readAll() async throws -> [UInt8] {
        var all: [UInt8] = []
        for try await bytes in input.chunks() { all += bytes }
        return all
    }

    func close() {
        input.close()
        output.close()
    }
}

@Suite("The proxy", .timeLimit(.minutes(15))) @MainActor struct ProxyTests {
    @Test("forwards every byte of 500 connections, and the end of each direction")
    func connections() async throws {
        // The test holds both ends of each connection.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let server = try IncrementServer()
        let serving = Task { await server.serve() }
        let (proxy, port) = try Self.start(server.name)
        let clients = try (0..<500).map { _ in try Client(port: port) }
        // All are connected at the same time.
        for client in clients { try await client.output.write(contentsOf: [0]) }
        for client in clients { #expect(try await client.input.read(upToCount: 2) == [1]) }
        let exchanges = clients.enumerated().map { number, client in
            Task {
                let count = number * 97
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
                async let answer = client.readAll()
                try await client.output.write(contentsOf: bytes)
                try await client.output.finishWriting()
                let isRight = try await answer == bytes.map { $0 &+ 1 }
                client.close()
                return isRight ? count : -1
            }
        }
        var total = 0
        for (number, exchange) in exchanges.enumerated() {
            let count = try await exchange.value
            #expect(count == number * 97)
            total += count + 1
        }
        #expect(server.received == total)
        proxy.receive(SIGTERM)
        #expect(try proxy.exitCode() == 0)
        server.listener.invalidate()
        await serving.value
    }

    @Test("reads no more than a slow reader takes") func backPressure() async throws {
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        let (proxy, port) = try Self.start("127.0.0.1:\(listener.port)")
        // The proxy's health check.
        await listener.accept()?.close()
        let client = try Client(port: port)
        let count = 64 << 20
        let writing = Task {
            try await client.output.write(contentsOf: [UInt8](repeating: 1, count: count))
            try await client.output.finishWriting()
        }
        var connection = try #require(await listener.accept())
        // Further health checks send nothing.
        while try await connection.read(upToCount: 1) == nil {
            connection.close()
            connection = try #require(await listener.accept())
        }
        // The buffers between the two become full.
        var unread: CInt = 0
        while unread < 65536 || client.output.hasSpaceAvailable {
            await Task.yield()
            _ = ioctl(try #require(connection.input.socket), UInt(FIONREAD), &unread)
        }
        var received = 1
        for try await bytes in connection.chunks() { received += bytes.count }
        #expect(received == count)
        try await writing.value
        connection.close()
        client.close()
        let status = try String(contentsOfFile: "/proc/\(proxy.number)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = peak?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap {
            Int($0)
        }
        #expect(try #require(kilobytes) < 48 << 10)
        listener.invalidate()
    }

    @Test("closes a connection that is idle") func idle() async throws {
        let server = try IncrementServer()
        let serving = Task { await server.serve() }
        let (proxy, port) = try Self.start(idle: 0.01, server.name)
        let client = try Client(port: port)
        // Only the proxy's time-out ends the connection.
        #expect(try await client.input.read(upToCount: 1) == nil)
        client.close()
        proxy.receive(SIGTERM)
        #expect(try proxy.exitCode() == 0)
        server.listener.invalidate()
        await serving.value
    }

    @Test("uses servers that are up, and others when they come up") func health() async throws {
        let first = try #require(ReservedPort())
        let second = try IncrementServer()
        let serving = Task { await second.serve() }
        let (proxy, port) = try Self.start("127.0.0.1:\(first.number)", second.name)
        for _ in 0..<20 {
            let client = try Client(port: port)
            try await client.output.write(contentsOf: [1])
            #expect(try await client.input.read(upToCount: 1) == [2])
            client.close()
        }
        second.listener.invalidate()
        await serving.value
        #expect(proxy.readLine() == "\(second.name) is down")
        let third = try IncrementServer(port: UInt16(first.number))
        let servingAgain = Task { await third.serve() }
        #expect(proxy.readLine() == "\(third.name) is up")
        let client = try Client(port: port)
        try await client.output.write(contentsOf: [1])
        #expect(try await client.input.read(upToCount: 1) == [2])
        client.close()
        third.listener.invalidate()
        await servingAgain.value
    }

    @Test("ends a connection that a peer resets") func reset() async throws {
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        let (proxy, port) = try Self.start("127.0.0.1:\(listener.port)")
        await listener.accept()?.close()
        for _ in 0..<30 {
            let client = try Client(port: port)
            try await client.output.write(contentsOf: [1])
            var connection = try #require(await listener.accept())
            while try await connection.read(upToCount: 1) == nil {
                connection.close()
                connection = try #require(await listener.accept())
            }
            var atOnce = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            setsockopt(try #require(client.input.socket), SOL_SOCKET, SO_LINGER, &atOnce, size)
            client.close()
            do {
                #expect(try await connection.read(upToCount: 1) == nil)
            } catch is POSIXError {}
            connection.close()
        }
        proxy.receive(SIGTERM)
        #expect(try proxy.exitCode() == 0)
        listener.invalidate()
    }

    private static func start(
        idle: Double = 1000,
        _ servers: String...
    ) throws -> (BackgroundProcess, port: UInt16) {
        let proxy = try BackgroundProcess(
            program: ChildProcess.pathOfProduct("proxy"),
            ["0", "\(idle)"] + servers
        )
        while let line = proxy.readLine() {
            let number = line.hasPrefix("listening") ? line.split(separator: " ").last : nil
            if let number, let port = UInt16(number) { return (proxy, port) }
        }
        throw RLSystemError(code: ETIMEDOUT, to: "listen")
    }
}
