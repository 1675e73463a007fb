import FetchKit
import FoundationEssentials
import RunLoopNetworking
import Testing
import ThreadKit

@Suite("Cancelling a request operation") struct CancelTests {
    @Test("before it starts completes it at once, and there is nothing to start") func before()
        throws
    {
        let url = try #require(URL(string: "http://localhost:9/"))
        let fetch = Fetch(RLHTTPRequest(url: url))
        fetch.operation.cancel()
        #expect(fetch.operation.state == .cancelled)
        fetch.operation.cancel()
        fetch.waitForCompletion()
        fetch.operation.start()
        #expect(fetch.operation.state == .cancelled)
        #expect(fetch.results == [.failure(.cancelled)])
    }

    @Test("before the network thread serves it opens no connection") func pending() throws {
        let server = try PythonServer()
        let worker = RLPermanentThread(name: "worker")
        let gate = Gate()
        worker.execute { gate.wait() }
        let fetch = Fetch(try server.request("kept"), on: worker)
        fetch.operation.start()
        #expect(fetch.operation.state == .ready)
        fetch.operation.cancel()
        #expect(fetch.operation.state == .ready && fetch.results.isEmpty)
        gate.open()
        fetch.waitForCompletion()
        #expect(fetch.results == [.failure(.cancelled)])
        // The cancelled request made no connection.
        let count = try #require(Fetch(try server.request("count"), on: worker).run())
        #expect(String(decoding: count.body, as: UTF8.self) == "1")
    }

    @Test("half-way closes the connection") func halfWay() throws {
        let server = try PythonServer()
        let fetch = Fetch(try server.request("half"))
        fetch.operation.start()
        fetch.waitForProgress()
        #expect(fetch.operation.state == .executing)
        fetch.operation.cancel()
        fetch.operation.cancel()
        fetch.waitForCompletion()
        #expect(fetch.operation.state == .cancelled)
        #expect(server.nextWord() == "gone half")
        #expect(fetch.results == [.failure(.cancelled)])
        #expect(fetch.progress.allSatisfy { $0.receivedLength <= 10000 })
    }

    @Test("while nothing has come closes the connection") func silent() throws {
        let server = try PythonServer()
        let fetch = Fetch(try server.request("silent"))
        fetch.operation.start()
        #expect(server.nextWord() == "asked")
        fetch.operation.cancel()
        fetch.waitForCompletion()
        #expect(server.nextWord() == "gone silent")
        #expect(fetch.results == [.failure(.cancelled)] && fetch.progress.isEmpty)
    }

    @Test("in its own progress and completion is harmless") func inCallbacks() throws {
        let server = try PythonServer()
        let operation = Guarded<RLHTTPRequestOperation?>(nil)
        let cancel: @Sendable () -> Void = { operation.withLock { $0 }?.cancel() }
        let first = Fetch(try server.request("half"), onProgress: { _ in cancel() })
        operation.withLock { $0 = first.operation }
        #expect(first.run() == nil && first.error == .cancelled)
        #expect(server.nextWord() == "gone half")

        let second = Fetch(try server.request("kept"), onCompletion: cancel)
        operation.withLock { $0 = second.operation }
        #expect(second.run() != nil)
        #expect(second.operation.state == .finished && second.results.count == 1)
        operation.withLock { $0 = nil }
    }

    @Test("when its closures are released is harmless") func inDestructors() throws {
        let server = try PythonServer()
        let log = Log<String>()
        let canceller = Canceller(log)
        let fetch = Fetch(
            try server.request("kept"),
            onProgress: { [canceller] _ in canceller.hold() },
            onCompletion: { log.add("completed") }
        )
        canceller.operation.withLock { $0 = fetch.operation }
        withExtendedLifetime(consume canceller) {}
        #expect(fetch.run() != nil)
        #expect(log.entries == ["cancelled", "completed"])
        #expect(fetch.operation.state == .finished)
    }

    @Test("at any time completes exactly once") func anyTime() throws {
        let server = try PythonServer()
        for number in 0..<100 {
            let fetch = Fetch(try server.request("large?4096"))
            let canceller = RLThread {
                // Each one later; a sleep would be much too long.
                for _ in 0..<(number * 40) { _ = fetch.operation.state }
                fetch.operation.cancel()
            }
            canceller.start()
            fetch.operation.start()
            fetch.waitForCompletion()
            canceller.join()
            #expect(fetch.results.count == 1)
            let isCancelled = fetch.error == .cancelled
            #expect(isCancelled || fetch.error == nil)
            #expect(fetch.operation.state == (isCancelled ? .cancelled : .finished))
        }
    }
}

/// Cancels an operation in `deinit`.
private final class Canceller: Sendable {
    let operation = Guarded<RLHTTPRequestOperation?>(nil)
    private let log: Log<String>

    init(_ log: Log<String>) {
        self.log = log
    }

    func hold() {}

    deinit {
        operation.withLock { $0 }?.cancel()
        log.add("cancelled")
    }
}
