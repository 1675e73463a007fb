// A server on SwiftNIO, with one loop.

import Dispatch
import NIOCore
import NIOPosix
import Programs

/// Unchecked: only the loop's thread uses it until all connections are gone.
private final class Serving: @unchecked Sendable {
    let service: UnsafeMutablePointer<service>
    let isOver = DispatchSemaphore(value: 0)

    init(_ service: UnsafeMutablePointer<service>) {
        self.service = service
    }
}

private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let serving: Serving

    init(_ serving: Serving) {
        self.serving = serving
    }

    func channelActive(context: ChannelHandlerContext) {
        serving.service.pointee.connection_count += 1
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard serving.service.pointee.is_echo else { return }
        context.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard serving.service.pointee.is_echo else { return }
        context.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if service_remove(serving.service) { serving.isOver.signal() }
    }
}

/// Serves as `server` says.
func serveByNIO(_ service: UnsafeMutablePointer<service>?) {
    guard let service else { return }
    let serving = Serving(service)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
        _ = try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answerer(serving))
                }
            }
            .withBoundSocket(service.pointee.listening_fd).wait()
    } catch {
        fatalError("SwiftNIO does not listen: \(error)")
    }
    serving.isOver.wait()
}
