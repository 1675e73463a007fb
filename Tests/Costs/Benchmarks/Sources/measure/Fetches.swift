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
                ways: clients.map { name, open in
                    Way(name: name) { time(of: open, $0, atATime) }
                }
            )
        }
    }
}

/// The processor time of this process per fetch.
private func time(of open: (String) -> Fetch?, _ size: Int, _ atATime: Int) -> [Double] {
    let port = http_server_start(size)
    guard port > 0, let fetch = open("http://127.0.0.1:\(port)/page") else { return [] }
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

/// Fetches a page `count` times, `atATime` concurrently, on persistent connections, and returns the
/// number of received bytes.
private typealias Fetch = (_ count: Int, _ atATime: Int) -> Int

/// The clients; one whose library is not installed opens nothing.
private var clients: [(name: String, open: (_ url: String) -> Fetch?)] {
    [
        ("libcurl on epoll", openCurl), ("RLHTTPLoopClient", openLoopClient),
        ("RLHTTPClient", openClient),
    ]
}

private func openCurl(_ text: String) -> Fetch? {
    guard let client = curl_client_open(text) else { return nil }
    return { curl_client_fetch(client, $0, $1) }
}

private var configuration: RLHTTPClientConfiguration {
    var configuration = RLHTTPClientConfiguration()
    configuration.connectionsPerHost = 10
    return configuration
}

private func openLoopClient(_ text: String) -> Fetch? {
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

private func openClient(_ text: String) -> Fetch? {
    guard let url = URL(string: text) else { return nil }
    let client = RLHTTPClient(configuration: configuration)
    return { count, atATime in
        let isOver = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var received = 0
        Task.detached {
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<count {
                    if number >= atATime { received += await group.next() ?? 0 }
                    group.addTask {
                        (try? await client.response(for: RLHTTPRequest(url: url)).body.count) ?? 0
                    }
                }
                for await size in group { received += size }
            }
            isOver.signal()
        }
        isOver.wait()
        return received
    }
}
