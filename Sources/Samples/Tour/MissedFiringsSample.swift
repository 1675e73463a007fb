import CoreRunLoop
import Glibc
import Synchronization

/// A repeating timer on a busy thread.
///
/// One call replaces all missed firings, and later firings stay on the original schedule.
struct MissedFiringsSample: Sample {
    let name = "missed"
    let summary = "a timer that is late fires once and keeps its grid"

    private static let interval: RLTimeInterval = 0.02

    func run(_ trace: Trace) throws {
        let calls = Mutex<[RLTimeInterval]>([])
        let first = RLAbsoluteTimeGetCurrent() + Self.interval
        let timer = RLRunLoopTimerCreate(fireDate: first, interval: Self.interval) { timer in
            let place = (RLRunLoopTimerGetNextFireDate(timer) - first) / Self.interval
            let count = calls.withLock { calls in
                calls.append(place)
                return calls.count
            }
            trace.event("call \(count), for the firing planned \(rounded(place)) intervals on")
            if count == 1 {
                trace.remark("the callback keeps the thread for three and a half intervals")
                usleep(70_000)
            }
            if count == 4 { RLRunLoopTimerInvalidate(timer) }
        }
        RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
        let result = RLRunLoopRunInMode(.defaultMode, 10, false)

        trace.check(result == .finished, "the run finished with its timer; it \(result)")
        check(calls.withLock { $0 }, trace)
    }

    private func check(_ places: [RLTimeInterval], _ trace: Trace) {
        guard places.count == 4 else {
            return trace.fail("there should be 4 calls but there were \(places.count)")
        }
        trace.check(places[1] > 3.5, "the firings 1, 2 and 3 were skipped")
        for place in places {
            let distance = abs(place - place.rounded())
            trace.check(distance < 0.25, "every firing lies on the grid; one is \(place)")
        }
        for (earlier, later) in zip(places, places.dropFirst()) {
            trace.check(later - earlier > 0.75, "no firing comes twice")
        }
    }

    private func rounded(_ place: RLTimeInterval) -> Int {
        Int(place.rounded())
    }
}
