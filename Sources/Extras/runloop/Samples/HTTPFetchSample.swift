import FoundationEssentials
import RunLoopNetworking

/// AFNetworking's thread: one thread does the networking, the main thread gets the results.
struct HTTPFetchSample: Sample {
    let name = "http-fetch"
    let summary = "a network request thread fetches by HTTP, and cancels half-way"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let server = try unwrap(startWebServer(), "There is no server.")
        defer { server.stop() }
        trace.remark("the server is \(server.name)")
        let network = RLPermanentThread.networkRequestThread.runLoop
        let before = (main: sourceCalls(of: RLRunLoopGetMain()), network: sourceCalls(of: network))

        for page in ["text", "chunks", "half"] {
            let url = try unwrap(URL(string: "http://127.0.0.1:\(server.port)/\(page)"), page)
            fetch(page, url, trace)
        }
        trace.event("the server has seen it: \(server.waitForHangUp())")

        let calls = sourceCalls(of: network) - before.network
        trace.remark("the loop of the network thread has served sockets \(calls) times")
        trace.check(calls > 0, "the network thread does the networking")
        trace.check(
            sourceCalls(of: RLRunLoopGetMain()) == before.main,
            "the main thread does none of it"
        )
        trace.expect([
            "main thread: asks for text", "network thread: has begun",
            "main thread: got '\(WebPages.text)', finished",
            "main thread: asks for chunks", "network thread: has begun",
            "main thread: got '\(WebPages.chunks.joined())', finished",
            "main thread: asks for half", "network thread: has begun",
            "main thread: half of it is here, that will do",
            "main thread: the request was cancelled, cancelled",
            "the server has seen it: true",
        ])
    }

    /// Fetches a page, while the main loop runs; one that stops half-way is cancelled.
    private func fetch(_ page: String, _ url: URL, _ trace: Trace) {
        let operation = Locked<RLHTTPRequestOperation?>(nil)
        let fetched = RLHTTPRequestOperation(
            RLHTTPRequest(url: url),
            progress: { progress in
                guard progress.expectedLength == WebPages.halfLength * 2 else { return }
                // Half of it may come in pieces.
                guard progress.receivedLength == WebPages.halfLength else { return }
                trace.event("\(threadName()): half of it is here, that will do")
                operation.withLock { $0?.cancel() }
            },
            completion: { result in
                let state = operation.withLock { $0?.state }.map { "\($0)" } ?? ""
                trace.event("\(threadName()): \(describe(result)), \(state)")
                RLRunLoopStop(RLRunLoopGetMain())
            }
        )
        operation.withLock { $0 = fetched }
        trace.event("\(threadName()): asks for \(page)")
        fetched.start()
        // A task that comes after the start finds that the operation has begun.
        RLPermanentThread.networkRequestThread.execute(waitUntilDone: true) {
            trace.event("\(threadName()): has \(fetched.state == .ready ? "not " : "")begun")
        }
        let result = RLRunLoopRunInMode(.defaultMode, 20, false)
        trace.check(result == .stopped, "the fetch has ended")
        operation.withLock { $0 = nil }
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

/// The number of calls of those sources of a loop that watch descriptors.
private func sourceCalls(of loop: RLRunLoopRef?) -> UInt64 {
    var numbers = RLRunLoopStatistics()
    RLRunLoopGetStatistics(loop, &numbers)
    return numbers.source1Callouts
}
