import FoundationEssentials
import RunLoopKit

/// HTTP by hand over a pair of streams, on a thread that is kept for it.
///
/// It knows as much of HTTP as fits here; `RunLoopNetworking` knows the rest.
struct StreamFetchSample: Sample {
    let name = "stream-fetch"
    let summary = "a pair of streams fetches a page on a permanent thread, in a mode of its own"
    let needsMainThread = false

    static let mode: RLRunLoop.Mode = "StreamFetchMode"

    func run(_ trace: Trace) throws {
        let server = try unwrap(OwnWebServer("our own server"), "There is no server.")
        defer { server.stop() }
        let worker = RLPermanentThread(name: "streams")
        let pages = Condition<[String]>([])
        for path in ["/text", "/half"] {
            worker.execute { [port = server.port] in
                // The fetch lives as long as its streams are scheduled: until the run ends.
                let fetch = StreamFetch(port: port, path: path)
                while !fetch.isOver {
                    RLRunLoop.current.run(mode: Self.mode, before: .distantFuture)
                }
                pages.withLock { $0.append(fetch.outcome) }
            }
        }
        let outcomes = pages.wait { $0.count == 2 ? $0 : nil }
        for outcome in outcomes { trace.event(outcome) }
        worker.stop()
        worker.join()
        trace.expect([
            "got '\(WebPages.text)'", "left after half a second without a byte",
        ])
    }
}

/// A GET request over a pair of streams, for the thread that makes it.
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

    /// The body, once all of it is there.
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
