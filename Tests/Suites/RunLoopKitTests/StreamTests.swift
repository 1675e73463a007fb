import FoundationEssentials
import Glibc
import RunLoopKit
import ServerKit
import Testing
import ThreadKit

@Suite("A stream object") struct StreamTests {
    @Test("reads data to its end, notified of each event") func data() {
        onFreshThread {
            let reader = Reader(bufferSize: 4)
            let input = RLInputStream(data: Data("hello world".utf8))
            #expect(input.streamStatus == .notOpen && !input.hasBytesAvailable)
            begin(input, reader)
            #expect(reader.log.isEmpty)
            runUntil { reader.log.last == "end" }
            #expect(reader.log == ["open", "bytes", "bytes", "bytes", "end"])
            #expect(reader.text == "hello world")
            #expect(input.streamStatus == .atEnd && input.streamError == nil)
            var byte: UInt8 = 0
            #expect(input.read(&byte, maxLength: 1) == 0)
            input.close()
            #expect(input.streamStatus == .closed)
            #expect(input.read(&byte, maxLength: 1) == -1)
        }
    }

    @Test("of no data ends at once") func empty() {
        onFreshThread {
            let reader = Reader()
            let input = RLInputStream(data: Data())
            begin(input, reader)
            runUntil { reader.log.last == "end" }
            #expect(reader.log == ["open", "end"] && reader.bytes.isEmpty)
        }
    }

    @Test("writes into memory of its own") func memory() {
        onFreshThread {
            let writer = Writer(Array("some words".utf8), pieceLength: 4)
            let output = RLOutputStream.toMemory()
            #expect(!output.hasSpaceAvailable)
            begin(output, writer)
            runUntil { writer.isDone }
            #expect(writer.log == ["open", "space", "space", "space"])
            let written = output.property(forKey: .dataWrittenToMemoryStreamKey) as? Data
            #expect(written == Data("some words".utf8))
            #expect(output.property(forKey: .fileCurrentOffsetKey) == nil)
            #expect(output.property(forKey: .init("nonsense")) == nil)
        }
    }

    @Test("fills a buffer, and fails when that is full") func buffer() {
        onFreshThread {
            var memory: [UInt8] = [0, 0, 0, 0]
            memory.withUnsafeMutableBufferPointer { memory in
                guard let start = memory.baseAddress else { return }
                let output = RLOutputStream(toBuffer: start, capacity: memory.count)
                let reader = Reader()
                begin(output, reader)
                #expect(output.write([1, 2, 3], maxLength: 3) == 3)
                #expect(output.write([4, 5], maxLength: 2) == -1)
                #expect((output.streamError as? POSIXError)?.code == .ENOMEM)
                runUntil { reader.log.contains("error") }
                #expect(output.streamStatus == .error)
            }
            #expect(memory == [1, 2, 3, 0])
        }
    }

    @Test("writes, appends to and reads files") func files() {
        onFreshThread {
            let path = makeFilePath()
            defer { unlink(path) }
            for (text, appends) in [("old", false), ("new ", false), ("words", true)] {
                guard let output = RLOutputStream(toFileAtPath: path, append: appends) else {
                    Issue.record("no stream")
                    return
                }
                #expect(output.property(forKey: .appendToFileKey) as? Bool == appends)
                let writer = Writer(Array(text.utf8))
                begin(output, writer)
                runUntil { writer.isDone }
                output.close()
            }
            guard let input = RLInputStream(url: URL(fileURLWithPath: path)) else {
                Issue.record("no stream")
                return
            }
            let reader = Reader(bufferSize: 5)
            begin(input, reader)
            runUntil { !reader.bytes.isEmpty }
            #expect(input.property(forKey: .fileCurrentOffsetKey) as? Int == 5)
            runUntil { reader.log.last == "end" }
            #expect(reader.text == "new words")
        }
    }

    @Test("has a time limit for connecting, and fails when it is over") func timeout() {
        onFreshThread {
            // A listener that never sends.
            guard let listener = Listener() else { return }
            guard let (input, output) = makeStreams(to: "127.0.0.1", port: listener.port) else {
                return
            }
            #expect(input.property(forKey: .connectTimeoutKey) as? Double == 0)
            #expect(input.setProperty(RLStreamTLSSettings(), forKey: .sslSettingsKey))
            #expect(input.setProperty(0.01, forKey: .connectTimeoutKey))
            #expect(output.property(forKey: .connectTimeoutKey) as? Double == 0.01)
            #expect(!input.setProperty(-1, forKey: .connectTimeoutKey))
            let reader = Reader(bufferSize: 4)
            begin(input, reader)
            runUntil { reader.log.last == "error" }
            #expect((input.streamError as? POSIXError)?.code == .ETIMEDOUT)
            input.close()
            output.close()
            withExtendedLifetime(listener) {}
        }
    }

