import FoundationEssentials
import RunLoopKit
import Testing

@Suite("An async write") struct AsyncWriteTests {
    @Test("waits for room, and does not block", .timeLimit(.minutes(15))) @MainActor
    func room() async throws {
        let (input, output) = try #require(makeBoundStreams(16))
        let text = (0..<100).map { "line \($0)" }
        let writing = Task {
            try await output.write(contentsOf: Array(text.joined(separator: "\n").utf8))
            output.close()
        }
        var lines: [String] = []
        for try await line in input.lines() { lines.append(line) }
        #expect(lines == text)
        try await writing.value
    }

    @Test("of several tasks comes one after the other", .timeLimit(.minutes(15))) @MainActor
    func turns() async throws {
        let (input, output) = try #require(makeBoundStreams(16))
        let writings = (0..<4).map { number in
            Task {
                let line = String(repeating: "\(number)", count: 100)
                for _ in 0..<10 { try await output.write(contentsOf: Array("\(line)\n".utf8)) }
            }
        }
        var counts: [String: Int] = [:]
        var count = 0
        for try await line in input.lines() {
            counts[line, default: 0] += 1
            count += 1
            if count == 40 { break }
        }
        #expect(
            counts
                == [0, 1, 2, 3].reduce(into: [:]) {
                    $0[String(repeating: "\($1)", count: 100)] = 10
                }
        )
        for writing in writings { try await writing.value }
    }

    @Test("to a client that does not read does not delay other clients", .timeLimit(.minutes(15)))
    @MainActor func silentPeer() async throws {
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        let (silent, other) = (try connect(to: listener), try connect(to: listener))
        let first = try #require(await listener.accept())
        let second = try #require(await listener.accept())
        let flood = Task {
            while true {
                try await first.output.write(contentsOf: [UInt8](repeating: 97, count: 65536))
            }
        }
        try await second.output.write(contentsOf: Array("hello\n".utf8))
        for try await line in other.input.lines() {
            #expect(line == "hello")
            break
        }
        flood.cancel()
        await #expect(throws: CancellationError.self) { try await flood.value }
        for connection in [first, second] { connection.close() }
        listener.invalidate()
        withExtendedLifetime(silent) {}
    }

    @Test("fails with the stream", .timeLimit(.minutes(15))) @MainActor func failures() async throws
    {
        let missing = try #require(RLOutputStream(toFileAtPath: "/nonexistent/file", append: false))
        let error = await #expect(throws: POSIXError.self) {
            try await missing.write(contentsOf: [1])
        }
        #expect(error?.code == .ENOENT)

        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 2)
        defer { memory.deallocate() }
        let full = RLOutputStream(toBuffer: memory, capacity: 2)
        await #expect(throws: POSIXError.self) { try await full.write(contentsOf: [1, 2, 3]) }

        let closed = RLOutputStream.toMemory()
        try await closed.write(contentsOf: [1, 2])
        #expect(closed.property(forKey: .dataWrittenToMemoryStreamKey) as? Data == Data([1, 2]))
        closed.close()
        await #expect(throws: CancellationError.self) { try await closed.write(contentsOf: [1]) }
        try await closed.write(contentsOf: [])
    }

    @Test("does not wait in vain", .timeLimit(.minutes(15)), arguments: EndOfWait.allCases)
    func ends(_ end: EndOfWait) async throws {
        let outcomes = try await end.outcomes { pair, loop in
            let output = RLOutputStream(pair.writer)
            try await output.write(contentsOf: [UInt8](repeating: 1, count: 17), on: loop)
            return "written"
        } close: {
            RLWriteStreamClose($0.writer)
        } end: {
            RLReadStreamClose($0.reader)
        }
        #expect(outcomes == [end == .peer ? "POSIXError" : "CancellationError"])
    }
}

private struct Client {
    let input: RLInputStream
    let output: RLOutputStream
}

@MainActor private func connect(to listener: RLListener) throws -> Client {
    var input: RLInputStream?
    var output: RLOutputStream?
    RLStream.getStreamsToHost(
        withName: "127.0.0.1",
        port: Int(listener.port),
        inputStream: &input,
        outputStream: &output
    )
    output?.open()
    return Client(input: try #require(input), output: try #require(output))
}
