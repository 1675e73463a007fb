import FetchKit
import Glibc
import RunLoopNetworking
import Testing
import ThreadKit

private let head = "HTTP/1.1 200 OK\r\n"
private let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
private let long = String(repeating: "x", count: 4096)

/// A behavior of a hostile server, and the expected result of the request.
private struct Hostility: Sendable, CustomStringConvertible {
    let description: String
    let error: RLHTTPError?
    let serve: @Sendable (HostileServer.Connection) -> Void

    init(
        _ description: String,
        _ error: RLHTTPError?,
        _ serve: @escaping @Sendable (HostileServer.Connection) -> Void
    ) {
        self.description = description
        self.error = error
        self.serve = serve
    }

    /// A server that sends a text endlessly.
    init(
        _ description: String,
        _ error: RLHTTPError?,
        first: String = "",
        forEver text: String
    ) {
        self.init(description, error) {
            $0.send(first)
            $0.sendForever(text)
        }
    }

    /// The client limits the transfer, not the server.
    func request(
        to server: HostileServer,
        limit: Duration = .milliseconds(200)
    ) throws -> RLHTTPRequest {
        var request = try server.request()
        request.limits.bodyLength = 4096
        // The time-out is the subject.
        if error == .timedOut { request.timeoutIntervalForRequest = limit }
        return request
    }

    /// Whether an error is the expected one; the text of malformed responses may vary.
    func explains(_ error: RLHTTPError?) -> Bool {
        if case .malformedResponse = error, case .malformedResponse = self.error { return true }
        return error == self.error
    }

    static let all: [Hostility] = [
        Hostility(
            "fields for ever",
            .limitExceeded("head"),
            first: head,
            forEver: "A: \(long)\r\n"
        ),
        Hostility(
            "short fields for ever",
            .limitExceeded("number of fields"),
            first: head,
            forEver: "A:\r\n"
        ),
        Hostility(
            "interim responses for ever",
            .limitExceeded("head"),
            forEver: "HTTP/1.1 100 Wait\r\n\r\n"
        ),
        Hostility("a body for ever", .limitExceeded("body"), first: head + "\r\n", forEver: long),
        Hostility(
            "chunks of one byte for ever",
            .limitExceeded("body"),
            first: chunked,
            forEver: "1\r\nx\r\n"
        ),
        Hostility(
            "extensions of chunks for ever",
            .limitExceeded("body"),
            first: chunked,
            forEver: "1;\(long)\r\nx\r\n"
        ),
        Hostility(
            "an extension without an end",
            .timedOut,
            first: chunked + "1;",
            forEver: long
        ),
        Hostility(
            "a size of zeros without an end",
            .malformedResponse(""),
            first: chunked,
            forEver: String(repeating: "0", count: 4096)
        ),
        Hostility(
            "trailers for ever",
            .limitExceeded("trailers"),
            first: chunked + "0\r\n",
            forEver: "A: \(long.prefix(1000))\r\n"
        ),
        Hostility("a chunk that is longer than its size", .malformedResponse("")) {
            $0.send(chunked + "1\r\nxx")
            $0.waitForEnd()
        },
        Hostility("noise", .malformedResponse(""), forEver: "\u{0}\u{1}\u{2}"),
        Hostility("an end at once", .closedEarly) { $0.readRequest() },
        Hostility("an end in the midst", .closedEarly) {
            $0.readRequest()
            $0.send(head + "Content-Length: 100\r\n\r\nbody")
        },
        Hostility("a response before the request, byte by byte", nil) { connection in
            let text = head + "Content-Length: 4\r\n\r\nbody"
            for byte in text.unicodeScalars where !connection.send(String(byte)) { return }
            connection.waitForEnd()
        },
        Hostility(
            "more than was announced",
            nil,
            first: head + "Content-Length: 4\r\n\r\nbody",
            forEver: long
        ),
    ]
}

@Suite("A hostile server") struct HostileServerTests {
    @Test("is stopped by a limit of the client", arguments: Hostility.all)
    fileprivate func limits(_ hostility: Hostility) throws {
        let hasCome = Flag()
        let hasGone = Gate()
        let server = try HostileServer { connection in
            hasCome.set()
            hostility.serve(connection)
            hasGone.open()
        }
        let worker = RLPermanentThread(name: "worker")
        // On a busy machine the limit may pass before the connection: then repeat with a longer
        // one.
        var limit = Duration.milliseconds(200)
        repeat {
            let fetch = Fetch(try hostility.request(to: server, limit: limit), on: worker)
            let response = fetch.run()
            #expect(hostility.explains(fetch.error), "\(String(describing: fetch.error))")
            #expect((response != nil) == (hostility.error == nil))
            limit *= 4
        } while hostility.error == .timedOut && !hasCome.isSet
        // The client has disconnected, or does so now.
        if hostility.error == nil { worker.stop() }
        hasGone.wait()
    }

