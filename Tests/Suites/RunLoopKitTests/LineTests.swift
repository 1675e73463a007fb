import FoundationEssentials
import Glibc
import RunLoopKit
import ServerKit
import Testing
import ThreadKit

@Suite("A line reader") struct LineReaderTests {
    @Test("splits at newlines, with carriage returns or without, and has the last line too")
    func splitting() {
        let log = lines(of: Array("a\nb\r\n\n\r\nc\rd\r\r\n\u{e9}\nlast".utf8))
        #expect(log == ["a", "b", "", "", "c\rd\r", "\u{e9}", "last", "the end"])
        #expect(lines(of: []) == ["the end"])
        #expect(lines(of: Array("x\n".utf8)) == ["x", "the end"])
        #expect(lines(of: Array("x\r".utf8)) == ["x\r", "the end"])
    }

    @Test("replaces bytes that are not UTF-8") func repair() {
        #expect(
            lines(of: [0xFF, 0x61, 10, 0xC3, 10, 0xA9]) == [
                "\u{FFFD}a", "\u{FFFD}", "\u{FFFD}", "the end",
            ]
        )
    }

    @Test("splits in the same way wherever its chunks end") func chunks() {
        // Lines around the size of a chunk, with characters across its end.
        var bytes: [UInt8] = []
        var expected: [String] = []
        for length in [0, 1, 4095, 8188, 8189, 8190, 8191, 8192, 8193, 16384, 40000] {
            let line = String(repeating: "\u{e9}", count: length / 2) + "x"
            expected.append(line)
            bytes += Array(line.utf8) + (length % 2 == 0 ? [13, 10] : [10])
        }
        #expect(lines(of: bytes) == expected + ["the end"])
    }

    @Test("takes a line of the longest length, and ends at a longer one") func limit() {
        let error = "a line is longer than 4 bytes"
        #expect(
            lines(of: Array("abcd\r\nabcd\nabcd".utf8), 4) == ["abcd", "abcd", "abcd", "the end"]
        )
        #expect(lines(of: Array("ab\nabcde\nab\n".utf8), 4) == ["ab", error])
        #expect(lines(of: Array("abcd\r".utf8), 4) == [error])
        #expect(lines(of: Array("abcde".utf8), 4) == [error])
        #expect(lines(of: [10, 13, 10], 0) == ["", "", "the end"])
    }

    @Test("keeps nothing of a flood without newlines") func flood() {
        onFreshThread {
            guard let (input, output) = makeBoundStreams(1024) else { return }
            let error = Log<String>()
            let reader = RLLineReader(input, maximumLength: 10000) { _ in
                Issue.record("there is no line")
            } whenOver: {
                error.add("\($0.map { "\($0)" } ?? "the end")")
            }
            let flood = Flood(output)
            begin(input)
            runUntil { !error.entries.isEmpty }
            #expect(error.entries == ["a line is longer than 10000 bytes"])
            // The bytes that were read, plus the pair's buffer.
            #expect(flood.count <= 10000 + 8192 + 1024)
            withExtendedLifetime(reader) {}
        }
    }

    @Test("reports why a stream fails") func failure() {
        onFreshThread {
            guard let input = RLInputStream(fileAtPath: "/nonexistent/file") else { return }
            var code: POSIXErrorCode?
            let reader = RLLineReader(input) { _ in
            } whenOver: {
                code = ($0 as? POSIXError)?.code
            }
            begin(input)
            runUntil { code != nil }
            #expect(code == .ENOENT)
            withExtendedLifetime(reader) {}
        }
    }

    @Test("may be released, or run the loop, in its closures") func reentrance() {
        onFreshThread {
            let log = Log<String>()
            var reader: RLLineReader?
            let input = RLInputStream(data: Data("1\n2\n3\n".utf8))
            reader = RLLineReader(input) { [token = Token(log)] line in
                token.hold()
                log.add(line)
                if line == "2" { reader = nil }
            } whenOver: { _ in
                log.add("over")
            }
            begin(input)
            runUntil { reader == nil }
            for _ in 0..<3 { RLRunLoop.current.run(mode: .default, before: .distantPast) }
            #expect(log.entries == ["1", "2", "released"] && reader == nil)

            guard let (second, output) = makeBoundStreams(100) else { return }
            output.open()
            _ = output.write(Array("a\nb\nc\n".utf8), maxLength: 6)
            let nested = Log<String>()
            let nesting = RLLineReader(second) { line in
                nested.add(line)
                if line != "a" { return }
                _ = output.write(Array("d\n".utf8), maxLength: 2)
                output.close()
                RLRunLoop.current.run(mode: .default, before: .distantFuture)
            } whenOver: { _ in
                nested.add("over")
            }
            begin(second)
            runUntil { nested.entries.last == "over" }
            #expect(nested.entries == ["a", "b", "c", "d", "over"])
            withExtendedLifetime(nesting) {}
        }
    }

    @Test("may read again while it reads, as a subclass that runs the loop does") func rereading() {
        onFreshThread {
            let input = RereadInput(data: Data("1\n2\n".utf8))
            let log = Log<String>()
            let reader = RLLineReader(input) {
                log.add($0)
            } whenOver: { _ in
                log.add("over")
            }
            begin(input)
            runUntil { log.entries.contains("over") }
            #expect(log.entries == ["1", "2", "over"])
            withExtendedLifetime(reader) {}
        }
    }

    @Test("releases its closures when it is over, and at the end of its thread") func releases() {
        let log = Log<String>()
        onFreshThread {
            let input = RLInputStream(data: Data("1\n".utf8))
            let reader = RLLineReader(input) { [token = Token(log)] _ in
                token.hold()
            } whenOver: { _ in
                log.add("over")
            }
            begin(input)
            runUntil { log.entries.contains("over") }
            #expect(log.entries == ["over", "released"])
            RLThread.current.threadDictionary["late"] = RLLineReader(RLInputStream(data: Data())) {
                [token = Token(log)] _ in
                token.hold()
            } whenOver: { _ in
            }
            withExtendedLifetime(reader) {}
        }
        #expect(log.entries == ["over", "released", "released"])
    }

    @Test("stops the process at a negative length") func misuse() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            _ = RLInputStream(data: Data()).lines(maximumLength: -1)
        }
    }
}

