import FetchKit
import FoundationEssentials
import Glibc
import RunLoopNetworking
import ServerKit
import Testing
import ThreadKit

/// The bytes of Python's `content(length)`.
func content(_ length: Int) -> Data {
    let block = (0..<4096).map { UInt8(truncatingIfNeeded: ($0 &* 31) >> 3) }
    var data = Data(capacity: length)
    for _ in 0..<(length / 4096) { data.append(contentsOf: block) }
    return data
}

private func sourceCalls(of thread: RLPermanentThread) -> UInt64 {
    var numbers = RLRunLoopStatistics()
    RLRunLoopGetStatistics(thread.runLoop, &numbers)
    return numbers.source1Callouts
}

@Suite("A request operation") struct OperationTests {
    @Test("ends at the announced length, and leaves its connection to the next one") func kept()
        throws
    {
        let server = try PythonServer()
        let fetch = Fetch(try server.request("kept"))
        #expect(fetch.operation.state == .ready)
        let response = try #require(fetch.run())
        #expect(response.statusCode == 200 && response.reason == "OK")
        #expect(response.minorVersion == 1)
        #expect(String(decoding: response.body, as: UTF8.self) == "hello")
        #expect(response.value(forField: "content-TYPE") == "text/plain")
        #expect(response.value(forField: "X-Twice") == "a, b")
        #expect(response.value(forField: "X-None") == nil)
        #expect(fetch.operation.state == .finished)
        let count = try #require(Fetch(try server.request("count")).run())
        #expect(String(decoding: count.body, as: UTF8.self) == "1")
    }

    @Test("puts chunks together, with the fields that follow them") func chunked() throws {
        let server = try PythonServer()
        let response = try #require(Fetch(try server.request("chunked?409600")).run())
        #expect(response.body == content(409_600))
        #expect(response.trailers == [RLHTTPField(name: "X-Trailer", value: "at the end")])
        #expect(response.value(forField: "X-Trailer") == nil)
    }

    @Test("reads until the server hangs up, if the head announces no length")
    func untilEnd() throws {
        let server = try PythonServer()
        let fetch = Fetch(try server.request("unlimited?40960"))
        let response = try #require(fetch.run())
        #expect(response.body == content(40960))
        #expect(fetch.progress.allSatisfy { $0.expectedLength == nil })
    }

    @Test("gets large bodies whole, and reports the progress") func large() throws {
        let server = try PythonServer()
        let length = 16_777_216
        let fetch = Fetch(try server.request("large?\(length)"))
        let response = try #require(fetch.run())
        #expect(response.body == content(length))
        let lengths = fetch.progress.map(\.receivedLength)
        #expect(lengths == lengths.sorted() && lengths.last == length)
        #expect(fetch.progress.allSatisfy { $0.expectedLength == length })
        #expect(fetch.calls.last == "completion")
        #expect(fetch.calls.filter { $0 == "completion" }.count == 1)
    }

    @Test("leaves interim responses out, and reads no body where HTTP has none") func interim()
        throws
    {
        let server = try PythonServer()
        let response = try #require(Fetch(try server.request("interim")).run())
        #expect(response.statusCode == 204 && response.body.isEmpty)
    }

    @Test("puts the lines of a field together") func folded() throws {
        let server = try PythonServer()
        let response = try #require(Fetch(try server.request("folded")).run())
        #expect(response.value(forField: "X-Long") == "one two")
        #expect(response.value(forField: "X-Short") == "x")
    }

    @Test("has a response whatever the status code is") func notFound() throws {
        let server = try PythonServer()
        let response = try #require(Fetch(try server.request("unknown")).run())
        #expect(response.statusCode == 404)
        #expect(String(decoding: response.body, as: UTF8.self) == "there is no such page")
    }

