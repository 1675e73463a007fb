import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopKit
import ServerKit
import Testing
import ThreadKit

@Suite("The end of one direction") struct HalfCloseTests {
    @Test("leaves the other one open", .timeLimit(.minutes(15)), arguments: [false, true])
    @MainActor func answers(isSecured: Bool) async throws {
        let listener = try RLListener(host: "localhost", port: 0)
        let serving = Task {
            let connection = try #require(await listener.accept())
            if isSecured {
                var settings = RLStreamTLSSettings()
                settings.isServer = true
                settings.certificates = [Data(Certificates.server.utf8)]
                connection.input.setProperty(settings, forKey: .sslSettingsKey)
            }
            var count = 0
            for try await bytes in connection.chunks() { count += bytes.count }
            #expect(connection.input.streamStatus == .atEnd)
            try await connection.output.write(contentsOf: Array("\(count) bytes\n".utf8))
            try await connection.output.finishWriting()
            let socket = try #require(connection.input.socket)
            #expect(connection.output.socket == socket)
            connection.close()
            #expect(connection.input.socket == nil && RLOutputStream.toMemory().socket == nil)
        }
        let (input, output) = try connect(to: listener, isSecured)
        try await output.write(contentsOf: [UInt8](repeating: 1, count: 1_000_000))
        try await output.finishWriting()
        try await output.finishWriting()
        #expect(output.streamStatus == .atEnd && output.streamError == nil)
        var lines: [String] = []
        for try await line in input.lines() { lines.append(line) }
        #expect(lines == ["1000000 bytes"])
        let error = await #expect(throws: POSIXError.self) {
            try await output.write(contentsOf: [1])
        }
        #expect(error?.code == .EPIPE)
        try await serving.value
        listener.invalidate()
    }

    @Test("waits for room in a loop, until it is cancelled", .timeLimit(.minutes(15))) @MainActor
    func silentPeer() async throws {
        let listener = try RLListener(host: "localhost", port: 0)
        let (input, output) = try connect(to: listener, true)
        let peer = try #require(await listener.accept())
        // The peer never completes the handshake.
        let finishing = Task { try await output.finishWriting() }
        for _ in 0..<20 { await Task.yield() }
        finishing.cancel()
        await #expect(throws: CancellationError.self) { try await finishing.value }
        peer.close()
        await #expect(throws: (any Error).self) { try await input.read(upToCount: 1) }
        await #expect(throws: (any Error).self) { try await output.finishWriting() }
        listener.invalidate()
    }

    @Test(
        "is no end of the other one, for each kind of peer",
        .timeLimit(.minutes(15)),
        arguments: EndingPeer.all
    )
    @MainActor func peers(_ peer: EndingPeer) async throws {
        let server = try peer.start()
        let (input, output) = try peer.connect(to: try #require(server.readLine()))
        output.open()
        func send() async throws {
            try await output.write(contentsOf: [UInt8](repeating: 1, count: 1_000_000))
            try await output.finishWriting()
            #expect(output.streamStatus == .atEnd && output.streamError == nil)
        }
        if !peer.endsFirst { try await send() }
        var lines: [String] = []
        for try await line in input.lines() { lines.append(line) }
        #expect(lines == [peer.endsFirst ? "hello" : "1000000 bytes"])
        #expect(input.streamStatus == .atEnd && input.streamError == nil)
        if peer.endsFirst {
            #expect(output.streamStatus == .open)
            try await send()
        }
        #expect(server.readLine() == "1000000 \(peer.kind)")
        withExtendedLifetime((input, output)) {}
    }

    @Test(
        "reaches the peer although the task that waited was cancelled",
        .timeLimit(.minutes(15)),
        arguments: [false, true]
    )
    @MainActor func cancellation(isSecured: Bool) async throws {
        let ends = try Ends(isSecured)
        if !isSecured { try ends.fill() }
        let finishing = Task { try await ends.output.finishWriting() }
        while ends.output.streamStatus == .notOpen { await Task.yield() }
        for _ in 0..<Int.random(in: 0..<10) { await Task.yield() }
        finishing.cancel()
        let result = await finishing.result
        if isSecured { #expect(throws: CancellationError.self) { try result.get() } }
        ends.secureFar()
        var count = 0
        for try await bytes in ends.farInput.chunks() { count += bytes.count }
        #expect(isSecured ? count == 0 : count > 0)
        #expect(ends.farInput.streamStatus == .atEnd)
        try await ends.output.finishWriting()
        #expect(ends.output.streamStatus == .atEnd)
    }

    @Test("is not awaited in vain", .timeLimit(.minutes(15)), arguments: EndOfWait.allCases)
    @MainActor func ends(_ end: EndOfWait) async throws {
        for _ in 0..<20 {
            let worker = RLPermanentThread(name: "finishing")
            let loop = worker.runLoop
            // The far end never answers the handshake.
            let ends = try Ends(true)
            // Closing a stream that is not open has no effect.
            ends.output.open()
            let finishing = Task { try await ends.output.finishWriting(on: loop) }
            for _ in 0..<Int.random(in: 0..<10) { await Task.yield() }
            switch end {
            case .cancellation: finishing.cancel()
            case .thread: worker.stop()
            case .close: ends.output.close()
            case .peer: ends.closeFar()
            }
            let result = await finishing.result
            let error = #expect(throws: (any Error).self) { try result.get() }
            #expect(
                (error is CancellationError) == (end != .peer),
                "\(end): \(String(describing: error))"
            )
            worker.stop()
            worker.join()
        }
    }
}

