import CoreRunLoop
import Dispatch

/// Serves the main loop whenever its descriptor is readable, while other code runs the main thread.
///
/// A dispatch source on a private queue watches the descriptor, and signals a source of
/// Foundation's loop. On the main thread, this source serves the main ``RLRunLoop``. A block on the
/// main queue is unsuitable, because a run of the ``RLRunLoop`` would count the block as a source
/// of the program.
final class MainHost: Sendable {
    // Dispatch sources are thread-safe, but not declared Sendable.
    private nonisolated(unsafe) let watch: any DispatchSourceRead
    private let foundation = Locked<FoundationLoop?>(nil)
    private let isOver = Locked(false)

    /// The object retains itself until it is cancelled.
    init(_ descriptor: CInt) {
        let queue = DispatchQueue(label: "RunLoopKit.MainHost")
        watch = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        foundation.withLock { $0 = FoundationLoop { self.serve() } }
        watch.setEventHandler {
            // The descriptor stays readable until the loop is served, so the source is suspended.
            self.watch.suspend()
            self.call()
        }
        watch.setCancelHandler {
            self.isOver.withLock { $0 = true }
            self.call()
        }
        watch.activate()
    }

    func cancel() {
        watch.cancel()
    }

    private func call() {
        if let foundation = foundation.withLock({ $0 }) { return foundation.signal() }
        DispatchQueue.main.async { self.serve() }
    }

    private func serve() {
        if isOver.withLock({ $0 }) {
            RLRunLoopEndHosting()
            foundation.withLock { $0?.end() }
            return
        }
        let end = ContinuousClock.now + .milliseconds(10)
        while RLRunLoopRunHosted(1) && ContinuousClock.now < end {}
        watch.resume()
    }
}
