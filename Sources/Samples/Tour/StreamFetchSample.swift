import FoundationEssentials
import RunLoopKit
import Synchronization

/// Minimal HTTP over a pair of streams, on a permanent thread.
///
/// Programs should use `RunLoopNetworking` instead.
struct StreamFetchSample: Sample {
    let name = "stream-fetch"
    let summary = "a pair of streams fetches a page on a permanent thread, in a mode of its own"

    static let mode: RLRunLoop.Mode = "StreamFetchMode"

    func run(_ trace: Trace) throws {
        let network = RLPermanentThread(name: "server")
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        let server = Task { await serve(listener, on: network.runLoop) }
        let worker = RLPermanentThread(name: "streams")
        let outcomes = Mutex<[String]>([])
        for path in ["/whole", "/half"] {
            worker.execute(waitUntilDone: true) { [port = Int(listener.port)] in
                // Keep the fetch alive while its streams are scheduled.
                let fetch = StreamFetch(port: port, path: path)
                while !fetch.isOver {
                    RLRunLoop.current.run(mode: Self.mode, before: .distantFuture)
                }
                outcomes.withLock { $0.append(fetch.outcome) }
            }
        }
        for outcome in outcomes.withLock({ $0 }) { trace.event(outcome) }
        listener.invalidate()
        server.cancel()
        trace.expect(["got '\(page)'", "left after half a second without a byte"])
    }
}

private let page = "a page whose length is known"

/// Sends only half of the page for paths other than `/whole`.
private func serve(_ listener: RLListener, on loop: RLRunLoopRef) async {
    for await connection in listener.connections(on: loop) {
        var request: [String] = []
        do {
            for try await line in connection.input.lines(on: loop) {
                request.append(line)
                if line.isEmpty { break }
            }
            let isWhole = request[0].hasPrefix("GET /whole ")
            let body = isWhole ? page : String(page.prefix(page.count / 2))
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(page.utf8.count)\r\n\r\n"
            try await connection.output.write(contentsOf: Array((head + body).utf8), on: loop)
            // Wait until the client hangs up.
            for try await _ in connection.input.chunks(on: loop) {}
        } catch {}
        connection.close()
    }
}

/// A fetch, confined to the thread that creates it.
private final class StreamFetch: RLStreamDelegate {
    private(set) var outcome = "nothing"
    private(set) var isOver = false
    private var input: RLInputStream?
    private var output: RLOutputStream?
    private var silence: RLTimer?
    private var unsent: [UInt8]
    private var received: [UInt8] = []

    init(port: Int, path: String) {
        unsent = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        RLStream.getStreamsToHost(
            withName: "127.0.0.1",
            port: port,
            inputStream: &input,
            outputStream: &output
        )
        let mode = StreamFetchSample.mode
        for stream in [input, output] as [RLStream?] {
            stream?.delegate = self
            stream?.schedule(in: .current, forMode: mode)
            stream?.open()
        }
        let silence = RLTimer(timeInterval: 0.5, repeats: false) { [unowned self] _ in
            finish("left after half a second without a byte")
        }
        RLRunLoop.current.add(silence, forMode: mode)
        self.silence = silence
    }

    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
        switch eventCode {
        case .hasBytesAvailable: read()
        case .hasSpaceAvailable: write()
        case .endEncountered: finish("the server has left")
        case .errorOccurred:
            finish("the connection failed: \(String(describing: aStream.streamError))")
        default: break
        }
    }

    private func write() {
        guard let output, !unsent.isEmpty else { return }
        unsent.removeFirst(max(output.write(unsent, maxLength: unsent.count), 0))
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = input?.read(&buffer, maxLength: buffer.count) ?? 0
        received += buffer.prefix(max(count, 0))
        silence?.fireDate = Date(timeIntervalSinceNow: 0.5)
        if let body { finish("got '\(body)'") }
    }

    /// The body; nil while the body is incomplete.
    private var body: String? {
        let text = String(decoding: received, as: UTF8.self)
        let parts = text.split(
            separator: "\r\n\r\n",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2 else { return nil }
        let length = parts[0].split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: " ").last ?? "") }
        return parts[1].utf8.count == length ? String(parts[1]) : nil
    }

    private func finish(_ outcome: String) {
        if isOver { return }
        isOver = true
        self.outcome = outcome
        silence?.invalidate()
        for stream in [input, output] as [RLStream?] {
            stream?.delegate = nil
            stream?.close()
        }
    }
}
