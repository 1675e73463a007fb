// Fetching by HTTP, from nginx, on connections that are kept.

import Dispatch
import Engines
import Foundation
import FoundationNetworking
import NIOPosix
import Programs
import RunLoopNetworking

#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
    import NIOHTTP1
#endif

extension Program {
    /// Pages of so many bytes, and what the connections take that are left.
    static var fetches: [Program] {
        let pages = [1 << 10, 1 << 20]
        let ofTime = [Figure(name: "processor time", unit: "ns")]
        let ofSpace = [
            Figure(name: "memory of a connection", unit: "B"),
            Figure(name: "descriptors of a connection", unit: ""),
        ]
        return [
            Program("HTTP fetch, one at a time", pages, ofTime) { time(of: $0, $1, 1) },
            Program("HTTP fetch, ten at a time", pages, ofTime) { time(of: $0, $1, 10) },
            Program("idle HTTP connections", [1000], ofSpace, areBytes: false) {
                space(of: $0, $1)
            },
        ]
    }

    private init(
        _ title: String,
        _ sizes: [Int],
        _ figures: [Figure],
        areBytes: Bool = true,
        measure: @escaping (Fetcher, Int) -> [Double]
    ) {
        self.title = title
        self.sizes = sizes
        self.areBytes = areBytes
        self.figures = figures
        ways = Fetcher.all.map { fetcher in Way(name: fetcher.name) { measure(fetcher, $0) } }
    }
}

/// The processor time of this process for a fetch.
private func time(of fetcher: Fetcher, _ size: Int, _ atATime: Int) -> [Double] {
    let port = http_server_start(size)
    guard port > 0, let fetch = fetcher.open("http://127.0.0.1:\(port)/page", 10) else { return [] }
    let count = size > 1 << 16 ? 500 : 5000
    precondition(fetch(count / 5, atATime) == count / 5 * size)
    let rounds = (0..<5).map { _ in
        let began = processor_ns()
        precondition(fetch(count, atATime) == count * size)
        return Double(processor_ns() - began) / Double(count)
    }
    // What else the machine does makes it longer, by what the caches forget.
    return [rounds.min() ?? .nan]
}

/// The bytes of the heap and the descriptors that this process has for a connection that is kept.
private func space(of fetcher: Fetcher, _ count: Int) -> [Double] {
    let size = 1024, port = http_server_start(size)
    guard port > 0, let fetch = fetcher.open("http://127.0.0.1:\(port)/slow", count) else {
        return []
    }
    func figures() -> [Double] { [bytes_in_use(), Double(open_descriptors())] }
    precondition(fetch(1, 1) == size)
    let before = figures()
    precondition(fetch(count, count) == count * size)
    // Time is the subject: what the last answers have used is freed after they have come.
    Thread.sleep(forTimeInterval: 0.5)
    return zip(figures(), before).map { ($0 - $1) / Double(count - 1) }
}

/// A client for one page, which keeps its connections.
private struct Fetcher {
    /// Fetches it so often, so many at a time, and returns how many bytes have come.
    typealias Fetch = (_ count: Int, _ atATime: Int) -> Int

    let name: String
    /// Nothing if the library is not there.
    let open: (_ url: String, _ mostConnections: Int) -> Fetch?

    static var all: [Fetcher] {
        var all = [
            Fetcher(name: "libcurl on epoll", open: openCurl),
            Fetcher(name: "URLSession", open: openURLSession),
            Fetcher(name: "RLHTTPLoopClient", open: openLoopClient),
            Fetcher(name: "RLHTTPRequestOperation", open: openOperations),
            Fetcher(name: "RLHTTPClient", open: openClient),
        ]
        #if canImport(AsyncHTTPClient)
            all += [
                Fetcher(name: "AsyncHTTPClient, futures", open: openAsyncHTTPClient),
                Fetcher(name: "AsyncHTTPClient, async", open: openAsyncHTTPClientInTasks),
            ]
        #endif
        return all
    }
}

/// Begins fetches as others end.
private final class Turns: @unchecked Sendable {
    // Unchecked: a lock guards what changes.
    private let lock = NSLock()
    private var leftToBegin: Int
    private var leftToEnd: Int
    private var received = 0
    private let isOver = DispatchSemaphore(value: 0)
    private let begin: (Turns) -> Void

    /// Begins fetches by a closure, which calls `came` for each, and waits for them.
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

private func openCurl(_ text: String, _ mostConnections: Int) -> Fetcher.Fetch? {
    guard let client = curl_client_open(text) else { return nil }
    return { curl_client_fetch(client, $0, $1) }
}

private func openURLSession(_ text: String, _ mostConnections: Int) -> Fetcher.Fetch? {
    guard let url = URL(string: text) else { return nil }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = mostConnections
    let session = URLSession(configuration: configuration)
    return { count, atATime in
        Turns.fetch(count, atATime) { turns in
            session.dataTask(with: url) { data, _, _ in turns.came(data?.count) }.resume()
        }
    }
}

#if canImport(AsyncHTTPClient)
    private func asyncHTTPClient(_ mostConnections: Int) -> HTTPClient {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = mostConnections
        return HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    }

    /// By closures on the thread of its loop.
    private func openAsyncHTTPClient(_ text: String, _ mostConnections: Int) -> Fetcher.Fetch? {
        let client = asyncHTTPClient(mostConnections)
        return { count, atATime in
            Turns.fetch(count, atATime) { turns in
                client.get(url: text).whenComplete { result in
                    turns.came((try? result.get())?.body?.readableBytes)
                }
            }
        }
    }

    private func openAsyncHTTPClientInTasks(
        _ text: String,
        _ mostConnections: Int
    ) -> Fetcher.Fetch? {
        let client = asyncHTTPClient(mostConnections)
        return { count, atATime in
            Turns.fetch(count, atATime) { turns in
                Task {
                    let request = HTTPClientRequest(url: text)
                    let response = try? await client.execute(request, timeout: .seconds(60))
                    turns.came(try? await response?.body.collect(upTo: 1 << 21).readableBytes)
                }
            }
        }
    }
#endif

private func configuration(_ mostConnections: Int) -> RLHTTPClientConfiguration {
    var configuration = RLHTTPClientConfiguration()
    configuration.connectionsPerHost = mostConnections
    configuration.idleConnections = mostConnections + 1
    configuration.requestsAtATime = mostConnections
    return configuration
}

private func openLoopClient(_ text: String, _ mostConnections: Int) -> Fetcher.Fetch? {
    guard let url = URL(string: text) else { return nil }
    let client = RLHTTPLoopClient(configuration: configuration(mostConnections))
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

private func openOperations(_ text: String, _ mostConnections: Int) -> Fetcher.Fetch? {
    guard let url = URL(string: text) else { return nil }
    let queue = DispatchQueue(label: "fetches")
    let client = RLHTTPClient(configuration: configuration(mostConnections))
    return { count, atATime in
        Turns.fetch(count, atATime) { turns in
            RLHTTPRequestOperation(
                RLHTTPRequest(url: url),
                client: client,
                callbackQueue: queue,
                completion: { turns.came(try? $0.get().body.count) }
            ).start()
        }
    }
}

private func openClient(_ text: String, _ mostConnections: Int) -> Fetcher.Fetch? {
    guard let url = URL(string: text) else { return nil }
    let client = RLHTTPClient(configuration: configuration(mostConnections))
    return { count, atATime in
        Turns.fetch(count, atATime) { turns in
            Task { turns.came(try? await client.response(for: RLHTTPRequest(url: url)).body.count) }
        }
    }
}
