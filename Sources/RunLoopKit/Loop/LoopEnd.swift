import CRunLoop.Wrapping
import CoreRunLoop

/// Calls a closure when a loop's thread ends.
package final class LoopEnd: Sendable {
    private struct Watch {
        let loop: RLRunLoopRef
        // Only the engine uses the watch, under the loop's lock.
        nonisolated(unsafe) let watch: RLRunLoopEndWatch
    }

    private struct State {
        var watch: Watch?
        var isForgotten = false
    }

    private let whenOver: @Sendable () -> Void
    private let state = Locked(State())

    /// Creates a watch that calls `whenOver` once, on the ending thread or in ``watch(_:)``.
    package init(_ whenOver: @escaping @Sendable () -> Void) {
        self.whenOver = whenOver
    }

    deinit {
        forget()
    }

    /// Watches a loop of any thread; call this function once.
    package func watch(_ loop: RLRunLoopRef) {
        // The loop owns this reference until the loop calls the function.
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

    /// Ends the watch; a later call of `watch(_:)` has no effect.
    package func forget() {
        let watch = state.withLock { state in
            state.isForgotten = true
            return state.watch.take()
        }
        guard let watch else { return }
        if RLRunLoopForgetEnd(watch.loop, watch.watch) { Unmanaged.passUnretained(self).release() }
    }
}
