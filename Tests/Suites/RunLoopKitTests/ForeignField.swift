import FoundationEssentials
import Glibc
import RunLoopKit
import ThreadKit

/// The objects of one thread's loop, which other threads use.
final class ForeignField: @unchecked Sendable {
    // `@unchecked`: the tests pass objects to threads that the compiler would refuse.
    let loop = RLRunLoop.current
    let timer = RLTimer(timeInterval: 0.0001, repeats: true) { _ in }
    let givenTimer = RLTimer(
        timeInterval: 1000,
        target: Target(),
        selector: .handle,
        userInfo: 1,
        repeats: true
    )
    let input: RLInputStream
    let output: RLOutputStream
    let target = Target()
    let queue = RLNotificationQueue(post: { _ in })
    let transaction = RLTransaction.current
    let idle = RLIdleQueue()
    let port = RLPort()
    let machPort = RLMachPort()
    let socketPort = RLSocketPort(tcpPort: 0)
    let thread = RLThread.current
    let permanent = RLPermanentThread()
    let dictionary = RLThread.current.threadDictionary
    let pool = RLAutoreleasePool()
    let center = RLNotificationCenter()
    let token: RLNotificationCenter.Token
    let observer: RLRunLoopObserver
    let source: RLRunLoopSource
    let request: RLPerformRequest
    let listener: RLListener
    // A loop accepts at `listener`, so that tasks need another one.
    let freeListener: RLListener
    let watch: RLFileWatch
    private(set) var connection: RLConnection?
    private let isOver = Flag()

    private init() throws {
        let streams = RLStreamCreateBoundPair(bufferSize: 1 << 20)
        guard let streams else { throw RLSystemError(code: ENOMEM, to: "make streams") }
        input = RLInputStream(streams.reader)
        output = RLOutputStream(streams.writer)
        observer = loop.observe(.beforeTimers) { _, _ in }
        source = loop.addSource { _ in }
        request = loop.perform(afterDelay: 1000) {}
        listener = try RLListener(host: "127.0.0.1", port: 0)
        freeListener = try RLListener(host: "127.0.0.1", port: 0)
        watch = try RLFileWatch(path: "/proc/self")
        token = center.addObserver(forName: nil) { _ in }
        for timer in [timer, givenTimer] { loop.add(timer, forMode: .common) }
        for stream in [input, output] as [RLStream] {
            stream.delegate = target
            stream.schedule(in: loop, forMode: .default)
            stream.schedule(in: loop, forMode: RLRunLoop.Mode("other"))
            stream.open()
        }
        port.setDelegate(target)
        loop.add(port, forMode: .default)
        watch.observe(in: loop) { _ in }
        idle.add {}
        dictionary["key"] = 1
        takeConnection()
    }

    private func takeConnection() {
        listener.accept(in: loop) { [unowned self] in connection = $0 }
        var client: RLOutputStream?
        RLStream.getStreamsToHost(
            withName: "127.0.0.1",
            port: Int(listener.port),
            inputStream: nil,
            outputStream: &client
        )
        client?.open()
        while connection == nil { loop.run(mode: .default, before: .distantFuture) }
        client?.close()
    }

    /// Calls a function on a fresh thread, while another thread runs the loop with all objects.
    static func use(_ function: @escaping @Sendable (ForeignField) -> Void) {
        onFreshThread {
            guard let field = try? ForeignField() else { fatalError("no field is made") }
            let user = RLThread {
                function(field)
                field.isOver.set()
            }
            let hand = RLTimer(timeInterval: 0.0001, repeats: true) { _ in field.useHere() }
            field.loop.add(hand, forMode: .default)
            user.start()
            while !field.isOver.isSet { field.loop.run(for: .milliseconds(1)) }
            user.join()
            hand.invalidate()
            for timer in [field.timer, field.givenTimer] { timer.invalidate() }
            for stream in [field.input, field.output] as [RLStream] { stream.close() }
            field.connection?.close()
            field.observer.invalidate()
            field.source.invalidate()
            field.permanent.stop()
        }
    }

    /// Uses the shared objects concurrently, on the loop's own thread.
    private func useHere() {
        var byte: UInt8 = 1
        // Due at once, also in the current pass.
        timer.fireDate = .distantPast
        timer.tolerance = 0
        loop.remove(timer, forMode: .common)
        if timer.isValid { loop.add(timer, forMode: .common) }
        _ = (givenTimer.isValid, givenTimer.userInfo, givenTimer.getRLRunLoopTimer())
        // Not read here: the other thread may read these bytes first, and a read would block.
        _ = output.write(&byte, maxLength: 1)
        _ = (output.hasSpaceAvailable, input.hasBytesAvailable)
        for stream in [input, output] as [RLStream] {
            stream.delegate = target
            stream.remove(from: loop, forMode: RLRunLoop.Mode("other"))
            stream.schedule(in: loop, forMode: RLRunLoop.Mode("other"))
            _ = (stream.streamStatus, stream.streamError, stream.delegate, "\(stream)")
        }
        queue.enqueue(RLNotification(name: .init("note")), postingStyle: .asap)
        transaction.setNeedsCommit(target) {}
        idle.add {}
        source.signal()
        loop.remove(port, forMode: .default)
        loop.add(port, forMode: .default)
        loop.busyPollInterval = 0
        dictionary["key"] = 2
        center.post(name: .init("note"), object: nil)
    }

    /// A delegate and target that is not `Sendable`.
    final class Target: RLStreamDelegate, RLPortDelegate {
        private var count = 0
        func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) { count += 1 }
        func handle(_ message: RLPortMessage) { count += 1 }
        func handleTimer() { count += 1 }
    }

    /// A `Sendable` delegate.
    final class AnyTarget: RLSendableStreamDelegate {}
}

extension RLSelector where Target == ForeignField.Target {
    static let handle = RLSelector("handleTimer", ForeignField.Target.handleTimer)
}
