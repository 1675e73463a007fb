import CRunLoop.Wrapping
import CoreRunLoop

/// Calls a closure when a loop's thread ends, for code that waits for something of the loop.
package final class LoopEnd: Sendable {
    private struct Watch {
        let loop: RLRunLoopRef
        // Only functions of the loop use it, which lock the loop.
        nonisolated(unsafe) let watch: RLRunLoopEndWatch
    }

    private let whenOver: @Sendable () -> Void
    private let watch = Locked<Watch?>(nil)

    /// Makes a watch, which ``watch(_:)`` begins.
    ///
    /// - Parameter whenOver: Called once on the thread when that ends, or at once if it has ended.
    package init(_ whenOver: @escaping @Sendable () -> Void) {
        self.whenOver = whenOver
    }

    deinit {
        forget()
    }

    /// Watches a loop, of any thread; once.
    package func watch(_ loop: RLRunLoopRef) {
        // The loop has this reference until it calls the function.
        let info = Unmanaged.passRetained(self)
        let watch = RLRunLoopWatchEnd(
            loop,
            { info in
                guard let info else { return }
                let end = Unmanaged<LoopEnd>.fromOpaque(info).takeRetainedValue()
                end.forget()
                end.whenOver()
            },
            info.toOpaque()
        )
        if let watch {
            self.watch.withLock { $0 = Watch(loop: loop, watch: watch) }
        } else {
            info.release()
            whenOver()
        }
    }

    /// Ends the watch.
    package func forget() {
        guard let watch = watch.withLock({ $0.take() }) else { return }
        if RLRunLoopForgetEnd(watch.loop, watch.watch) { Unmanaged.passUnretained(self).release() }
    }
}