    @Test("sends its method, fields and body") func request() throws {
        let server = try PythonServer()
        var request = RLHTTPRequest(url: try server.url("echo?a=b%20c#part"))
        request.fields = [
            RLHTTPField(name: "X-Own", value: "1"),
            RLHTTPField(name: "accept", value: "text/plain"),
        ]
        let response = try #require(Fetch(request).run())
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "GET /echo?a=b%20c HTTP/1.1")
        #expect(lines.contains("Host: 127.0.0.1:\(server.port)"))
        #expect(lines.contains("X-Own: 1"))
        #expect(lines.filter { $0.lowercased().hasPrefix("accept:") } == ["accept: text/plain"])
    }

    @Test("finds hosts by their names") func names() throws {
        let server = try PythonServer()
        let url = try #require(URL(string: "http://localhost:\(server.port)/kept"))
        #expect(Fetch(RLHTTPRequest(url: url)).run()?.statusCode == 200)
    }

    @Test("runs on the network thread, whose loop does all the work") func thread() throws {
        let server = try PythonServer()
        let worker = RLPermanentThread(name: "worker")
        let before = sourceCalls(of: worker)
        #expect(Fetch(try server.request("large?4096000"), on: worker).run() != nil)
        #expect(sourceCalls(of: worker) > before)
        // The thread's loop is empty.
        let left = Guarded("")
        worker.execute(waitUntilDone: true) {
            let text = RLRunLoop.current.description
            left.withLock { $0 = text }
        }
        #expect(!left.withLock { $0 }.contains("Stream"))
    }

    @Test("does not reuse a connection that was reset, and opens a new one") func reset() throws {
        let server = try PythonServer()
        let worker = RLPermanentThread(name: "worker")
        #expect(Fetch(try server.request("reset"), on: worker).run() != nil)
        let before = sourceCalls(of: worker)
        server.resumePage()
        #expect(server.nextWord() == "gone reset")
        for _ in 0..<1000 { worker.execute(waitUntilDone: true) {} }
        #expect(sourceCalls(of: worker) - before < 100)
        let count = try #require(Fetch(try server.request("count"), on: worker).run())
        #expect(String(decoding: count.body, as: UTF8.self) == "2")
    }

    @Test("is retained by the thread while it runs, and then released") func lifetime() throws {
        let server = try PythonServer()
        let log = Log<String>()
        let isComplete = Gate()
        weak var operation: RLHTTPRequestOperation?
        do {
            let request = try server.request("kept")
            let made = RLHTTPRequestOperation(
                request,
                callbackQueue: .global(),
                completion: { [token = Token(log)] _ in
                    token.hold()
                    isComplete.open()
                }
            )
            operation = made
            made.start()
        }
        isComplete.wait()
        while operation != nil || log.entries.isEmpty {}
        #expect(log.entries == ["released"])
    }

    @Test("of a hundred at the same time does not mix with the others") func many() throws {
        let server = try PythonServer()
        let fetches = try (0..<100).map { number in
            Fetch(try server.request(number.isMultiple(of: 2) ? "chunked?81920" : "large?40960"))
        }
        for fetch in fetches { fetch.operation.start() }
        for (number, fetch) in fetches.enumerated() {
            let body = fetch.waitForCompletion()?.body
            #expect(body == content(number.isMultiple(of: 2) ? 81920 : 40960))
            #expect(fetch.results.count == 1)
        }
        let count = try #require(Fetch(try server.request("count")).run())
        #expect(Int(String(decoding: count.body, as: UTF8.self)).map { $0 <= 6 } == true)
    }
}

