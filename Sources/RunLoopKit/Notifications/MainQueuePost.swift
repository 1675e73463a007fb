import CRunLoop.Wrapping
import Glibc

/// Work of the main queue that another thread waits for.
///
/// A main thread that joins a thread serves it.
package struct MainQueuePost: Sendable {
    // The number of posts that wait.
    private static let waiting = Condition(0)

    private let isWaiting = Locked(true)

    /// Begins to wait.
    ///
    /// The caller then adds the work to the main queue.
    package init() {
        Self.waiting.withLock { $0 += 1 }
    }

    /// Ends the waiting: the work has begun, or was canceled.
    ///
    /// Later calls do nothing.
    package func take() {
        let isFirst = isWaiting.withLock { isWaiting in
            defer { isWaiting = false }
            return isWaiting
        }
        if isFirst { Self.waiting.withLock { $0 -= 1 } }
    }

    /// Serves posts on the main thread until something is over, of which ``check()`` notifies.
    static func serve(until isOver: () -> Bool) {
        while !waiting.wait(until: { $0 > 0 ? false : isOver() ? true : nil }) {
            servePending()
        }
    }

    /// Serves the posts on the main thread that have come.
    static func servePending() {
        if waiting.withLock({ $0 }) == 0 { return }
        // A post counts a moment before its work is in the queue.
        if !RLRunLoopDrainMainQueue() { usleep(50) }
    }

    /// Makes ``serve(until:)`` check again whether it is over.
    static func check() {
        waiting.withLock { _ in }
    }
}
