// Requests of an app to SwiftNIO's loop.

import Dispatch
import NIOCore
import NIOPosix

private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
private let loop = group.next()
private let other = group.next()

@Sendable private func postAgain() {
    countDown()
    if left > 0 { loop.execute { postAgain() } }
}

/// Makes requests while the loop is blocked.
private func whileBusy(_ ask: () -> Void) {
    let mayContinue = DispatchSemaphore(value: 0)
    loop.execute { mayContinue.wait() }
    ask()
    mayContinue.signal()
    isOver.wait()
}

extension Requests {
    static let nio: [String: @Sendable (Int) -> Void] = [
        "self": { _ in
            loop.execute { postAgain() }
            isOver.wait()
        },
        "due": { times in
            loop.execute {
                for _ in 0..<times { loop.scheduleTask(in: .zero) { countDown() } }
            }
            isOver.wait()
        },
        "ticks": { _ in
            loop.execute {
                loop.scheduleRepeatedTask(initialDelay: .zero, delay: .microseconds(100)) { _ in
                    countDown()
                }
            }
            isOver.wait()
        },
        "perform": { times in
            whileBusy { for _ in 0..<times { loop.execute { countDown() } } }
        },
        "wait": { times in
            for _ in 0..<times { try? loop.submit {}.wait() }
        },
        "echo": countEchoes(connections: 1),
        "echoes": countEchoes(connections: 64),
        "request": { times in
            for _ in 0..<times {
                loop.execute { other.execute { isOver.signal() } }
                isOver.wait()
            }
        },
    ]
}

private final class Echo: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }
}

/// Serves echoes on a loop of its own.
private func countEchoes(connections: Int) -> @Sendable (Int) -> Void {
    { times in
        let channel = try? ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Echo())
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        let port = channel?.localAddress?.port ?? 0
        requestEchoes(times, connections: connections, port: UInt16(port))
    }
}
