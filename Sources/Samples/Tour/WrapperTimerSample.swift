import RunLoopKit

/// Timers in several modes, with the object API.
struct WrapperTimerSample: Sample {
    let name = "object-timers"
    let summary = "timers as objects, in default mode and in common modes"

    func run(_ trace: Trace) throws {
        let loop = RLRunLoop.current
        RLRunLoopAddCommonMode(loop.getRLRunLoop(), RLRunLoop.Mode.tracking.mode)
        let ordinary = RLTimer.scheduledTimer(withTimeInterval: 0.003, repeats: true) { _ in
            trace.event(
                "the scheduled timer fires, in mode \(loop.currentMode?.rawValue ?? "none")"
            )
            RLRunLoopStop(loop.getRLRunLoop())
        }
        // Add a timer to the tracking mode, so the mode is not empty while the user drags.
        loop.add(RLTimer(timeInterval: 1000, repeats: false) { _ in }, forMode: .tracking)
        trace.remark("scheduledTimer adds to default mode: in tracking mode it rests")
        loop.run(mode: .default, before: .distantFuture)
        loop.run(mode: .tracking, for: .milliseconds(8))
        ordinary.invalidate()
        trace.expect(["the scheduled timer fires, in mode kRLRunLoopDefaultMode"])

        trace.remark("a timer in the common modes fires")
        let common = RLTimer(timeInterval: 0.003, repeats: true) { _ in
            trace.event("the common timer fires, in mode \(loop.currentMode?.rawValue ?? "none")")
            RLRunLoopStop(loop.getRLRunLoop())
        }
        loop.add(common, forMode: .common)
        loop.run(mode: .default, before: .distantFuture)
        loop.run(mode: .tracking, before: .distantFuture)
        common.invalidate()
        trace.expect([
            "the common timer fires, in mode kRLRunLoopDefaultMode",
            "the common timer fires, in mode RLTrackingRunLoopMode",
        ])
    }
}
