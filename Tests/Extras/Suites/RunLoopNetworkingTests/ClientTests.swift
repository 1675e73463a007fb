import Dispatch
import FoundationEssentials
import Glibc
import RunLoopNetworking
import Testing
import ThreadKit

private let text = Data("some bytes".utf8)

private func string(_ data: Data) -> String {
    String(decoding: data, as: UTF8.self)
}

/// Calls a blocking function on its own thread: tasks have few threads.
private func waiting<Value: Sendable>(_ wait: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { waiter in
        RLThread.detachNewThread { waiter.resume(returning: wait()) }
    }
}

/// Whether libcurl is 7.80 or later, and reports connections.
var hasConnectionCallback: Bool {
    guard let library = dlopen("libcurl.so.4", RTLD_NOW),
        let function = dlsym(library, "curl_version")
    else { return false }
    let version = unsafeBitCast(
        function,
        to: (@convention(c) () -> UnsafePointer<CChar>).self
    )
    // The text has the form `libcurl/7.88.1 …`.
    let numbers = String(cString: version()).split { "/. ".contains($0) }
    let major = Int(numbers[1]) ?? 0
    return major > 7 || (Int(numbers[2]) ?? 0) >= 80
}

/// Whether a directory contains an unfinished download.
func hasPart(_ path: String) throws -> Bool {
    let url = URL(filePath: path)
    let folder = url.deletingLastPathComponent().path
    return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
        $0.hasPrefix("\(url.lastPathComponent).")
    }
}

/// The next line of a page.
private func nextWord(of server: PythonServer) async -> String {
    await waiting { server.nextWord() }
}

@Suite("A client", .serialized) struct ClientTests {
    private let client = RLHTTPClient()

    /// Calls a function with an unused path, and deletes the file afterwards.
    private func withFile(_ body: (String) async throws -> Void) async throws {
        let path = "/tmp/RunLoopNetworking.\(getpid()).\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        try await body(path)
    }

    @Test("gets a response whole") func whole() async throws {
        let server = try PythonServer()
        let seen = Log<RLHTTPProgress>()
        let response = try await client.response(for: server.request("large?409600")) {
            seen.add($0)
        }
        #expect(response.body.count == 409_600)
        #expect(seen.entries.last?.receivedLength == 409_600)
    }

    @Test("sends bodies of each kind, and reports the progress", arguments: ["POST", "PUT"])
    func bodies(method: String) async throws {
        let server = try PythonServer()
        try await withFile { path in
            let file = try #require(fopen(path, "w"))
            fputs(string(text), file)
            fclose(file)
            let bodies: [RLHTTPBody] = [
                .data(text), .file(path), .stream(RLHTTPBodyStream { RLInputStream(data: text) }),
                .stream(RLHTTPBodyStream(length: text.count) { RLInputStream(data: text) }),
            ]
            for body in bodies {
                var request = try server.request("post")
                request.method = method
                request.fields = [RLHTTPField(name: "Content-Type", value: "text/own")]
                request.body = body
                let seen = Log<RLHTTPProgress>()
                let response = try await client.response(for: request) { seen.add($0) }
                #expect(string(response.body) == "\(method) text/own some bytes")
                #expect(seen.entries.last?.sentLength == text.count)
            }
        }
    }

