// Fetches from nginx by HTTP, on persistent connections.

import Dispatch
import Engines
import Foundation
import Programs
import RunLoopNetworking

extension Program {
    /// Benchmarks with pages of several sizes.
    static var fetches: [Program] {
        [("one", 1), ("ten", 10)].map { name, atATime in
            Program(
                title: "HTTP fetch, \(name) at a time",
                figures: ["processor time"],
                sizes: [1 << 10, 1 << 20],
                ways: Fetcher.all.map { fetcher in
                    Way(name: fetcher.name) { time(of: fetcher, $0, atATime) }
                }
            )
        }
    }
}

/// The processor time of this process per fetch.
private func time(of fetcher: Fetcher, _ size: Int, _ atATime: Int) -> [Double] {
    let port = http_server_start(size)
    guard port > 0, let fetch = fetcher.open("http://127.0.0.1:\(port)/page") else { return [] }
    let count = size > 1 << 16 ? 500 : 5000
    precondition(fetch(count / 5, atATime) == count / 5 * size)
    let rounds = (0..<5).map { _ in
        let began = processor_ns()
        precondition(fetch(count, atATime) == count * size)
        return Double(processor_ns() - began) / Double(count)
    }
    // The minimum: other load only adds time, by evicting caches.
    return [rounds.min() ?? .nan]
}

/// A client for one page with persistent connections.
private struct Fetcher {
    /// Fetches the page `count` times, `atATime` concurrently, and returns the number of received
    /// bytes.
    typealias Fetch = (_ count: Int, _ atATime: Int) -> Int

    let name: String
    /// Returns nil if the library is not installed.
    let open: (_ url: String) -> Fetch?

    static var all: [Fetcher] {
        [
            Fetcher(name: "libcurl on epoll", open: openCurl),
            Fetcher(name: "RLHTTPLoopClient", open: openLoopClient),
            Fetcher(name: "RLHTTPClient", open: openClient),
        ]
    }
}

/// Starts fetches as others end.
private final class Turns: @unchecked Sendable {
    // `@unchecked`: a lock guards the mutable state.
    private let lock = NSLock()
    private var leftToBegin: Int
    private var leftToEnd: Int
    private var received = 0
    private let isOver = DispatchSemaphore(value: 0)
    private let begin: (Turns) -> Void

    /// Starts fetches with a closure, which calls `came` for each, and waits for them.
    static func fetch(_ count: Int, _ atATime: Int, _ begin: @escaping (Turns) -> Void) -> Int {
        let turns = Turns(count, begin)
        for _ in 0..<min(count, atATime) { turns.beginNext() }
        turns.isOver.wait()
        return turns.received
    }

    private init(_ count: Int, _ begin: @escaping (Turns) -> Void) {
        leftToBegin = count
        leftToEnd = count
        self.begin = begin
    }

    private func beginNext() {
        let isLeft = lock.withLock {
            leftToBegin -= 1
            return leftToBegin >= 0
        }
        if isLeft { begin(self) }
    }

    func came(_ size: Int?) {
        beginNext()
        let isLast = lock.withLock {
            received += size ?? 0
            leftToEnd -= 1
            return leftToEnd == 0
        }
        if isLast { isOver.signal() }
    }
}

private func openCurl(_ text: String) -> Fetcher.Fetch? {
    guard let client = curl_client_open(text) else { return nil }
    return { curl_client_fetch(client, $0, $1) }
}

private var configuration: RLHTTPClientConfiguration {
    var configuration = RLHTTPClientConfiguration()
    configuration.connectionsPerHost = 10
    return configuration
}

private func openLoopClient(_ text: String) -> Fetcher.Fetch? {
    guard let url = URL(string: text) else { return nil }
    let client = RLHTTPLoopClient(configuration: configuration)
    return { count, atATime in
        var leftToBegin = count, leftToEnd = count, received = 0
        func beginNext() {
            leftToBegin -= 1
            if leftToBegin < 0 { return }
            client.send(RLHTTPRequest(url: url)) { result in
                received += (try? result.get().body.count) ?? 0
                leftToEnd -= 1
                if leftToEnd == 0 { RLRunLoopStop(RLRunLoopGetCurrent()) }
                beginNext()
            }
        }
        for _ in 0..<min(count, atATime) { beginNext() }
        RLRunLoopRun()
        return received
    }
}

private func openClient(_ text: String) -> Fetcher.Fetch? {
    guard let url = URL(string: text) else { return nil }
    let client = RLHTTPClient(configuration: configuration)
    return { count, atATime in
        Turns.fetch(count, atATime) { turns in
            Task { turns.came(try? await client.response(for: RLHTTPRequest(url: url)).body.count) }
        }
    }
}