    @Test("reads a file from where it is set to") func offset() {
        onFreshThread {
            let path = makeFilePath()
            defer { unlink(path) }
            do {
                try Data("new words".utf8).write(to: URL(fileURLWithPath: path))
            } catch {
                Issue.record(error)
            }
            guard let input = RLInputStream(fileAtPath: path) else {
                Issue.record("no stream")
                return
            }
            #expect(input.setProperty(4, forKey: .fileCurrentOffsetKey))
            #expect(input.property(forKey: .fileCurrentOffsetKey) as? Int == 4)
            #expect(!input.setProperty("4", forKey: .fileCurrentOffsetKey))
            let reader = Reader(bufferSize: 16)
            begin(input, reader)
            runUntil { reader.log.last == "end" }
            #expect(reader.text == "words")
        }
    }

    @Test("rejects a path that no file can have") func paths() throws {
        #expect(RLInputStream(fileAtPath: "") == nil)
        #expect(RLInputStream(fileAtPath: "a\0b") == nil)
        #expect(RLOutputStream(toFileAtPath: "", append: true) == nil)
        let url = try #require(URL(string: "http://localhost/"))
        #expect(RLInputStream(url: url) == nil && RLOutputStream(url: url, append: false) == nil)
        let file = RLOutputStream(url: URL(fileURLWithPath: "/nowhere"), append: true)
        #expect(file?.setProperty("yes", forKey: .appendToFileKey) == false)
        #expect(file?.setProperty(false, forKey: .appendToFileKey) == true)
    }

    @Test("of a file that does not exist reports an error") func noFile() {
        onFreshThread {
            let reader = Reader()
            guard let input = RLInputStream(fileAtPath: "/nonexistent/file") else {
                Issue.record("no stream")
                return
            }
            begin(input, reader)
            runUntil { reader.log.last == "error" }
            #expect(reader.log == ["error"])
            #expect(input.streamStatus == .error)
            #expect((input.streamError as? POSIXError)?.code == .ENOENT)
        }
    }

    @Test("of a bound pair carries bytes both can wait for") func bound() {
        onFreshThread {
            guard let (input, output) = makeBoundStreams(4096) else { return }
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let writer = Writer(bytes, pieceLength: 3000)
            let reader = Reader(bufferSize: 1000)
            writer.closesAtTheEnd = true
            begin(output, writer)
            begin(input, reader)
            runUntil { reader.log.last == "end" }
            #expect(reader.bytes == bytes)
            // The writer had to wait for the reader.
            #expect(writer.log.filter { $0 == "space" }.count >= bytes.count / 3000)
        }
    }

    @Test("of a bound pair has no room when its buffer is full") func room() {
        onFreshThread {
            guard let (input, output) = makeBoundStreams(1) else { return }
            input.open()
            output.open()
            #expect(output.hasSpaceAvailable && !input.hasBytesAvailable)
            // A partial write: there is no buffer but the pair's.
            #expect(output.write([7, 8], maxLength: 2) == 1)
            #expect(!output.hasSpaceAvailable && input.hasBytesAvailable)
            #expect(input.property(forKey: .socketNativeHandleKey) == nil)
            input.close()
            #expect(output.write([1], maxLength: 1) == -1)
            #expect((output.streamError as? POSIXError)?.code == .EPIPE)
        }
    }

    @Test("of two threads is served by the loop of each") func twoThreads() {
        onFreshThread {
            guard let (input, output) = makeBoundStreams(100) else { return }
            let far = output.getRLWriteStream()
            let thread = RLThread {
                let writer = Writer(Array("from afar".utf8), pieceLength: 2)
                writer.closesAtTheEnd = true
                let stream = RLOutputStream(far)
                begin(stream, writer)
                runUntil { writer.isDone }
                withExtendedLifetime(stream) {}
            }
            thread.start()
            let reader = Reader()
            begin(input, reader)
            runUntil { reader.log.last == "end" }
            thread.join()
            #expect(reader.text == "from afar")
            withExtendedLifetime(output) {}
        }
    }