@Suite("The lines of a stream, as a sequence") struct StreamLineTests {
    @Test("are those of a file, and continue after a break") @MainActor func file() async throws {
        let path = temporaryPath()
        defer { unlink(path) }
        try Data("head: 1\n\nbody\nrest".utf8).write(to: URL(fileURLWithPath: path))
        let lines = try #require(RLInputStream(fileAtPath: path)).lines()
        var head: [String] = [], body: [String] = []
        for try await line in lines {
            if line.isEmpty { break }
            head.append(line)
        }
        for try await line in lines { body.append(line) }
        #expect(head == ["head: 1"] && body == ["body", "rest"])
        for try await line in lines { Issue.record("\(line) comes after the end") }
    }

    @Test("end for all who read them", .timeLimit(.minutes(15))) @MainActor
    func readers() async throws {
        var input: RLInputStream?, output: RLOutputStream?
        RLStream.getBoundStreams(withBufferSize: 64, inputStream: &input, outputStream: &output)
        let lines = try #require(input).lines()
        let writer = try #require(output)
        writer.open()
        let readers = (0..<2).map { _ in Task { try await count(lines) } }
        // Lets both wait.
        for _ in 0..<10 { await Task.yield() }
        #expect(writer.write(Array("a\nb\n".utf8), maxLength: 4) == 4)
        writer.close()
        var sum = 0
        for reader in readers { sum += try await reader.value }
        #expect(sum == 2)
    }

    @Test("go each to one of those who wait", .timeLimit(.minutes(15))) @MainActor
    func sharing() async throws {
        let (input, output) = try #require(makeBoundStreams(64))
        let lines = input.lines()
        output.open()
        let readers = (0..<3).map { _ in
            Task {
                var iterator = lines.makeAsyncIterator()
                return try await iterator.next()
            }
        }
        // Lets all wait.
        for _ in 0..<10 { await Task.yield() }
        #expect(output.write(Array("a\nb\nc\n".utf8), maxLength: 6) == 6)
        var texts: Set<String?> = []
        for reader in readers { texts.insert(try await reader.value) }
        #expect(texts == ["a", "b", "c"])
        output.close()
    }

    @Test("end if the stream is closed where it is about to be read") @MainActor
    func closed() async throws {
        for try await line in ClosedInput(data: Data("a\n".utf8)).lines() {
            Issue.record("\(line) comes after the end")
        }
    }

    @MainActor private func count(_ lines: RLStreamLines) async throws -> Int {
        var count = 0
        for try await _ in lines { count += 1 }
        return count
    }

