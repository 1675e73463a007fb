import CRunLoop.Wrapping
import CoreRunLoop

/// Calls a closure when a loop's thread ends, for code that waits for something of the loop.
package final class LoopEnd: Sendable {
    private struct Watch {
        let loop: RLRunLoopRef
        // Only functions of the loop use it, which lock the loop.
        nonisolated(unsafe) let watch: RLRunLoopEndWatch
    }

    private struct State {
        var watch: Watch?
        var isForgotten = false
    }

    private let whenOver: @Sendable () -> Void
    private let state = Locked(State())

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
        guard let watch else {
            info.release()
            return whenOver()
        }
        let isForgotten = state.withLock { state in
            state.watch = Watch(loop: loop, watch: watch)
            return state.isForgotten
        }
        if isForgotten { forget() }
    }

    /// Ends the watch, also if it begins later.
    package func forget() {
        let watch = state.withLock { state in
            state.isForgotten = true
            return state.watch.take()
        }
        guard let watch else { return }
        if RLRunLoopForgetEnd(watch.loop, watch.watch) { Unmanaged.passUnretained(self).release() }
    }
}
