// Fetching by HTTP, with a connection for each.

import Dispatch
import Engines
import Foundation
import FoundationNetworking
import NIOPosix
import Programs
import RunLoopNetworking

#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
#endif

extension Program {
    /// Bodies of so many bytes from a server that is a process of its own.
    static var fetches: [Program] {
        [
            Program(
                title: "HTTP fetch",
                sizes: [1 << 10, 1 << 20],
                areBytes: true,
                figures: Figure.ofTimes,
                ways: fetchingWays
            )
        ]
    }

    private static var fetchingWays: [Way] {
        var ways = [
            Way(name: "floor") { measure($0) { port in { http_fetch(port) } } },
            Way(name: "URLSession") { measure($0, fetchByURLSession) },
            Way(name: "RLHTTPRequestOperation") { measure($0, fetchByOperation) },
        ]
        #if canImport(AsyncHTTPClient)
            ways.insert(Way(name: "AsyncHTTPClient") { measure($0, fetchByClient) }, at: 2)
        #endif
        return ways
    }
}

/// Fetches a body and returns its size when it is there.
private typealias Fetch = () -> Int

/// The processor time of this process for a fetch, and how long one takes.
private func measure(_ size: Int, _ open: (UInt16) -> Fetch) -> [Double] {
    let count = size > 1 << 16 ? 200 : 1000
    let port = http_server_start(size)
    let fetch = open(port)
    for _ in 0..<count / 10 { precondition(fetch() == size) }
    var latencies: [Double] = []
    let began = processor_ns()
    for _ in 0..<count {
        let began = DispatchTime.now().uptimeNanoseconds
        precondition(fetch() == size)
        latencies.append(Double(DispatchTime.now().uptimeNanoseconds - began))
    }
    let took = Double(processor_ns() - began) / Double(count)
    return [took] + percentiles(of: latencies, [50, 99])
}

/// What a completion leaves for whoever waits for it.
private final class Arrival: @unchecked Sendable {
    // Unchecked: the semaphore orders the two.
    private var size = -1
    private let isThere = DispatchSemaphore(value: 0)

    func come(_ size: Int?) {
        self.size = size ?? -1
        isThere.signal()
    }

    func wait() -> Int {
        isThere.wait()
        return size
    }
}

private func address(_ port: UInt16) -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)/") else { fatalError("no URL") }
    return url
}

private func fetchByURLSession(_ port: UInt16) -> Fetch {
    let session = URLSession(configuration: .ephemeral)
    let url = address(port)
    return {
        let arrival = Arrival()
        session.dataTask(with: url) { data, _, _ in arrival.come(data?.count) }.resume()
        return arrival.wait()
    }
}

#if canImport(AsyncHTTPClient)
    private func fetchByClient(_ port: UInt16) -> Fetch {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let client = HTTPClient(eventLoopGroupProvider: .shared(group))
        let url = address(port).absoluteString
        return {
            let response = try? client.get(url: url).wait()
            return response?.body?.readableBytes ?? -1
        }
    }
#endif

private func fetchByOperation(_ port: UInt16) -> Fetch {
    let queue = DispatchQueue(label: "fetches")
    let request = RLHTTPRequest(url: address(port))
    return {
        let arrival = Arrival()
        RLHTTPRequestOperation(request, callbackQueue: queue) { result in
            arrival.come(try? result.get().body.count)
        }.start()
        return arrival.wait()
    }
}