    @Test("end by the error of the stream, or of a line that is too long") func errors()
        async throws
    {
        let missing = try #require(RLInputStream(fileAtPath: "/nonexistent/file"))
        let failure = await #expect(throws: POSIXError.self) {
            for try await _ in missing.lines() {}
        }
        #expect(failure?.code == .ENOENT)
        let lines = RLInputStream(data: Data("ab\nabc\nab\n".utf8)).lines(maximumLength: 2)
        var count = 0
        let error = await #expect(throws: RLLineLengthError.self) {
            for try await _ in lines { count += 1 }
        }
        #expect(error?.maximumLength == 2 && count == 1)
        for try await _ in lines { Issue.record("it is over") }
    }

    @Test("come by TLS, each when it is requested", .timeLimit(.minutes(15))) @MainActor
    func secured() async throws {
        let listener = try RLListener(host: "localhost", port: 0)
        let server = RLThread { serveSecurely(listener) }
        server.start()
        var input: RLInputStream?
        var output: RLOutputStream?
        RLStream.getStreamsToHost(
            withName: "localhost",
            port: Int(listener.port),
            inputStream: &input,
            outputStream: &output
        )
        var settings = RLStreamTLSSettings()
        settings.authorities = [Data(Certificates.authority.utf8)]
        input?.setProperty(settings, forKey: .sslSettingsKey)
        output?.open()
        var text: [String] = []
        for try await line in try #require(input).lines() { text.append(line) }
        #expect(text == (0..<1000).map { "line \($0)" })
        server.join()
        output?.close()
    }

    @Test("leave unrequested lines with the peer", .timeLimit(.minutes(15)))
    func backPressure() async throws {
        let worker = RLPermanentThread(name: "waiting")
        let (input, output) = try #require(makeBoundStreams(16))
        let lines = input.lines(on: worker.runLoop)
        output.open()
        #expect(output.write(Array("a\nb\n".utf8), maxLength: 4) == 4)
        var iterator = lines.makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        #expect(output.write([UInt8](repeating: 99, count: 17), maxLength: 17) == 16)
        #expect(!output.hasSpaceAvailable)
        #expect(try await iterator.next() == "b")
        #expect(!output.hasSpaceAvailable)
        output.close()
        #expect(try await iterator.next() == String(repeating: "c", count: 16))
        #expect(try await iterator.next() == nil)
        worker.stop()
        worker.join()
    }

    @Test("are not waited for in vain", .timeLimit(.minutes(15)), arguments: EndOfWait.allCases)
    func ends(_ end: EndOfWait) async throws {
        let outcomes = try await end.outcomes(opensReader: false) { pair, loop in
            for try await _ in RLInputStream(pair.reader).lines(on: loop) {}
            return "the end"
        } close: {
            await closeOpen($0.reader)
        } end: {
            RLWriteStreamClose($0.writer)
        }
        let isError = end == .cancellation || end == .thread
        #expect(outcomes == [isError ? "CancellationError" : "the end"])
    }
}

// MARK: - Helpers

/// A stream that calls its delegate while it reads.
private final class RereadInput: RLInputStream {
    private var isReading = false

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        if !isReading {
            isReading = true
            delegate?.stream(self, handle: .hasBytesAvailable)
        }
        return super.read(buffer, maxLength: min(length, 2))
    }
}

/// A stream that another thread closes as soon as it has bytes.
private final class ClosedInput: RLInputStream {
    override var hasBytesAvailable: Bool {
        defer { RLReadStreamClose(getRLReadStream()) }
        return super.hasBytesAvailable
    }
}

/// Closes a stream after a task has opened it; an earlier close would do nothing.
private func closeOpen(_ reader: RLReadStreamRef) async {
    // The task may need this thread.
    while RLReadStreamGetStatus(reader) == .notOpen { await Task.yield() }
    RLReadStreamClose(reader)
}

private func begin(_ stream: RLStream) {
    stream.schedule(in: .current, forMode: .default)
    stream.open()
}

private func runUntil(_ condition: () -> Bool) {
    while !condition() {
        guard RLRunLoop.current.run(mode: .default, before: .distantFuture) else {
            Issue.record("the loop has nothing to do")
            return
        }
    }
}

/// The lines of some bytes, followed by the end or the error.
private func lines(of bytes: [UInt8], _ maximumLength: Int = 65536) -> [String] {
    onFreshThread {
        let log = Log<String>()
        var isOver = false
        let input = RLInputStream(data: Data(bytes))
        let reader = RLLineReader(input, maximumLength: maximumLength) {
            log.add($0)
        } whenOver: {
            log.add($0.map { "\($0)" } ?? "the end")
            isOver = true
        }
        begin(input)
        runUntil { isOver }
        withExtendedLifetime(reader) {}
        return log.entries
    } ?? []
}

private func temporaryPath() -> String {
    var path = Array("/tmp/CoreRunLoop-lines-XXXXXX".utf8CString)
    close(mkstemp(&path))
    return path.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
}

/// Accepts one client and sends it lines over TLS, with blocking writes.
private func serveSecurely(_ listener: RLListener) {
    listener.accept(in: .current) { connection in
        var settings = RLStreamTLSSettings()
        settings.isServer = true
        settings.certificates = [Data(Certificates.server.utf8)]
        connection.input.setProperty(settings, forKey: .sslSettingsKey)
        connection.input.open()
        connection.output.open()
        var text = (0..<1000).map { "line \($0)\r\n" }.joined().utf8[...]
        while !text.isEmpty {
            let count = connection.output.write(Array(text), maxLength: text.count)
            if count < 0 { break }
            text = text.dropFirst(count)
        }
        connection.close()
        listener.invalidate()
    }
    while listener.isValid { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
}

/// Writes bytes other than newlines whenever there is space.
private final class Flood: RLStreamDelegate {
    private let output: RLOutputStream
    private(set) var count = 0

    init(_ output: RLOutputStream) {
        self.output = output
        output.delegate = self
        begin(output)
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        guard event == .hasSpaceAvailable else { return }
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 500)
        count += max(output.write(bytes, maxLength: bytes.count), 0)
    }
}
