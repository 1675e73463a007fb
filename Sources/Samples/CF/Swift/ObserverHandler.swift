// Two observers with closures. At an activity, the loop calls the observers of this activity in
// their order.

import CFCompatibility

private let observed = CFRunLoopMode("com.example.observed" as CFString)

private func name(of activity: CFRunLoopActivity) -> String {
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

private func addObserver(_ title: String, _ activities: CFRunLoopActivity, order: CFIndex) {
    let observer = CFRunLoopObserverCreateWithHandler(
        kCFAllocatorDefault,
        activities.rawValue,
        true,
        order
    ) { observer, activity in
        let order = CFRunLoopObserverGetOrder(observer)
        print("\(title), order \(order): \(name(of: activity))")
    }
    CFRunLoopAddObserver(CFRunLoopGetCurrent(), observer, observed)
}

func sampleObserverHandler() {
    addObserver("all", .allActivities, order: 1)
    addObserver("some", [.entry, .exit], order: -1)

    let timer = CFRunLoopTimerCreateWithHandler(
        kCFAllocatorDefault,
        CFAbsoluteTimeGetCurrent() + 0.01,
        0,
        0,
        0
    ) { timer in
        print("the timer is valid: \(CFRunLoopTimerIsValid(timer))")
    }
    CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, observed)

    let result = CFRunLoopRunInMode(observed, 60, false)
    print("finished: \(result == .finished)")
}
