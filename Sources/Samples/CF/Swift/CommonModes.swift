// While the user drags, the loop runs in a tracking mode. A timer in the common modes continues to
// fire; a timer only in the default mode waits.

import CFCompatibility

private let tracking = CFRunLoopMode("com.example.tracking" as CFString)

private func makeTimer(_ title: String) -> CFRunLoopTimer {
    CFRunLoopTimerCreateWithHandler(
        kCFAllocatorDefault,
        CFAbsoluteTimeGetCurrent(),
        3600,
        0,
        0
    ) { _ in
        let isTracking = CFRunLoopCopyCurrentMode(CFRunLoopGetCurrent()) == tracking
        print("\(title) fires while \(isTracking ? "tracking" : "not tracking")")
    }
}

private func describe(_ title: String, _ timer: CFRunLoopTimer) {
    let loop = CFRunLoopGetCurrent()
    let isThere = CFRunLoopContainsTimer(loop, timer, tracking)
    print("\(title) is in the tracking mode: \(isThere)")
}

func sampleCommonModes() {
    let loop = CFRunLoopGetCurrent()
    let meter = makeTimer("the meter")
    let cursor = makeTimer("the cursor")
    CFRunLoopAddTimer(loop, meter, .commonModes)
    CFRunLoopAddTimer(loop, cursor, .defaultMode)

    describe("the meter", meter)
    CFRunLoopAddCommonMode(loop, tracking)
    describe("the meter", meter)
    describe("the cursor", cursor)

    CFRunLoopRunInMode(tracking, 0, false)
    CFRunLoopTimerSetNextFireDate(meter, CFAbsoluteTimeGetCurrent() - 1)
    CFRunLoopTimerSetNextFireDate(cursor, CFAbsoluteTimeGetCurrent())
    CFRunLoopRunInMode(.defaultMode, 0, false)

    CFRunLoopRemoveTimer(loop, meter, .commonModes)
    describe("the meter", meter)
    CFRunLoopTimerInvalidate(cursor)
}