    @Test(
        "sends as many bytes as it has announced, or fails",
        .timeLimit(.minutes(15)),
        arguments: ["POST", "PUT"]
    )
    func announcedLength(method: String) async throws {
        let server = try PythonServer()
        var request = try server.request("post")
        request.method = method
        request.body = .stream(RLHTTPBodyStream(length: 4) { RLInputStream(data: text) })
        let longer = try await client.response(for: request)
        #expect(string(longer.body) == "\(method) None some")
        // The excess bytes did not become another request on the connection.
        #expect(string(try await client.response(for: server.request("count")).body) == "1")
        request.body = .stream(RLHTTPBodyStream(length: 20) { RLInputStream(data: text) })
        await #expect(throws: RLHTTPError.bodyFailed(POSIXError(.EIO))) {
            try await client.response(for: request)
        }
        request.body = .stream(RLHTTPBodyStream(length: -1) { RLInputStream(data: text) })
        let isNegative = RLHTTPError.invalidRequest("the length of the body is negative")
        await #expect(throws: isNegative) { try await client.response(for: request) }
    }

    @Test("announces the actual length, whatever the fields are") func lengthFields() async throws {
        let server = try PythonServer()
        var request = try server.request("moved?302")
        request.method = "POST"
        request.body = .data(text)
        request.fields = [
            RLHTTPField(name: "content-length", value: "10"),
            RLHTTPField(name: "Transfer-Encoding", value: "chunked"),
        ]
        let response = try await client.response(for: request)
        let echo = string(response.body)
        #expect(echo.hasPrefix("GET /echo "))
        #expect(!echo.contains("ontent-") && !echo.contains("Transfer-"))
    }

    @Test("sends Expect with large bodies only, and does not take a rejection for the response")
    func expectation() async throws {
        let server = try PythonServer()
        var request = try server.request("echo")
        request.body = .data(text)
        for method in ["POST", "PUT"] {
            request.method = method
            #expect(!string(try await client.response(for: request).body).contains("Expect"))
        }
        // Without `Expect` the status is an ordinary response.
        request.url = try server.url("status?417")
        #expect(try await client.response(for: request).statusCode == 417)
        request.fields = [RLHTTPField(name: "Expect", value: "100-continue")]
        #expect(try await client.response(for: request).statusCode == 417)
        request.fields = []
        // Libcurl sends `Expect` from 1 MiB on, and waits for a second.
        request.body = .data(content(2 << 20))
        request.url = try server.url("post?late")
        await #expect(throws: RLHTTPError.bodyFailed(POSIXError(.ESPIPE))) {
            try await client.response(for: request)
        }
        request.url = try server.url("post?refused")
        while true {
            do {
                let (head, body) = try await client.parts(of: request)
                var length = 0
                for try await part in body { length += part.count }
                // Old versions do not repeat the body.
                if head.statusCode == 417, !hasConnectionCallback { return }
                #expect(head.statusCode == 200)
                return #expect(length == "PUT None ".count + (2 << 20))
            } catch RLHTTPError.bodyFailed {
                // The server answered after the second.
            }
        }
    }

    @Test(
        "does not repeat requests that are not idempotent",
        arguments: [("GET", 2), ("PUT", 2), ("POST", 1), ("PATCH", 1), ("LINK", 1)]
    )
    func retries(method: String, executions: Int) async throws {
        let server = try PythonServer()
        let kept = try await client.response(for: server.request("kept"))
        #expect(kept.statusCode == 200)
        var request = try server.request("unanswered")
        request.method = method
        if method != "GET" { request.body = .data(text) }
        await #expect(throws: RLHTTPError.closedEarly) { try await client.response(for: request) }
        let count = try await client.response(for: server.request("executions"))
        #expect(String(decoding: count.body, as: UTF8.self) == "\(executions)")
    }

    @Test("has a reason if a host beyond ASCII is invalid") func unnamed() async throws {
        // A character that is invalid in host names.
        let request = RLHTTPRequest(url: try #require(URL(string: "http://%E2%98%83.invalid/")))
        let error = await #expect(throws: RLHTTPError.self) {
            try await client.response(for: request)
        }
        // Without an IDN library, libcurl tries to resolve the name.
        #expect(error.map { $0 == .hostNotFound || "\($0)".contains("URL") } == true)
    }

    @Test("rejects a body of a HEAD request") func headWithBody() async throws {
        let request = RLHTTPRequest(
            method: "HEAD",
            url: try #require(URL(string: "http://localhost/")),
            body: .data(text)
        )
        await #expect(throws: RLHTTPError.invalidRequest("HEAD has no body")) {
            try await client.response(for: request)
        }
    }

    @Test("reads a stream as the connection accepts data, and waits for the stream")
    func slowStream()
        async throws
    {
        let server = try PythonServer()
        let writer = Guarded<RLOutputStream?>(nil)
        let isOpen = Gate()
        var request = try server.request("post")
        request.method = "POST"
        request.body = .stream(
            RLHTTPBodyStream {
                var input: RLInputStream?
                var output: RLOutputStream?
                RLStream.getBoundStreams(
                    withBufferSize: 16,
                    inputStream: &input,
                    outputStream: &output
                )
                nonisolated(unsafe) let made = output
                writer.withLock { $0 = made }
                isOpen.open()
                return input
            }
        )
        let sending = Task { [request] in try await client.response(for: request) }
        // On its own thread, as it waits.
        RLThread.detachNewThread {
            isOpen.wait()
            writer.withLock { output in
                output?.open()
                for byte in text { _ = output?.write([byte], maxLength: 1) }
                output?.close()
                output = nil
            }
        }
        #expect(string(try await sending.value.body) == "POST None some bytes")
    }

    @Test("follows redirects, up to a limit, and begins its body again") func redirects()
        async throws
    {
        let server = try PythonServer()
        var request = try server.request("again?post")
        request.method = "POST"
        request.body = .data(text)
        #expect(string(try await client.response(for: request).body) == "POST None some bytes")
        request.redirectLimit = 0
        #expect(try await client.response(for: request).statusCode == 307)
        await #expect(throws: RLHTTPError.self) {
            var request = try server.request("again?again")
            request.redirectLimit = 1
            request.url = try server.url("again?again?post")
            _ = try await client.response(for: request)
        }
    }

    @Test(
        "follows a redirect with GET where HTTP requires it, and else repeats the request",
        .timeLimit(.minutes(15)),
        arguments: [
            ("DELETE", 303, "GET"), ("PUT", 303, "GET"), ("POST", 303, "GET"),
            ("HEAD", 303, "HEAD"), ("POST", 301, "GET"), ("POST", 302, "GET"),
            ("PUT", 302, "PUT"), ("DELETE", 301, "DELETE"), ("POST", 307, "POST"),
        ]
    )
    func methodsOfRedirects(method: String, code: Int, next: String) async throws {
        let server = try PythonServer()
        var request = try server.request("moved?\(code)")
        request.method = method
        if method == "PUT" || method == "POST" {
            request.body = .stream(RLHTTPBodyStream { RLInputStream(data: text) })
        }
        let response = try await client.response(for: request)
        if next == "HEAD" { return #expect(response.statusCode == 200 && response.body.isEmpty) }
        let echo = string(response.body)
        #expect(echo.hasPrefix("\(next) /echo "))
        let hasBody = request.body != nil && next == method
        #expect(echo.contains("Transfer-Encoding: chunked") == hasBody)
    }

    @Test(
        "sends credentials where they belong, and not to another host",
        arguments: [
            RLHTTPCredentials.basic(user: "user", password: "password"), .bearer("token"),
        ]
    )
    func credentials(_ credentials: RLHTTPCredentials) async throws {
        let server = try PythonServer()
        var request = try server.request("echo")
        request.credentials = credentials
        let direct = string(try await client.response(for: request).body)
        #expect(direct.contains("Authorization: "))
        request.url = try server.url("elsewhere")
        let elsewhere = string(try await client.response(for: request).body)
        #expect(elsewhere.contains("Host: localhost"))
        #expect(!elsewhere.contains("Authorization"))
        request.credentials = nil
        request.fields = [RLHTTPField(name: "Authorization", value: "own")]
        #expect(!string(try await client.response(for: request).body).contains("Authorization"))
    }

    @Test("authenticates with a digest of a password") func digest() async throws {
        let server = try PythonServer()
        var request = try server.request("digest")
        request.credentials = .digest(user: "user", password: "password")
        #expect(try await client.response(for: request).statusCode == 200)
        request.method = "POST"
        request.body = .data(text)
        #expect(try await client.response(for: request).statusCode == 200)
        request.credentials = .digest(user: "user", password: "wrong")
        #expect(try await client.response(for: request).statusCode == 401)
    }

    @Test("limits the head of each response, not those of all redirects together")
    func headsOfRedirects() async throws {
        let server = try PythonServer()
        var request = try server.request("down?100")
        request.redirectLimit = 100
        request.limits.headLength = 1024
        #expect(try await client.response(for: request).statusCode == 200)
        request = try server.request("line?1024")
        request.limits.headLength = 1024
        await #expect(throws: RLHTTPError.limitExceeded("head")) {
            try await client.response(for: request)
        }
    }

    // In its own process, which has another environment.
    @Test("names the proxy that is not found, refuses a connection, or closes it") func proxies()
        async
    {
        await #expect(processExitsWith: .success) {
            let server = try PythonServer()
            let own = "http://127.0.0.1:\(server.port)"
            let cases = [
                (own, 407, "it answered with status 407"),
                (own, 502, "it answered with status 502"),
                (own, 1, "it closed the connection"),
                ("http://proxy.invalid:1", 1, "its host was not found"),
                ("bad://127.0.0.1:1", 1, "its URL is invalid"),
                ("http://127.0.0.1:no", 1, "its URL is invalid"),
            ]
            for (proxy, port, reason) in cases {
                setenv("https_proxy", proxy, 1)
                let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
                await #expect(throws: RLHTTPError.proxyFailed(reason)) {
                    try await RLHTTPClient().response(for: RLHTTPRequest(url: url))
                }
            }
            setenv("http_proxy", own, 1)
            let response = try await RLHTTPClient().response(for: server.request("kept"))
            // A page whose name is a whole URL.
            #expect(response.statusCode == 404)
        }
    }

    @Test("has no more connections to a host than it may") func bound() async throws {
        let server = try PythonServer()
        var configuration = RLHTTPClientConfiguration()
        configuration.connectionsPerHost = 2
        let client = RLHTTPClient(configuration: configuration)
        let request = try server.request("large?40960")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await client.response(for: request).body.count }
            }
            for try await count in group { #expect(count == 40960) }
        }
        let count = try await client.response(for: server.request("count"))
        #expect(["1", "2"].contains(string(count.body)))
    }

    @Test("begins requests in the order of their calls, and a resumed request after them")
    func order() throws {
        let server = try PythonServer()
        let worker = RLPermanentThread(name: "worker")
        var configuration = RLHTTPClientConfiguration()
        configuration.requestsAtATime = 1
        let client = RLHTTPClient(configuration: configuration, on: worker)
        let order = Log<Int>()
        let areOver = (0..<4).map { _ in Gate() }
        let operations = try (0..<4).map { number in
            RLHTTPRequestOperation(
                try server.request(number == 0 ? "silent" : "kept"),
                client: client,
                callbackQueue: DispatchQueue(label: "order"),
                completion: { _ in
                    order.add(number)
                    areOver[number].open()
                }
            )
        }
        operations[2].pause()
        for operation in operations { operation.start() }
        #expect(server.nextWord() == "asked")
        operations[0].cancel()
        areOver[3].wait()
        operations[2].resume()
        areOver[2].wait()
        #expect(order.entries == [0, 1, 3, 2])
    }

    @Test("delivers a body in parts, and lets the server wait while they are unread") func parts()
        async throws
    {
        let server = try PythonServer()
        // More than the buffers of two sockets, which grow while they are read.
        let length = 67_108_864
        let (head, body) = try await client.parts(of: server.request("much?\(length)"))
        #expect(head.statusCode == 200 && head.body.isEmpty)
        #expect(await nextWord(of: server) == "full")
        var received = Data(capacity: length)
        for try await part in body { received.append(part) }
        #expect(received == content(length))
    }

    @Test("decompresses parts as they are read") func compressedParts() async throws {
        let server = try PythonServer()
        let (_, body) = try await client.parts(of: server.request("zeros?100"))
        var length = 0
        for try await part in body { length += part.count }
        #expect(length == 100 << 20)
    }

    // In its own process, whose memory is counted.
    @Test("buffers little of an unread body, also if it is decompressed") func bomb() async {
        await #expect(processExitsWith: .success) {
            let server = try PythonServer()
            let client = RLHTTPClient()
            _ = try await client.response(for: server.request("zeros?1"))
            let before = bytesInUse()
            let (_, body) = try await client.parts(of: server.request("zeros?200"))
            var most = 0
            for try await _ in body { most = max(most, bytesInUse() - before) }
            #expect(most < 16 << 20)
        }
    }

    @Test("applies the idle time-out again when parts are read", .timeLimit(.minutes(15)))
    func silenceAfterPause() async throws {
        let server = try PythonServer()
        var request = try server.request("lacking?1048576")
        request.timeoutIntervalForRequest = .milliseconds(100)
        func takeLate(_ request: RLHTTPRequest) async throws {
            let (_, body) = try await client.parts(of: request)
            // Time is the subject: the limit passes during the pause.
            try await Task.sleep(for: .milliseconds(300))
            for try await _ in body {}
        }
        await #expect(throws: RLHTTPError.timedOut) { try await takeLate(request) }
    }

    @Test(
        "does not count the wait in the queue or for a connection as idle time",
        .timeLimit(.minutes(15)),
        arguments: hasConnectionCallback ? [(1, 6), (256, 1)] : [(1, 6)]
    )
    func silenceBeforeTurn(requestsAtATime: Int, connectionsPerHost: Int) async throws {
        let server = try PythonServer()
        var configuration = RLHTTPClientConfiguration()
        configuration.requestsAtATime = requestsAtATime
        configuration.connectionsPerHost = connectionsPerHost
        let client = RLHTTPClient(configuration: configuration)
        let first = Task { try await client.response(for: server.request("silent")) }
        #expect(await nextWord(of: server) == "asked")
        var request = try server.request("silent")
        request.timeoutIntervalForRequest = .milliseconds(100)
        let second = Task { [request] in try await client.response(for: request) }
        // Time is the subject: the limit passes during the wait.
        try await Task.sleep(for: .milliseconds(300))
        first.cancel()
        await #expect(throws: RLHTTPError.timedOut) { try await second.value }
        let words = [await nextWord(of: server), await nextWord(of: server)]
        #expect(words.sorted() == ["asked", "gone silent"])
    }

    @Test("applies the idle time-out to a connection that was kept", .timeLimit(.minutes(15)))
    func silenceOfKept() async throws {
        let server = try PythonServer()
        _ = try await client.response(for: server.request("kept"))
        var request = try server.request("silent")
        request.timeoutIntervalForRequest = .milliseconds(100)
        await #expect(throws: RLHTTPError.timedOut) { try await client.response(for: request) }
        #expect(await nextWord(of: server) == "asked")
        #expect(await nextWord(of: server) == "gone silent")
        let count = try await client.response(for: server.request("count"))
        #expect(string(count.body) == "2")
    }

    @Test("cancels a request whose parts were released") func forgotten() async throws {
        let server = try PythonServer()
        do {
            let (head, _) = try await client.parts(of: server.request("half"))
            #expect(head.statusCode == 200)
        }
        #expect(await nextWord(of: server) == "gone half")
    }

    @Test("fails parts as the request fails") func failingParts() async throws {
        let server = try PythonServer()
        let (_, body) = try await client.parts(of: server.request("early"))
        await #expect(throws: RLHTTPError.closedEarly) { for try await _ in body {} }
        await #expect(throws: RLHTTPError.malformedResponse("Received HTTP/0.9 when not allowed")) {
            _ = try await client.parts(of: server.request("garbage"))
        }
    }

    @Test("describes an error of the system in words") func words() {
        let error = RLHTTPError.connectionFailed(POSIXError(.ECONNREFUSED))
        #expect("\(error)" == "the connection failed: Connection refused (ECONNREFUSED)")
    }

    @Test("writes a body into a file, or leaves none") func files() async throws {
        let server = try PythonServer()
        try await withFile { path in
            let request = try server.request("large?409600")
            let response = try await client.download(request, toFile: path)
            #expect(response.statusCode == 200 && response.body.isEmpty)
            var information = stat()
            #expect(stat(path, &information) == 0 && information.st_size == 409_600)
            unlink(path)
            let longest = "/tmp/\(getpid())." + String(repeating: "ä", count: 120)
            _ = try await client.download(request, toFile: longest)
            #expect(unlink(longest) == 0)
            await #expect(throws: RLHTTPError.closedEarly) {
                _ = try await client.download(server.request("early"), toFile: path)
            }
            #expect(access(path, F_OK) != 0)
            #expect(try !hasPart(path))
            await #expect(throws: RLHTTPError.fileFailed(POSIXError(.ENOENT))) {
                _ = try await client.download(request, toFile: "/nowhere/file")
            }
        }
    }

    @Test("keeps the mode of a file, and rejects a path of another kind before it sends")
    func modes()
        async throws
    {
        let server = try PythonServer()
        try await withFile { path in
            close(open(path, O_CREAT | O_WRONLY, 0o600))
            _ = try await client.download(server.request("kept"), toFile: path)
            var information = stat()
            #expect(stat(path, &information) == 0 && information.st_mode == S_IFREG | 0o600)
            #expect(information.st_size == 5)
            unlink(path)
            #expect(mkfifo(path, 0o600) == 0)
            let refusal = RLHTTPError.invalidRequest(
                "the download's path is not that of a regular file"
            )
            // Through a link: a failed download must not replace the device.
            let device = path + ".device"
            #expect(symlink("/dev/null", device) == 0)
            defer { unlink(device) }
            for path in [path, device, "/tmp"] {
                await #expect(throws: refusal) {
                    try await client.download(server.request("kept"), toFile: path)
                }
            }
            #expect(lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO)
        }
        #expect(string(try await client.response(for: server.request("count")).body) == "1")
    }

    @Test("has no password in the description of a request") func descriptions() throws {
        var request = RLHTTPRequest(
            url: try #require(URL(string: "http://me:secret@localhost/page")),
            fields: ["Authorization", "cookie", "X-Own"].map {
                RLHTTPField(name: $0, value: $0 == "X-Own" ? "shown" : "secret")
            }
        )
        request.body = .data(Data("secret".utf8))
        let all: [RLHTTPCredentials] = [
            .basic(user: "me", password: "secret"), .digest(user: "me", password: "secret"),
            .bearer("secret"),
        ]
        for credentials in all {
            request.credentials = credentials
            let operation = RLHTTPRequestOperation(request, callbackQueue: .main) { _ in }
            for value in [request, credentials, request.fields, operation] as [Any] {
                var text = "\(value) \(String(reflecting: value)) \([value])"
                dump(value, to: &text)
                #expect(!text.contains("secret"))
            }
            #expect("\(request)" == "GET http://localhost/page")
            #expect("\(request.fields)".contains("shown"))
        }
    }

    @Test("takes as long for each request, however many wait") func crowd() {
        func time(for count: Int) -> Double? {
            onFreshThread {
                var configuration = RLHTTPClientConfiguration()
                configuration.requestsAtATime = 1
                let client = RLHTTPLoopClient(configuration: configuration)
                guard let url = URL(string: "http://localhost/") else { return .nan }
                var begin = timespec(), end = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
                let tasks = (0..<count).map { _ in client.send(RLHTTPRequest(url: url)) { _ in } }
                for task in tasks.reversed() { task.cancel() }
                RLRunLoopRunInMode(.defaultMode, 0, false)
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
                return Double(end.tv_sec - begin.tv_sec) + Double(end.tv_nsec - begin.tv_nsec) / 1e9
            }
        }
        guard let few = time(for: 1000), let many = time(for: 16000) else { return }
        #expect(many / few < 40, "\(few) s, \(many) s")
    }

    @Test("writes two bodies into one file one after the other") func sameFile() async throws {
        let server = try PythonServer()
        let hasBegun = Gate()
        try await withFile { path in
            let slow = Task {
                try await client.download(server.request("pieces"), toFile: path) { _ in
                    hasBegun.open()
                }
            }
            server.resumePage()
            await waiting { hasBegun.wait() }
            _ = try await client.download(server.request("large?409600"), toFile: path)
            #expect(try Data(contentsOf: URL(filePath: path)) == content(409_600))
            for _ in 0..<2 { server.resumePage() }
            #expect(try await slow.value.statusCode == 200)
            #expect(try Data(contentsOf: URL(filePath: path)).count == 3000)
            #expect(try !hasPart(path))
        }
    }

    @Test("keeps no connection if it may keep none") func noIdleConnection() async throws {
        let server = try PythonServer()
        var configuration = RLHTTPClientConfiguration()
        configuration.idleConnections = 0
        let client = RLHTTPClient(configuration: configuration)
        for number in 1...3 {
            let count = try await client.response(for: server.request("count"))
            #expect(string(count.body) == "\(number)")
        }
    }

    @Test("is cancelled with its task") func cancelled() async throws {
        let server = try PythonServer()
        let task = Task { try await client.response(for: server.request("silent")) }
        #expect(await nextWord(of: server) == "asked")
        task.cancel()
        await #expect(throws: RLHTTPError.cancelled) { try await task.value }
        #expect(await nextWord(of: server) == "gone silent")
    }

    @Test("closes its connections when it is released") func released() async throws {
        let server = try PythonServer()
        do {
            let client = RLHTTPClient()
            _ = try await client.response(for: server.request("kept"))
        }
        #expect(await nextWord(of: server) == "gone kept")
    }

    @Test(
        "sends nothing that would be parsed as another request",
        arguments: [
            "GET / HTTP/1.1\r\nX: ", "GET\n", "G T", "", "GET\0", "GÄT",
        ]
    )
    func methods(_ method: String) async throws {
        let server = try PythonServer()
        var request = try server.request("kept")
        request.method = method
        await #expect(throws: RLHTTPError.invalidRequest("'\(method)' is no method")) {
            _ = try await client.response(for: request)
        }
    }
}
