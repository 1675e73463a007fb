import Dispatch
import FoundationEssentials
import RunLoopNetworking
import Synchronization

/// As in AFNetworking, one thread does all networking, and the main thread receives the results.
struct HTTPFetchSample: Sample {
    let name = "http-fetch"
    let summary = "a network request thread fetches by HTTP, and cancels half-way"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let server = RLPermanentThread(name: "server")
        let listener = try RLListener(host: "127.0.0.1", port: 0)
        let hangUp = DispatchSemaphore(value: 0)
        let serving = Task { await serve(listener, on: server.runLoop, hangUp) }
        let network = RLPermanentThread.networkRequestThread.runLoop
        let before = (main: sourceCalls(of: RLRunLoopGetMain()), network: sourceCalls(of: network))

        for page in ["text", "chunks", "half"] {
            fetch(page, "http://127.0.0.1:\(listener.port)/\(page)", trace)
        }
        hangUp.wait()
        trace.event("the server has seen it")
        listener.invalidate()
        serving.cancel()

        let calls = sourceCalls(of: network) - before.network
        trace.remark("the loop of the network thread has served sockets \(calls) times")
        trace.check(calls > 0, "the network thread does the networking")
        trace.check(
            sourceCalls(of: RLRunLoopGetMain()) == before.main,
            "the main thread does none of it"
        )
        trace.expect([
            "main thread: asks for text", "network thread: has begun",
            "main thread: got '\(text)', finished",
            "main thread: asks for chunks", "network thread: has begun",
            "main thread: got '\(chunks.joined())', finished",
            "main thread: asks for half", "network thread: has begun",
            "main thread: half of it is here, that will do",
            "main thread: the request was cancelled, cancelled",
            "the server has seen it",
        ])
    }

    // Fetches a page while the main loop runs. Cancels a download that stops half-way.
    private func fetch(_ page: String, _ address: String, _ trace: Trace) {
        guard let url = URL(string: address) else { return trace.fail("no URL: \(address)") }
        let current = Current()
        let fetched = RLHTTPRequestOperation(
            RLHTTPRequest(url: url),
            progress: { progress in
                guard progress.expectedLength == 2 * halfLength else { return }
                // The first half may arrive in several pieces.
                guard progress.receivedLength == halfLength else { return }
                trace.event("\(threadName()): half of it is here, that will do")
                current.operation.withLock { $0?.cancel() }
            },
            completion: { result in
                let state = current.operation.withLock { $0?.state }.map { "\($0)" } ?? ""
                trace.event("\(threadName()): \(describe(result)), \(state)")
                RLRunLoopStop(RLRunLoopGetMain())
            }
        )
        current.operation.withLock { $0 = fetched }
        trace.event("\(threadName()): asks for \(page)")
        fetched.start()
        // This task is enqueued after the start, so the operation has begun when the task runs.
        RLPermanentThread.networkRequestThread.execute(waitUntilDone: true) {
            trace.event("\(threadName()): has \(fetched.state == .ready ? "not " : "")begun")
        }
        let result = RLRunLoopRunInMode(.defaultMode, 20, false)
        trace.check(result == .stopped, "the fetch has ended")
        current.operation.withLock { $0 = nil }
    }
}

/// Lets the closures of an operation access the operation.
private final class Current: Sendable {
    let operation = Mutex<RLHTTPRequestOperation?>(nil)
}

private let text = "a page whose length is known"
private let chunks = ["a page ", "that comes ", "in chunks"]
private let halfLength = 10_000

// Serves three pages. Sends only the first half of `/half`, and waits until the client hangs up.
private func serve(
    _ listener: RLListener,
    on loop: RLRunLoopRef,
    _ hangUp: DispatchSemaphore
) async {
    for await connection in listener.connections(on: loop) {
        var request: [String] = []
        do {
            for try await line in connection.input.lines(on: loop) {
                request.append(line)
                if line.isEmpty { break }
            }
            let page = request[0].split(separator: " ")[1]
            let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\n" + answer(page)
            try await connection.output.write(contentsOf: Array(answer.utf8), on: loop)
            if page == "/half" {
                for try await _ in connection.input.chunks(on: loop) {}
                hangUp.signal()
            }
        } catch {
            hangUp.signal()
        }
        connection.close()
    }
}

private func answer(_ page: Substring) -> String {
    switch page {
    case "/text": return "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    case "/chunks":
        let pieces = chunks.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
        return "Transfer-Encoding: chunked\r\n\r\n\(pieces.joined())0\r\n\r\n"
    default:
        let half = String(repeating: "x", count: halfLength)
        return "Content-Length: \(2 * halfLength)\r\n\r\n\(half)"
    }
}

private func describe(_ result: Result<RLHTTPResponse, RLHTTPError>) -> String {
    switch result {
    case .success(let response): "got '\(String(decoding: response.body, as: UTF8.self))'"
    case .failure(let error): "\(error)"
    }
}

private func threadName() -> String {
    if RLThread.isMainThread { return "main thread" }
    let network = RLPermanentThread.networkRequestThread.runLoop
    return RLRunLoopGetCurrent() === network ? "network thread" : "another thread"
}

private func sourceCalls(of loop: RLRunLoopRef?) -> UInt64 {
    var numbers = RLRunLoopStatistics()
    RLRunLoopGetStatistics(loop, &numbers)
    return numbers.source1Callouts
}