    @Test("is notified in its modes only, and later of missed events") func modes() {
        onFreshThread {
            let reader = Reader()
            let input = RLInputStream(data: Data("x".utf8))
            let other: RLRunLoop.Mode = "other"
            RLRunLoop.current.perform(inModes: [other]) {}
            input.delegate = reader
            input.schedule(in: .current, forMode: .default)
            input.open()
            RLRunLoop.current.run(mode: other, before: .distantPast)
            #expect(reader.log.isEmpty)
            input.schedule(in: .current, forMode: other)
            input.remove(from: .current, forMode: .default)
            RLRunLoop.current.perform {}
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(reader.log.isEmpty)
            runUntil(in: other) { reader.log.last == "end" }
            #expect(reader.log == ["open", "bytes", "end"])
        }
    }

    @Test("is notified in all common modes if so scheduled") func commonModes() {
        onFreshThread {
            let reader = Reader()
            let input = RLInputStream(data: Data("x".utf8))
            RLRunLoopAddCommonMode(RLRunLoopGetCurrent(), RLRunLoop.Mode.tracking.mode)
            input.delegate = reader
            input.schedule(in: .current, forMode: .common)
            input.open()
            runUntil(in: .tracking) { reader.log.last == "end" }
            #expect(reader.text == "x")
        }
    }
}

@Suite("A stream object's delegate") struct StreamDelegateTests {
    @Test("may be removed in a callback: no notification follows") func removed() {
        onFreshThread {
            let input = RLInputStream(data: Data("abc".utf8))
            let reader = Reader()
            reader.onEvent = { stream, _ in stream.delegate = nil }
            begin(input, reader)
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(reader.log == ["open"])
            let second = Reader()
            input.delegate = second
            runUntil { second.log.last == "end" }
            #expect(second.text == "abc" && reader.log == ["open"])
        }
    }

    @Test("may take the stream out of its mode in a callback: the rest comes in another one")
    func leavingMode() {
        onFreshThread {
            let reader = Reader()
            reader.onEvent = { stream, event in
                reader.onEvent = nil
                stream.remove(from: .current, forMode: .default)
            }
            let input = RLInputStream(data: Data("x".utf8))
            begin(input, reader)
            RLRunLoop.current.perform(afterDelay: 1000) {}
            for _ in 0..<3 { RLRunLoop.current.run(mode: .default, before: .distantPast) }
            #expect(reader.log == ["open"])
            input.schedule(in: .current, forMode: "other")
            runUntil(in: "other") { reader.log.last == "end" }
            #expect(reader.log == ["open", "bytes", "end"])
        }
    }

    @Test("may close the stream in a callback: no notification follows") func closing() {
        onFreshThread {
            guard let (input, output) = makeBoundStreams(100) else { return }
            output.open()
            _ = output.write([1, 2], maxLength: 2)
            let reader = Reader()
            reader.onEvent = { stream, event in
                if event == .hasBytesAvailable { stream.close() }
            }
            begin(input, reader)
            runUntil { input.streamStatus == .closed }
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
            #expect(reader.log == ["open", "bytes"])
        }
    }

    @Test("may release the stream in a callback") func dropping() {
        onFreshThread {
            let owner = Owner()
            owner.stream = RLInputStream(data: Data("abc".utf8))
            weak let stream = owner.stream
            owner.stream.map { begin($0, owner) }
            RLRunLoop.current.run(mode: .default, before: .distantFuture)
            #expect(owner.eventCount == 1 && stream == nil)
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
        }
    }

    @Test("is not retained, and later events are dropped") func weakness() {
        onFreshThread {
            let input = RLInputStream(data: Data("abc".utf8))
            do { begin(input, Reader()) }
            #expect(input.delegate == nil)
            RLRunLoop.current.run(mode: .default, before: .distantPast)
            #expect(input.streamStatus == .open && input.hasBytesAvailable)
        }
    }
}

@Suite("A stream object that is dropped") struct DroppedStreamTests {
    /// The stage of the stream before the call.
    enum Stage: CaseIterable {
        case made, scheduled, opened, notified, closed
    }