// MARK: - Helpers

/// A peer in Python, which ends its direction before or after ours.
struct EndingPeer: Sendable, CustomTestStringConvertible {
    /// `TCP`, `Unix`, or the version of TLS.
    let kind: String
    let endsFirst: Bool

    static let all = ["TCP", "Unix", "TLSv1.2", "TLSv1.3"].flatMap { kind in
        [false, true].map { EndingPeer(kind: kind, endsFirst: $0) }
    }

    var testDescription: String { "\(kind), \(endsFirst ? "the peer" : "this side") first" }

    /// Prints its address, and later the number of bytes and the kind.
    private static let program = """
        import socket, ssl, sys, tempfile
        kind, ends_first = sys.argv[1], sys.argv[2] == 'true'
        listener = socket.socket(socket.AF_UNIX if kind == 'Unix' else socket.AF_INET)
        listener.bind('' if kind == 'Unix' else ('127.0.0.1', 0))
        listener.listen()
        name = listener.getsockname()
        print(name[1:].decode() if kind == 'Unix' else name[1], flush=True)
        connection = listener.accept()[0]
        if kind.startswith('TLS'):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            with tempfile.NamedTemporaryFile('w') as file:
                file.write(sys.argv[3]); file.flush()
                context.load_cert_chain(file.name)
            if kind == 'TLSv1.2': context.maximum_version = ssl.TLSVersion.TLSv1_2
            received, to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
            session = context.wrap_bio(received, to_send, server_side=True)
            def flush():
                if to_send.pending: connection.sendall(to_send.read())
            def call(function):
                while True:
                    try: return function()
                    except ssl.SSLWantReadError: flush()
                    data = connection.recv(100000)
                    received.write(data) if data else received.write_eof()
            def read():
                try: return call(lambda: session.read(100000))
                except ssl.SSLZeroReturnError: return b''
            def write(data): session.write(data); flush()
            def end():
                try: session.unwrap()
                except ssl.SSLWantReadError: pass
                flush(); connection.shutdown(socket.SHUT_WR)
            call(session.do_handshake); flush()
            kind = session.version()
        else:
            def read(): return connection.recv(100000)
            def write(data): connection.sendall(data)
            def end(): connection.shutdown(socket.SHUT_WR)
        if ends_first: write(b'hello\\n'); end()
        count = 0
        while data := read(): count += len(data)
        if not ends_first: write(b'%d bytes\\n' % count); end()
        print(count, kind, flush=True)
        """

    func start() throws -> BackgroundProcess {
        try BackgroundProcess(
            program: "python3",
            ["-c", Self.program, kind, "\(endsFirst)", Certificates.server]
        )
    }

    @MainActor func connect(to address: String) throws -> (RLInputStream, RLOutputStream) {
        let pair =
            kind == "Unix"
            ? RLStreamCreatePair(withSocket: try connectSocket(to: address))
            : RLStreamCreatePair(toHost: "127.0.0.1", port: try #require(UInt32(address)))
        let (reader, writer) = try #require(pair)
        RLReadStreamSetProperty(reader, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue)
        let streams = (RLInputStream(reader), RLOutputStream(writer))
        if kind.hasPrefix("TLS") { streams.0.secure(isServer: false) }
        return streams
    }

    /// Connects to an abstract address.
    private func connectSocket(to name: String) throws -> CInt {
        let handle = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.dropFirst().copyBytes(from: name.utf8) }
        let size = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
        let result = withUnsafeBytes(of: &address) { bytes in
            Glibc.connect(
                handle,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(size)
            )
        }
        try #require(result == 0)
        return handle
    }
}

/// Streams over both ends of a Unix socket.
@MainActor struct Ends {
    let input: RLInputStream
    let output: RLOutputStream
    let farInput: RLInputStream
    private let farOutput: RLOutputStream
    private let isSecured: Bool

    init(_ isSecured: Bool) throws {
        let (near, far) = try makeSocketStreams()
        (input, output) = (RLInputStream(near.reader), RLOutputStream(near.writer))
        (farInput, farOutput) = (RLInputStream(far.reader), RLOutputStream(far.writer))
        self.isSecured = isSecured
        if isSecured { input.secure(isServer: false) }
    }

    /// Fills the socket with bytes that the far end does not read.
    func fill() throws {
        output.open()
        let bytes = [UInt8](repeating: 1, count: 65536)
        while output.hasSpaceAvailable {
            try #require(output.write(bytes, maxLength: bytes.count) > 0)
        }
    }

    func secureFar() {
        if isSecured { farInput.secure(isServer: true) }
    }

    func closeFar() {
        for stream in [farInput, farOutput] {
            stream.open()
            stream.close()
        }
    }
}

@MainActor private func connect(
    to listener: RLListener,
    _ isSecured: Bool
) throws -> (RLInputStream, RLOutputStream) {
    var input: RLInputStream?
    var output: RLOutputStream?
    RLStream.getStreamsToHost(
        withName: "localhost",
        port: Int(listener.port),
        inputStream: &input,
        outputStream: &output
    )
    if isSecured {
        var settings = RLStreamTLSSettings()
        settings.authorities = [Data(Certificates.authority.utf8)]
        input?.setProperty(settings, forKey: .sslSettingsKey)
    }
    output?.open()
    return (try #require(input), try #require(output))
}
