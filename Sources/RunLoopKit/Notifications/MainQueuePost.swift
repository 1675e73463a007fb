import CRunLoop.Wrapping
import Glibc

/// Work of the main queue that another thread waits for.
///
/// A main thread that joins a thread serves it.
package struct MainQueuePost: Sendable {
    // The number of waiting posts.
    private static let waiting = Condition(0)

    private let isWaiting = Locked(true)

    /// Registers a wait.
    ///
    /// The caller then adds the work to the main queue.
    package init() {
        Self.waiting.withLock { $0 += 1 }
    }

    /// Ends the wait, as the work has begun or was cancelled; idempotent.
    package func take() {
        let isFirst = isWaiting.withLock { isWaiting in
            defer { isWaiting = false }
            return isWaiting
        }
        if isFirst { Self.waiting.withLock { $0 -= 1 } }
    }

    /// Serves posts on the main thread until a condition holds; ``check()`` reevaluates it.
    static func serve(until isOver: () -> Bool) {
        while !waiting.wait(until: { $0 > 0 ? false : isOver() ? true : nil }) {
            servePending()
        }
    }

    /// Serves all current posts on the main thread.
    static func servePending() {
        if waiting.withLock({ $0 }) == 0 { return }
        // A post is registered shortly before its work is in the queue.
        if !RLRunLoopDrainMainQueue() { usleep(50) }
    }

    /// Makes ``serve(until:)`` reevaluate its condition.
    static func check() {
        waiting.withLock { _ in }
    }
}
