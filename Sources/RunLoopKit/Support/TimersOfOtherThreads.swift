import CoreRunLoop
import Synchronization

/// The timers that tasks have started for their own waits, on loops of other threads.
package enum TimersOfOtherThreads {
    private static let started = Atomic<Int>(0)

    /// Their number so far.
    package static var count: Int { started.load(ordering: .acquiring) }

    /// Counts a timer that is about to be added to a loop.
    package static func note(_ loop: RLRunLoopRef) {
        if !RLRunLoopIsCurrent(loop) { started.add(1, ordering: .acquiringAndReleasing) }
    }
}
