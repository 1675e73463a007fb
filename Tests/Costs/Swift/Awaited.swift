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
        { actor in
            var count = 0
            for await _ in RLTimer.fires(every: .microseconds(100)) {
                count += 1
                if count == times { break }
            }
        }
    }

    /// Lines, each of which the loop sends when the task waits.
    @Sendable static func lines(_ times: Int) -> Work {
        { actor in
            let pair = Pair()
            var count = 0
            let lines = pair.input.lines()
            pair.sendLater()
            do {
                for try await _ in lines {
                    count += 1
                    if count == times { break }
                    pair.sendLater()
                }
            } catch { exit(1) }
        }
    }

    /// Pieces of a stream, sent likewise.
    @Sendable static func chunks(_ times: Int) -> Work {
        { actor in
            let pair = Pair()
            var count = 0
            let chunks = pair.input.chunks()
            pair.sendLater()
            do {
                for try await _ in chunks {
                    count += 1
                    if count == times { break }
                    pair.sendLater()
                }
            } catch { exit(1) }
        }
    }

    /// The readiness of a descriptor, sent likewise.
    @Sendable static func descriptors(_ times: Int) -> Work {
        { actor in
            let pair = Pair()
            var byte = [UInt8](repeating: 0, count: 64)
            var count = 0
            pair.sendLater()
            for await _ in RLDescriptorReadiness(pair.handle, .read, on: RLRunLoopGetCurrent()) {
                if read(pair.handle, &byte, byte.count) < 1 { exit(1) }
                count += 1
                if count == times { break }
                pair.sendLater()
            }
        }
    }

    /// Connections, each of which the loop makes when the task waits.
    @Sendable static func accepts(_ times: Int) -> Work {
        { actor in
            guard let listener = try? RLListener(host: "127.0.0.1", port: 0) else { exit(1) }
            let port = listener.port
            var count = 0
            connectLater(port)
            for await connection in listener.connections() {
                connection.close()
                count += 1
                if count == times { break }
                connectLater(port)
            }
        }
    }

    /// Messages of a port, sent likewise.
    @Sendable static func messages(_ times: Int) -> Work {
        { actor in
            let port = RLPort()
            var count = 0
            perform { port.send(before: .distantFuture, msgid: 1) }
            for await _ in messages(of: port) {
                count += 1
                if count == times { break }
                perform { port.send(before: .distantFuture, msgid: 1) }
            }
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

    private static func connectLater(_ port: UInt16) {
        perform { close(connect(toPort: port)) }
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
        var handles: [CInt] = [0, 0]
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &handles)
        (handle, other) = (handles[0], handles[1])
        guard let (reader, _) = RLStreamCreatePair(withSocket: handle) else { exit(1) }
        input = RLInputStream(reader)
    }

    func sendLater() {
        let other = other
        Awaited.perform { write(other, "a line of text\n", 15) }
    }
}
