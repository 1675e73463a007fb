import CoreRunLoop

/// The six activities of the main loop: when it starts, when something happens, when it rests.
struct ObserverLogSample: Sample {
    let name = "observers"
    let summary = "what an observer of the main loop sees at start, on an event and at rest"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let loop = try unwrap(RLRunLoopGetMain(), "There is no main loop.")
        let source = RLRunLoopSourceCreate { trace.event("    the source is performed") }
        let rests = Counter()
        let observer = RLRunLoopObserverCreate(activities: .allActivities) { _, activity in
            trace.event("\(padded("\(activity.rawValue)", to: 3)) \(activity)")
            guard activity == .beforeWaiting else { return }

            // Other threads do what wakes the loop: the first time an event, then the end.
            if rests.countUp() == 1 {
                Worker {
                    RLRunLoopSourceSignal(source)
                    RLRunLoopWakeUp(loop)
                }.join()
            } else {
                Worker { RLRunLoopStop(loop) }.join()
            }
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
