import Dispatch
import Engines
import NIOCore
import NIOPosix

/// Eventfds as channels of SwiftNIO, a hundred of which are made ready and read, again and again.
///
/// The loop reads each into a buffer; no handler sees more than that it has been read.
final class ReadyChannels: @unchecked Sendable {
    // Unchecked: after `measured` has begun, only the loop's thread uses what changes.
    private static let ready = 100

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let owner: ReadyChannels

        init(_ owner: ReadyChannels) {
            self.owner = owner
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            owner.take()
        }
    }

    private let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    private let isOver = DispatchSemaphore(value: 0)
    private var descriptors: [Int32] = []
    private var channels: [any Channel] = []
    private var left = 0
    private var rounds = 0
    private var began = DispatchTime.now()
    private var roundBegan: Int64 = 0
    private var servedNanoseconds: Int64 = 0

    init(count: Int) {
        do {
            for _ in 0..<count {
                let descriptor = make_event_descriptor()
                let channel = try NIOPipeBootstrap(group: loop)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(Reader(self))
                        }
                    }
                    .takingOwnershipOfDescriptor(input: descriptor).wait()
                descriptors.append(descriptor)
                channels.append(channel)
            }
        } catch {
            fatalError("SwiftNIO takes no eventfd: \(error)")
        }
    }

    /// The nanoseconds of one.
    func measured() -> [Double] {
        loop.execute { [self] in
            began = .now()
            beginRound()
        }
        isOver.wait()
        return [Double(servedNanoseconds) / Double(rounds * Self.ready)]
    }

    private func beginRound() {
        left = Self.ready
        for index in 0..<Self.ready {
            ring_event_descriptor(descriptors[index * (descriptors.count / Self.ready)])
        }
        roundBegan = processor_ns()
    }

    private func take() {
        left -= 1
        guard left == 0 else { return }
        servedNanoseconds += processor_ns() - roundBegan
        rounds += 1
        if DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds >= 30_000_000 {
            isOver.signal()
        } else {
            loop.execute { [self] in beginRound() }
        }
    }
}
