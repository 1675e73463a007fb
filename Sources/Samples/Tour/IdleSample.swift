import RunLoopKit

/// Prepares rows when the loop is idle, as lists do to scroll smoothly.
struct IdleSample: Sample {
    let name = "idle"
    let summary = "work in slices when the loop has nothing else to do, never while the user drags"

    func run(_ trace: Trace) throws {
        let loop = RLRunLoop.current
        let reference = loop.getRLRunLoop()
        RLRunLoopAddCommonMode(reference, RLRunLoop.Mode.tracking.mode)
        let queue = RLIdleQueue(sliceBudget: .zero)
        let touch = RLRunLoopSourceCreate { trace.event("a touch is served between the slices") }
        RLRunLoopAddSource(reference, touch, .defaultMode)
        for row in 1...4 {
            queue.add {
                trace.event("row \(row) is prepared")
                if row == 2 { RLRunLoopSourceSignal(touch) }
                if row == 4 { RLRunLoopSourceInvalidate(touch) }
            }
        }
        queue.sender.add { trace.event("an entry of another thread is last") }

        trace.remark("the user drags: the loop runs in tracking mode")
        loop.perform(afterDelay: 0.002, inModes: [.tracking]) { trace.event("the drag is over") }
        RLRunLoopRunInMode(RLRunLoop.Mode.tracking.mode, 10, false)
        let result = RLRunLoopRunInMode(.defaultMode, 10, false)

        trace.check(result == .finished, "an empty queue keeps no run going; it \(result)")
        trace.expect([
            "the drag is over",
            "row 1 is prepared",
            "row 2 is prepared",
            "a touch is served between the slices",
            "row 3 is prepared",
            "row 4 is prepared",
            "an entry of another thread is last",
        ])
    }
}
