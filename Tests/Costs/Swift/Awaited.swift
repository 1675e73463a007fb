// The events that async code waits for, on an actor of a loop's thread and on the main actor.

import CoreRunLoop
import Glibc
import RunLoopConcurrency
import RunLoopKit

enum Awaited {
    typealias Work = @Sendable (isolated any Actor) async -> Void

    private actor OfLoop {
        nonisolated let executor: RLRunLoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        init(_ loop: RLRunLoopRef) {
            executor = RLRunLoopExecutor(loop: loop)
        }
    }

    /// Runs a function on the main actor to its end.
    static func onMain(_ function: @escaping @Sendable (Int) -> Work) -> (Int) -> Void {
        { times in
            let work = function(times)
            Task { @MainActor in
                await work(MainActor.shared)
                RLRunLoop.main.stop()
            }
            RLRunLoop.main.runUntilStopped()
        }
    }

    /// Runs a function on an actor of another thread's loop to its end.
    static func onThread(_ function: @escaping @Sendable (Int) -> Work) -> (Int) -> Void {
        { times in
            let work = function(times)
            let thread = RLPermanentThread()
            let actor = OfLoop(thread.runLoop)
            Task {
                await work(actor)
                thread.stop()
            }
            thread.join()
        }
    }

    /// Ticks of a timer.
    @Sendable static func fires(_ times: Int) -> Work {
        { actor in await take(times, of: RLTimer.fires(every: .microseconds(100))) }
    }

    /// Lines, each of which the loop sends when the task waits.
    @Sendable static func lines(_ times: Int) -> Work {
        { actor in
            let pair = Pair()
            await take(times, of: pair.input.lines(), ask: pair.sendLater)
        }
    }

    /// Pieces of a stream, sent likewise.
    @Sendable static func chunks(_ times: Int) -> Work {
        { actor in
            let pair = Pair()
            await take(times, of: pair.input.chunks(), ask: pair.sendLater)
        }
    }

    /// The readiness of a descriptor, sent likewise.
    @Sendable static func descriptors(_ times: Int) -> Work {
        { actor in
            let pair = Pair()
            var byte = [UInt8](repeating: 0, count: 64)
            let events = RLDescriptorReadiness(pair.handle, .read, on: RLRunLoopGetCurrent())
            await take(times, of: events, ask: pair.sendLater) { _ in
                if read(pair.handle, &byte, byte.count) < 1 { exit(1) }
            }
        }
    }

    /// Connections, each of which the loop makes when the task waits.
    @Sendable static func accepts(_ times: Int) -> Work {
        { actor in
            guard let listener = try? RLListener(host: "127.0.0.1", port: 0) else { exit(1) }
            let port = listener.port
            let connectLater = { perform { close(connect(toPort: port)) } }
            await take(times, of: listener.connections(), ask: connectLater) { $0.close() }
        }
    }

    /// Messages of a port, sent likewise.
    @Sendable static func messages(_ times: Int) -> Work {
        { actor in
            let port = RLPort()
            let sendLater = { perform { port.send(before: .distantFuture, msgid: 1) } }
            await take(times, of: messages(of: port), ask: sendLater)
        }
    }

    private static func messages(of port: RLPort) -> RLEventSequence<RLPortLetter> {
        port.messages(in: .current)
    }

    /// An echo server.
    @Sendable static func echoes(_ times: Int) -> Work {
        { actor in
            guard let listener = try? RLListener(host: "127.0.0.1", port: 0) else { exit(1) }
            let port = listener.port
            let client = RLPermanentThread(name: "client")
            client.execute { requestEchoes(times, connections: 1, port: port) }
            guard let connection = await listener.accept() else { exit(1) }
            do {
                for try await bytes in connection.chunks() {
                    try await connection.output.write(contentsOf: bytes)
                }
            } catch { exit(1) }
            client.stop()
        }
    }

    fileprivate static func perform(_ function: @escaping @Sendable () -> Void) {
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), .commonModes, function)
    }
}

/// A stream, and the socket at its other end.
private final class Pair {
    let handle: CInt
    private let other: CInt
    let input: RLInputStream

    init() {
        (handle, other) = makePair()
        guard let (reader, _) = RLStreamCreatePair(withSocket: handle) else { exit(1) }
        input = RLInputStream(reader)
    }

    func sendLater() {
        let other = other
        Awaited.perform { send(to: other) }
    }
}
