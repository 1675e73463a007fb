import CoreRunLoop
import Dispatch

/// What has the main loop served on the main thread, while other code runs that, whenever the
/// loop's descriptor is readable.
///
/// The descriptor is watched on a queue of its own. What is then asked of the main thread is a
/// source of Foundation's loop: on the main queue a run of this loop would serve it, and count it
/// as a source of the program.
final class MainHost: Sendable {
    // Dispatch sources may be used from any thread, and are not declared so.
    private nonisolated(unsafe) let watch: any DispatchSourceRead
    private let foundation = Locked<FoundationLoop?>(nil)
    private let isOver = Locked(false)

    /// Begins with a hosting of the main loop that waits for a descriptor.
    ///
    /// It stays until it is cancelled, whether anybody holds it or not.
    init(_ descriptor: CInt) {
        let queue = DispatchQueue(label: "RunLoopKit.MainHost")
        watch = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        foundation.withLock { $0 = FoundationLoop { self.serve() } }
        watch.setEventHandler {
            // Until the loop was served, its descriptor stays readable.
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

    /// Serves the loop, or ends; on the main thread.
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
