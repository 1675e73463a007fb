// Observers with closures: two of them, called in their order, for what they asked for.

import CoreRunLoop

private let observed = RLRunLoopMode(RLStringCreate("com.example.observed"))

private func name(of activity: RLRunLoopActivity) -> String {
    switch activity {
    case .entry: return "entry"
    case .beforeTimers: return "before timers"
    case .beforeSources: return "before sources"
    case .beforeWaiting: return "before waiting"
    case .afterWaiting: return "after waiting"
    case .exit: return "exit"
    default: return "something new"
    }
}

private func addObserver(_ title: String, _ activities: RLRunLoopActivity, order: RLIndex) {
    let observer = RLRunLoopObserverCreateWithHandler(
        kRLAllocatorDefault,
        activities.rawValue,
        true,
        order
    ) { observer, activity in
        let order = RLRunLoopObserverGetOrder(observer)
        print("\(title), order \(order): \(name(of: activity))")
    }
    RLRunLoopAddObserver(RLRunLoopGetCurrent(), observer, observed)
}

func sampleObserverHandler() {
    addObserver("all", .allActivities, order: 1)
    addObserver("some", [.entry, .exit], order: -1)

    let timer = RLRunLoopTimerCreateWithHandler(
        kRLAllocatorDefault,
        RLAbsoluteTimeGetCurrent() + 0.01,
        0,
        0,
        0
    ) { timer in
        print("the timer is valid: \(RLRunLoopTimerIsValid(timer))")
    }
    RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, observed)

    let result = RLRunLoopRunInMode(observed, 60, false)
    print("finished: \(result == .finished)")
}