    @Test("that sends a byte now and then is left when the time limit of the request is over")
    func drip() throws {
        let hasCome = Flag()
        let hasGone = Gate()
        let server = try HostileServer { connection in
            hasCome.set()
            connection.send(head + "\r\n")
            // The duration is the subject; each byte restarts the time-out for silence.
            while connection.send("x") { usleep(1000) }
            hasGone.open()
        }
        var request = try server.request()
        request.timeoutIntervalForRequest = .seconds(600)
        // As above.
        var limit = Duration.milliseconds(100)
        repeat {
            request.timeoutIntervalForResource = limit
            let fetch = Fetch(request)
            let began = ContinuousClock.now
            #expect(fetch.run() == nil && fetch.error == .timedOut)
            #expect(began.duration(to: .now) >= limit)
            limit *= 4
        } while !hasCome.isSet
        hasGone.wait()
    }

    @Test("gets no request whose time limit is over before the thread serves it")
    func late() throws {
        let connections = Log<String>()
        let server = try HostileServer { _ in connections.add("connection") }
        let worker = RLPermanentThread(name: "worker")
        let gate = Gate()
        worker.execute { gate.wait() }
        var request = try server.request()
        request.timeoutIntervalForResource = .milliseconds(1)
        let fetch = Fetch(request, on: worker)
        fetch.operation.start()
        let began = ContinuousClock.now
        while began.duration(to: .now) < .milliseconds(2) { sched_yield() }
        gate.open()
        fetch.waitForCompletion()
        #expect(fetch.results == [.failure(.timedOut)])
        #expect(connections.entries.isEmpty)
    }

    @Test("that resets the connection causes an error of the connection") func reset() throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send(head + "Content-Length: 100\r\n\r\nbody")
            connection.reset()
        }
        let fetch = Fetch(try server.request())
        #expect(fetch.run() == nil)
        guard case .connectionFailed = fetch.error else {
            Issue.record("\(String(describing: fetch.error))")
            return
        }
    }

    // In its own process, whose descriptors are counted.
    @Test("may be cancelled at any time, by any thread, and nothing leaks") func storm() async {
        await #expect(processExitsWith: .success) {
            let before = descriptorCount()
            for _ in 0..<hostileRounds * 2 { try cancelAll() }
            // Servers close their descriptors after their clients.
            while descriptorCount() > before + 3 { sched_yield() }
        }
    }
}

/// Starts requests to servers of each kind, cancels them on several threads, and then ends the
/// thread that runs them.
private func cancelAll() throws {
    let worker = RLPermanentThread(name: "worker")
    let pairs = try Hostility.all.map { hostility in
        (hostility, try HostileServer(hostility.serve))
    }
    var fetches: [(Hostility, Fetch)] = []
    for _ in 0..<8 {
        for (hostility, server) in pairs {
            fetches.append((hostility, Fetch(try hostility.request(to: server), on: worker)))
        }
    }
    // Shuffled, for varying interleavings.
    fetches.shuffle()
    let operations = fetches.map(\.1.operation)
    let cancellers = (0..<3).map { number -> @Sendable () -> Void in
        {
            for (index, operation) in operations.enumerated() where index % 4 == number {
                // Each one later; a sleep would be much too long.
                for _ in 0..<index * 20 { _ = operation.state }
                operation.cancel()
            }
        }
    }
    onFreshThreads(
        cancellers + [
            { for operation in operations { operation.start() } },
            {
                for operation in operations { _ = operation.state }
                worker.stop()
            },
        ]
    )
    worker.join()
    for (hostility, fetch) in fetches {
        fetch.waitForCompletion()
        #expect(fetch.results.count == 1)
        let isAllowed =
            [.cancelled, .threadEnded].contains(fetch.error) || hostility.explains(fetch.error)
        #expect(isAllowed, "\(hostility): \(String(describing: fetch.error))")
    }
}

private func descriptorCount() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}
