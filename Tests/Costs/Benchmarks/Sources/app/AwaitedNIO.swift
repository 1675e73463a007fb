// Events that async code awaits from SwiftNIO's async channels, on an actor of the event loop.

import Dispatch
import Glibc
import NIOCore
import NIOPosix

private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
private let loop = group.next()

private actor OfLoop {
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    func run(_ work: (isolated OfLoop) async throws -> Void) async throws {
        try await work(self)
    }
}

extension Requests {
    static let nioChannels: [String: @Sendable (Int) -> Void] = [
        "chunks": { times in
            runOnLoop { actor in
                let (handle, other) = makePair()
                let channel = try await ClientBootstrap(group: group)
                    .withConnectedSocket(handle) { channel in
                        channel.eventLoop.makeCompletedFuture { try wrap(channel) }
                    }
                try await channel.executeThenClose { inbound, _ in
                    await take(times, of: inbound, ask: { loop.execute { send(to: other) } })
                }
            }
        },
        "accepts": { times in
            runOnLoop { actor in
                let (server, port) = try await bind()
                let connectLater = { @Sendable in loop.execute { close(connect(toPort: port)) } }
                try await server.executeThenClose { inbound in
                    var count = 0
                    connectLater()
                    for try await connection in inbound {
                        try? await connection.executeThenClose { _, _ in }
                        count += 1
                        if count == times { break }
                        connectLater()
                    }
                }
            }
        },
        "echoes": { times in
            runOnLoop { actor in
                let (server, port) = try await bind()
                DispatchQueue(label: "client").async {
                    requestEchoes(times, connections: 1, port: port)
                }
                try await server.executeThenClose { connections in
                    for try await connection in connections {
                        try await connection.executeThenClose { inbound, outbound in
                            for try await bytes in inbound { try await outbound.write(bytes) }
                        }
                        break
                    }
                }
            }
        },
    ]
}

private func wrap(_ channel: any Channel) throws -> Bytes {
    try Bytes(wrappingChannelSynchronously: channel)
}

private func bind() async throws -> (NIOAsyncChannel<Bytes, Never>, port: UInt16) {
    let bootstrap = ServerBootstrap(group: group)
    let server = try await bootstrap.bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture { try wrap(channel) }
    }
    return (server, UInt16(server.channel.localAddress?.port ?? 0))
}

private func runOnLoop(_ work: @escaping @Sendable (isolated OfLoop) async throws -> Void) {
    Task.detached {
        do { try await OfLoop().run(work) } catch { exit(1) }
        isOver.signal()
    }
    isOver.wait()
}
