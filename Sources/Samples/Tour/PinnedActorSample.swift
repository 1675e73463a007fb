import Glibc
import RunLoopConcurrency
import RunLoopKit

/// An actor that runs on a worker's loop and owns a socket.
struct PinnedActorSample: Sample {
    let name = "pinned-actor"
    let summary = "an actor on a worker's loop, which owns a socket and watches it"

    func run(_ trace: Trace) throws {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            return trace.fail("there is no pair of sockets: \(String(cString: strerror(errno)))")
        }
        let own = ends[0], other = ends[1]
        let worker = RLPermanentThread(name: "network")
        try RLRunLoop.current.runToCompletion {
            let owner = SocketOwner(own, on: worker.runLoop, trace)
            async let words = owner.receive()
            for word in ["hello", "world"] { await owner.send(word, to: other) }
            close(other)
            trace.event("received \(await words.joined(separator: " "))")
        }
        close(own)
        worker.stop()
        worker.join()
        trace.expect([
            "sends hello, on the worker's thread: true",
            "sends world, on the worker's thread: true",
            "received hello world",
        ])
    }
}

private actor SocketOwner {
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let socket: CInt
    private let trace: Trace

    init(_ socket: CInt, on loop: RLRunLoopRef, _ trace: Trace) {
        self.socket = socket
        self.trace = trace
        executor = RLRunLoopExecutor(loop: loop)
    }

    func send(_ word: String, to other: CInt) {
        trace.event(
            "sends \(word), on the worker's thread: \(executor.isIsolatingCurrentContext() ?? false)"
        )
        let bytes = Array((word + " ").utf8)
        _ = write(other, bytes, bytes.count)
    }

    // Reads until the other end closes. During each wait, the loop and the actor serve other work.
    func receive() async -> [String] {
        var received: [UInt8] = []
        for await ready in RLDescriptorReadiness(socket, .read, on: executor.loop) {
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = ready.contains(.read) ? read(socket, &buffer, buffer.count) : 0
            if count <= 0 { break }
            received += buffer.prefix(count)
        }
        return String(decoding: received, as: UTF8.self).split(separator: " ").map(String.init)
    }
}
