// While the user drags, a loop runs in a tracking mode. What is in the common modes goes on; what
// is in the default mode only waits.

import CoreRunLoop

private let tracking = RLRunLoopMode(RLStringCreate("com.example.tracking"))

private func makeTimer(_ title: String) -> RLRunLoopTimerRef {
    RLRunLoopTimerCreateWithHandler(
        kRLAllocatorDefault,
        RLAbsoluteTimeGetCurrent(),
        3600,
        0,
        0
    ) { _ in
        let isTracking = RLRunLoopCopyCurrentMode(RLRunLoopGetCurrent()) == tracking
        print("\(title) fires while \(isTracking ? "tracking" : "not tracking")")
    }
}

private func describe(_ title: String, _ timer: RLRunLoopTimerRef) {
    let loop = RLRunLoopGetCurrent()
    let isThere = RLRunLoopContainsTimer(loop, timer, tracking)
    print("\(title) is in the tracking mode: \(isThere)")
}

func sampleCommonModes() {
    let loop = RLRunLoopGetCurrent()
    let meter = makeTimer("the meter")
    let cursor = makeTimer("the cursor")
    RLRunLoopAddTimer(loop, meter, .commonModes)
    RLRunLoopAddTimer(loop, cursor, .defaultMode)

    describe("the meter", meter)
    RLRunLoopAddCommonMode(loop, tracking)
    describe("the meter", meter)
    describe("the cursor", cursor)

    RLRunLoopRunInMode(tracking, 0, false)
    RLRunLoopTimerSetNextFireDate(meter, RLAbsoluteTimeGetCurrent() - 1)
    RLRunLoopTimerSetNextFireDate(cursor, RLAbsoluteTimeGetCurrent())
    RLRunLoopRunInMode(.defaultMode, 0, false)

    RLRunLoopRemoveTimer(loop, meter, .commonModes)
    describe("the meter", meter)
    RLRunLoopTimerInvalidate(cursor)
}