    @Test("closes its descriptor and leaves its loop", arguments: Stage.allCases)
    func dropped(stage: Stage) {
        onFreshThread {
            weak var kept: RLInputStream?
            guard let peer = Peer(), let reader = peer.makeReader() else { return }
            do {
                let input = peer.makeInput(reader)
                kept = input
                let delegate = Reader()
                if stage != .made {
                    input.delegate = delegate
                    input.schedule(in: .current, forMode: .default)
                }
                if stage == .opened || stage == .notified || stage == .closed { input.open() }
                if stage == .notified {
                    RLRunLoop.current.run(mode: .default, before: .distantFuture)
                    #expect(delegate.log == ["open"])
                }
                #expect(!peer.isAlone)
                if stage == .closed { input.close() }
            }
            #expect(kept == nil)
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
            #expect(peer.getsLeftAlone)
            #expect(RLGetRetainCount(reader) == 1)
        }
    }

    @Test("goes with the thread that has kept it") func loopGoes() {
        let log = Log<String>()
        onFreshThread {
            let input = RLInputStream(data: Data("abc".utf8))
            let reader = Reader()
            reader.onEvent = { [token = Token(log)] _, _ in token.hold() }
            begin(input, reader)
            let kept = Keeper(input, reader)
            RLThread.current.threadDictionary["kept"] = kept
        }
        #expect(log.entries == ["released"])
    }
}

@Suite("A stream object to a host") struct HostStreamTests {
    @Test("sends and receives over its connection") func conversation() {
        onFreshThread {
            guard let listener = Listener() else { return }
            guard let (input, output) = makeStreams(to: "localhost", port: listener.port) else {
                return
            }
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let writer = Writer(bytes)
            let reader = Reader(bufferSize: 4096)
            begin(input, reader)
            begin(output, writer)
            let echo = RLThread { listener.echoOnce(bytes.count) }
            echo.start()
            runUntil { reader.log.last == "end" }
            echo.join()
            #expect(reader.bytes == bytes)
            #expect(reader.log.first == "open" && writer.log.first == "open")
            #expect((input.property(forKey: .socketNativeHandleKey) as? Data)?.count == 4)
            #expect(input.property(forKey: .shouldCloseNativeSocketKey) as? Bool == true)
        }
    }

    @Test("without a listener is refused") func refused() {
        onFreshThread {
            guard let port = ReservedPort() else {
                Issue.record("no port is free")
                return
            }
            guard let input = makeInput(from: "127.0.0.1", port: port.number) else { return }
            let reader = Reader()
            begin(input, reader)
            runUntil { reader.log.last == "error" }
            #expect(reader.log == ["error"])
            #expect((input.streamError as? POSIXError)?.code == .ECONNREFUSED)
            withExtendedLifetime(port) {}
        }
    }

    @Test("accepts the existing levels of security, and TLS needs OpenSSL") func security() {
        onFreshThread {
            guard let input = makeInput(from: "localhost", port: 443) else { return }
            let key = RLStream.PropertyKey.socketSecurityLevelKey
            for level in [RLStreamSocketSecurityLevel.ssLv2, .ssLv3] {
                #expect(!input.setProperty(level, forKey: key))
            }
            for level in [RLStreamSocketSecurityLevel.tlSv1, .negotiatedSSL, .none] {
                #expect(input.setProperty(level, forKey: key))
                #expect(input.property(forKey: key) as? RLStreamSocketSecurityLevel == level)
            }
        }
    }

    @Test("needs a valid port") func badPort() async {
        await #expect(processExitsWith: .failure) {
            RLStream.getStreamsToHost(
                withName: "localhost",
                port: 65536,
                inputStream: nil,
                outputStream: nil
            )
        }
    }
}

// MARK: - Helpers

private func begin(_ stream: RLStream, _ delegate: some RLStreamDelegate) {
    stream.delegate = delegate
    stream.schedule(in: .current, forMode: .default)
    stream.open()
}

private func runUntil(in mode: RLRunLoop.Mode = .default, _ condition: () -> Bool) {
    while !condition() {
        guard RLRunLoop.current.run(mode: mode, before: .distantFuture) else {
            Issue.record("the loop has nothing to do")
            return
        }
    }
}

private func makeStreams(to host: String, port: Int) -> (RLInputStream, RLOutputStream)? {
    var input: RLInputStream?
    var output: RLOutputStream?
    RLStream.getStreamsToHost(
        withName: host,
        port: port,
        inputStream: &input,
        outputStream: &output
    )
    guard let input, let output else {
        Issue.record("no streams")
        return nil
    }
    return (input, output)
}

private func makeInput(from host: String, port: Int) -> RLInputStream? {
    var input: RLInputStream?
    RLStream.getStreamsToHost(withName: host, port: port, inputStream: &input, outputStream: nil)
    if input == nil { Issue.record("no stream") }
    return input
}

