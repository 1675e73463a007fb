import RunLoopKit
import Synchronization

/// The activities of the main loop: at its start, at an event, and before it sleeps.
struct ObserverLogSample: Sample {
    let name = "observers"
    let summary = "the activities of the main loop at start, on an event and at rest"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let loop = RLRunLoopGetMain()
        let source = RLRunLoopSourceCreate { trace.event("    the source is performed") }
        let rests = Atomic(0)
        let observer = RLRunLoopObserverCreate(activities: .allActivities) { _, activity in
            let number = String(activity.rawValue)
            let padding = String(repeating: " ", count: 4 - number.count)
            trace.event("\(number)\(padding)\(activity)")
            guard activity == .beforeWaiting else { return }

            // Another thread wakes the loop: first with an event, then with a stop.
            let count = rests.add(1, ordering: .relaxed).newValue
            let thread = RLThread {
                if count > 1 { return RLRunLoopStop(loop) }
                RLRunLoopSourceSignal(source)
                RLRunLoopWakeUp(loop)
            }
            thread.start()
            thread.join()
        }

        RLRunLoopAddSource(loop, source, .defaultMode)
        RLRunLoopAddObserver(loop, observer, .defaultMode)
        let result = RLRunLoopRunInMode(.defaultMode, 10, false)
        RLRunLoopObserverInvalidate(observer)
        RLRunLoopSourceInvalidate(source)

        trace.check(result == .stopped, "the run was stopped; it \(result)")
        let rest = ["32  beforeWaiting", "64  afterWaiting"]
        let pass = ["2   beforeTimers", "4   beforeSources"]
        trace.expect(
            ["1   entry"] + pass + rest
                + pass + ["    the source is performed"]
                + pass + rest + ["128 exit"]
        )
    }
}
