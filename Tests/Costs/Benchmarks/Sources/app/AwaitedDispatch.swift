// The events that async code waits for, from Dispatch by an AsyncStream, on Swift's own threads.

import Dispatch
import Glibc

extension Requests {
    static let dispatchStreams: [String: @Sendable (Int) -> Void] = [
        "fires": { times in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .microseconds(100))
            iterate(times, of: stream(of: timer) { Tick() })
        },
        "chunks": { times in
            let (handle, other) = makePair()
            let source = DispatchSource.makeReadSource(fileDescriptor: handle, queue: queue)
            let chunks = stream(of: source) { readBytes(handle) }
            iterate(times, of: chunks, ask: { queue.async { send(to: other) } })
        },
        "accepts": { times in
            let (listener, port) = listen()
            let connectLater = { @Sendable in queue.async { close(connect(toPort: port)) } }
            let source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
            let connections = stream(of: source) { accept(listener, nil, nil) }
            iterate(times, of: connections, ask: connectLater) { close($0) }
        },
        "echoes": { times in
            let (listener, port) = listen()
            Task.detached {
                let handle = accept(listener, nil, nil)
                let source = DispatchSource.makeReadSource(fileDescriptor: handle, queue: queue)
                for await bytes in stream(of: source, next: { readBytes(handle) }) {
                    if bytes.isEmpty { break }
                    if write(handle, bytes, bytes.count) != bytes.count { exit(1) }
                }
                isOver.signal()
            }
            requestEchoes(times, connections: 1, port: port)
            isOver.wait()
        },
    ]
}

private struct Tick: Sendable {}

/// The events of a source, which the stream cancels.
private func stream<Value: Sendable>(
    of source: any DispatchSourceProtocol,
    next: @escaping @Sendable () -> Value
) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    // Dispatch sources are thread-safe.
    nonisolated(unsafe) let source = source
    source.setEventHandler { continuation.yield(next()) }
    continuation.onTermination = { _ in source.cancel() }
    source.activate()
    return stream
}

private func iterate<Elements: AsyncSequence & Sendable>(
    _ times: Int,
    of elements: Elements,
    ask: @escaping @Sendable () -> Void = {},
    use: @escaping @Sendable (Elements.Element) -> Void = { _ in }
) {
    Task.detached {
        await take(times, of: elements, ask: ask, use: use)
        isOver.signal()
    }
    isOver.wait()
}

private func readBytes(_ handle: CInt) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = max(0, read(handle, buffer.baseAddress, buffer.count))
    }
}

/// A listening socket on a free port of the loopback address.
private func listen() -> (CInt, UInt16) {
    let handle = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(handle, address, length) + Glibc.listen(handle, 128)
                + getsockname(handle, address, &length)
        }
    }
    if result != 0 { exit(1) }
    return (handle, UInt16(bigEndian: address.sin_port))
}
