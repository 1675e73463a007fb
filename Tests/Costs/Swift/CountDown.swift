import CoreRunLoop

/// Not a common mode, as in costs.c.
let mode: RLRunLoopMode = "costs"

// Only the main thread uses these.

nonisolated(unsafe) private var left = 0

/// The source that signals itself or is signalled; set before all runs.
nonisolated(unsafe) var bell: RLRunLoopSourceRef?

func begin(_ times: Int) {
    left = times
}

var isOver: Bool { left <= 0 }

func countDown(by value: Int = 1) {
    left -= value
    if left == 0 { RLRunLoopStop(RLRunLoopGetCurrent()) }
}

/// A date in the far future, different for each number, and unsorted, as in costs.c.
func farDate(_ number: Int, after now: RLAbsoluteTime) -> RLAbsoluteTime {
    now + 1e6 + Double(number * 7919 % 1_000_003)
}
