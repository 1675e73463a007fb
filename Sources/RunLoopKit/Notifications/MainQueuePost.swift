import CRunLoop.Wrapping
import Glibc

/// A block on the main queue for which another thread waits.
///
/// While the main thread joins a thread, the main thread serves such blocks.
package struct MainQueuePost: Sendable {
    // The number of posts whose work has not begun.
    private static let waiting = Condition(0)

    private let isWaiting = Locked(true)

    /// Registers the post; the caller then enqueues the work on the main queue.
    package init() {
        Self.waiting.withLock { $0 += 1 }
    }

    /// Unregisters the post, because the work has begun or was cancelled; idempotent.
    package func take() {
        let isFirst = isWaiting.withLock { isWaiting in
            defer { isWaiting = false }
            return isWaiting
        }
        if isFirst { Self.waiting.withLock { $0 -= 1 } }
    }

    /// Serves posts on the main thread; call ``check()`` when the condition may have changed.
    static func serve(until isOver: () -> Bool) {
        while !waiting.wait(until: { $0 > 0 ? false : isOver() ? true : nil }) {
            servePending()
        }
    }

    /// Serves the pending posts; call this function on the main thread.
    static func servePending() {
        if waiting.withLock({ $0 }) == 0 { return }
        // A post is registered shortly before its work is enqueued, so the queue may be empty.
        if !RLRunLoopDrainMainQueue() { usleep(50) }
    }

    /// Makes ``serve(until:)`` check its condition again.
    static func check() {
        waiting.withLock { _ in }
    }
}
