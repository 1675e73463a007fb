// SwiftNIO's echo server.

import NIOCore
import NIOPosix

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
func countEchoes(connections: Int) -> @Sendable (Int) -> Void {
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