private func makeFilePath() -> String {
    var path = Array("/tmp/CoreRunLoop-stream-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    close(descriptor)
    return path.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
}

private func name(_ event: RLStream.Event) -> String {
    switch event {
    case .openCompleted: "open"
    case .hasBytesAvailable: "bytes"
    case .hasSpaceAvailable: "space"
    case .errorOccurred: "error"
    case .endEncountered: "end"
    default: "\(event)"
    }
}

/// Reads available bytes.
private final class Reader: RLStreamDelegate {
    private let bufferSize: Int
    private(set) var log: [String] = []
    private(set) var bytes: [UInt8] = []
    var onEvent: ((RLStream, RLStream.Event) -> Void)?

    init(bufferSize: Int = 1024) {
        self.bufferSize = bufferSize
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        log.append(name(eventCode))
        if let onEvent { return onEvent(aStream, eventCode) }
        guard eventCode == .hasBytesAvailable, let input = aStream as? RLInputStream else { return }
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        let count = input.read(&buffer, maxLength: bufferSize)
        bytes += buffer.prefix(max(count, 0))
    }
}

/// Writes some bytes in pieces.
private final class Writer: RLStreamDelegate {
    private var rest: ArraySlice<UInt8>
    private let pieceLength: Int
    private(set) var log: [String] = []
    var closesAtTheEnd = false

    init(_ bytes: [UInt8], pieceLength: Int = 65536) {
        rest = bytes[...]
        self.pieceLength = pieceLength
    }

    var isDone: Bool { rest.isEmpty }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        log.append(name(eventCode))
        guard eventCode == .hasSpaceAvailable, let output = aStream as? RLOutputStream else {
            return
        }
        if rest.isEmpty { return output.remove(from: .current, forMode: .default) }
        let count = output.write(
            Array(rest.prefix(pieceLength)),
            maxLength: min(rest.count, pieceLength)
        )
        rest = rest.dropFirst(max(count, 0))
        if rest.isEmpty && closesAtTheEnd { output.close() }
    }
}

/// Holds a stream until its first event.
private final class Owner: RLStreamDelegate {
    var stream: RLInputStream?
    private(set) var eventCount = 0

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        eventCount += 1
        stream = nil
    }
}

/// Keeps a stream and its delegate for a thread.
private final class Keeper {
    private let kept: (RLInputStream, Reader)

    init(_ stream: RLInputStream, _ reader: Reader) {
        kept = (stream, reader)
    }
}

/// One end of a socket pair, which detects whether the other one is closed.
private final class Peer {
    private let far: CInt
    private let near: CInt

    init?() {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            Issue.record("no pair of sockets")
            return nil
        }
        (far, near) = (ends[0], ends[1])
    }

    deinit {
        close(far)
    }

    /// The engine's stream for the other end; once.
    func makeReader() -> RLReadStreamRef? {
        RLStreamCreatePair(withSocket: near)?.reader
    }

    /// A stream that owns the other end.
    func makeInput(_ reader: RLReadStreamRef) -> RLInputStream {
        let input = RLInputStream(reader)
        input.setProperty(true, forKey: .shouldCloseNativeSocketKey)
        return input
    }

    var isAlone: Bool { isClosed(within: 0) }

    /// Whether the other end gets closed, for which this waits: programs that other tests start
    /// inherit it until they are executed.
    var getsLeftAlone: Bool { isClosed(within: 100_000) }

    private func isClosed(within milliseconds: CInt) -> Bool {
        var end = pollfd(fd: far, events: 0, revents: 0)
        return poll(&end, 1, milliseconds) == 1 && CInt(end.revents) & POLLHUP != 0
    }
}

/// A socket that listens on a free port of this machine.
private final class Listener: Sendable {
    private let descriptor: CInt
    let port: Int

    init?() {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 5) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else {
            Issue.record("nobody may listen")
            return nil
        }
    }

    deinit {
        close(descriptor)
    }

    /// Echoes one client's bytes, and hangs up.
    func echoOnce(_ length: Int) {
        let peer = accept(descriptor, nil, nil)
        var bytes = [UInt8](repeating: 0, count: 65536)
        var sum = 0
        while sum < length {
            let count = recv(peer, &bytes, bytes.count, 0)
            guard count > 0 else { break }
            sum += count
            guard send(peer, bytes, count, CInt(MSG_NOSIGNAL)) == count else { break }
        }
        close(peer)
    }
}