@Suite("A request operation that cannot succeed")
struct FailingOperationTests {
    @Test(
        "rejects requests that cannot be sent",
        arguments: [
            ("ftp://localhost/", RLHTTPError.unsupportedScheme("ftp")),
            ("relative", .unsupportedScheme("")),
            ("http:///path", .invalidRequest("the URL names no host")),
            ("http://localhost:0/", .invalidRequest("the port 0 is not from 1 to 65535")),
            (
                "http://user@localhost/",
                .invalidRequest("the URL names a user, for whom there are credentials")
            ),
        ]
    )
    func requests(text: String, error: RLHTTPError) throws {
        let fetch = Fetch(RLHTTPRequest(url: try #require(URL(string: text))))
        #expect(fetch.run() == nil)
        #expect(fetch.results == [.failure(error)])
        #expect(fetch.operation.state == .finished)
    }

    @Test(
        "rejects fields that would be parsed as other fields",
        arguments: [("X-A", "a\r\nX-B: b"), ("X A", "a"), ("", "a"), ("X-A:", "a"), ("X", "\0")]
    )
    func fields(name: String, value: String) throws {
        var request = RLHTTPRequest(url: try #require(URL(string: "http://localhost/")))
        request.fields = [RLHTTPField(name: name, value: value)]
        let fetch = Fetch(request)
        #expect(fetch.run() == nil)
        guard case .invalidRequest = fetch.error else {
            Issue.record("\(String(describing: fetch.error))")
            return
        }
    }

    @Test("reports a URL that libcurl rejects") func url() throws {
        let fetch = Fetch(RLHTTPRequest(url: try #require(URL(string: "http://a%3Cb/"))))
        #expect(fetch.run() == nil)
        guard case .invalidRequest = fetch.error else {
            Issue.record("\(String(describing: fetch.error))")
            return
        }
    }

    @Test("reports a refused connection") func refused() throws {
        let port = try #require(ReservedPort())
        let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/"))
        let fetch = Fetch(RLHTTPRequest(url: url))
        #expect(fetch.run() == nil)
        #expect(fetch.error == .connectionFailed(POSIXError(.ECONNREFUSED)))
        #expect(fetch.calls == ["completion"])
        withExtendedLifetime(port) {}
    }

    @Test("reports the server's violation", arguments: ["early", "garbage", "endless"])
    func servers(page: String) throws {
        let server = try PythonServer()
        let fetch = Fetch(try server.request(page))
        #expect(fetch.run() == nil)
        switch page {
        case "early": #expect(fetch.error == .closedEarly)
        case "garbage":
            #expect(
                fetch.error == .malformedResponse("Received HTTP/0.9 when not allowed")
            )
        default: #expect(fetch.error == .limitExceeded("head"))
        }
        #expect(fetch.operation.state == .finished)
        #expect(server.nextWord() == "gone \(page)")
    }

    @Test("accepts no more than its limits", arguments: ["large", "chunked", "unlimited"])
    func limits(page: String) throws {
        let server = try PythonServer()
        var request = try server.request("\(page)?409600")
        request.limits.bodyLength = 409_599
        let fetch = Fetch(request)
        #expect(fetch.run() == nil)
        #expect(fetch.error == .limitExceeded("body"))
        request.limits.bodyLength = 409_600
        #expect(Fetch(request).run() != nil)
    }

    @Test("does not wait for ever") func timeout() throws {
        let server = try PythonServer()
        var request = try server.request("silent")
        request.timeoutIntervalForRequest = .milliseconds(20)
        let fetch = Fetch(request)
        #expect(fetch.run() == nil)
        #expect(fetch.error == .timedOut)
    }

    @Test("does not begin while it is paused") func pausedBefore() throws {
        let server = try PythonServer()
        let worker = RLPermanentThread(name: "worker")
        let fetch = Fetch(try server.request("kept"), on: worker)
        fetch.operation.pause()
        fetch.operation.start()
        // The paused request made no connection.
        let count = try #require(Fetch(try server.request("count"), on: worker).run())
        #expect(String(decoding: count.body, as: UTF8.self) == "1")
        #expect(fetch.operation.isPaused && fetch.results.isEmpty)
        fetch.operation.resume()
        #expect(fetch.waitForCompletion()?.body.count == 5 && !fetch.operation.isPaused)
    }

    @Test("reads nothing while it is paused, and may be cancelled", arguments: [false, true])
    func paused(isCancelled: Bool) throws {
        let server = try PythonServer()
        let fetch = Fetch(try server.request("pieces"))
        fetch.operation.start()
        server.resumePage()
        #expect(server.nextWord() == "piece 0")
        fetch.waitForProgress()
        fetch.operation.pause()
        for number in 1...2 {
            server.resumePage()
            #expect(server.nextWord() == "piece \(number)")
        }
        // The network thread runs, and could continue the request.
        for _ in 0..<10 { #expect(Fetch(try server.request("kept")).run() != nil) }
        #expect(fetch.progress.map(\.receivedLength) == [1000] && fetch.results.isEmpty)
        if isCancelled { fetch.operation.cancel() } else { fetch.operation.resume() }
        #expect(fetch.waitForCompletion()?.body.count == (isCancelled ? nil : 3000))
    }

    @Test("does not count a pause as idle time") func pausedForLong() throws {
        let server = try PythonServer()
        var request = try server.request("pieces")
        request.timeoutIntervalForRequest = .seconds(5)
        let fetch = Fetch(request)
        fetch.operation.start()
        server.resumePage()
        fetch.waitForProgress()
        fetch.operation.pause()
        // Time is the subject: the limit passes in silence.
        usleep(5_100_000)
        fetch.operation.resume()
        for _ in 1...2 { server.resumePage() }
        #expect(fetch.waitForCompletion()?.body.count == 3000)
    }

    @Test("needs a mode") func noMode() async {
        await #expect(processExitsWith: .failure) {
            guard let url = URL(string: "http://localhost/") else { return }
            _ = RLHTTPRequestOperation(RLHTTPRequest(url: url), runLoopModes: []) { _ in }
        }
    }

    @Test("is not started twice") func twice() async {
        await #expect(processExitsWith: .failure) {
            guard let url = URL(string: "http://localhost/") else { return }
            let operation = RLHTTPRequestOperation(RLHTTPRequest(url: url)) { _ in }
            operation.start()
            operation.start()
        }
    }
}
