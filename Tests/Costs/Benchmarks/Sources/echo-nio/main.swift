// An echo server with a timer on SwiftNIO, which ends at SIGTERM.

import Dispatch
import Glibc
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

let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let channel = try ServerBootstrap(group: group)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Echo())
        }
    }
    .bind(host: "127.0.0.1", port: Int(CommandLine.arguments[1]) ?? 0).wait()
group.next().scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
    print("still here")
}
signal(SIGTERM, SIG_IGN)
let ends = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
ends.setEventHandler { @Sendable [channel] in channel.close(promise: nil) }
ends.activate()
try channel.closeFuture.wait()
