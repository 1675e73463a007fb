import CoreRunLoop
import Synchronization

/// Counts the timers that waiting tasks have started on loops of other threads.
package enum TimersOfOtherThreads {
    private static let started = Atomic<Int>(0)

    package static var count: Int { started.load(ordering: .acquiring) }

    /// Counts a timer of another thread's loop; call this function before the timer is added.
    package static func note(_ loop: RLRunLoopRef) {
        if !RLRunLoopIsCurrent(loop) { started.add(1, ordering: .acquiringAndReleasing) }
    }
}
