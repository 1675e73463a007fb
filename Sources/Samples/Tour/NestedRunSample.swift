import CoreRunLoop

/// A nested run, as a modal dialog uses it.
///
/// A stop ends only the inner run.
struct NestedRunSample: Sample {
    let name = "nested"
    let summary = "a run inside a run, and which of them a stop ends"

    func run(_ trace: Trace) throws {
        guard let loop = RLRunLoopGetCurrent() else { return trace.fail("there is no loop") }
        let modal: RLRunLoopMode = "modal"
        let closer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent() + 0.01) { _ in
            trace.event("a timer in \(mode(of: loop)) stops the loop")
            RLRunLoopStop(loop)
        }
        let waiter = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent()) { _ in
            trace.event("a timer in \(mode(of: loop)) stops the loop")
            RLRunLoopStop(loop)
        }
        RLRunLoopAddTimer(loop, closer, modal)
        RLRunLoopPerformBlock(loop, .defaultMode) {
            trace.event("a block in \(mode(of: loop)) runs the loop in modal")
            let result = RLRunLoopRunInMode(modal, 10, false)
            trace.event("the inner run \(result); the loop is in \(mode(of: loop))")
            RLRunLoopAddTimer(loop, waiter, .defaultMode)
        }

        let result = RLRunLoopRunInMode(.defaultMode, 10, false)
        trace.event("the outer run \(result); the loop is in \(mode(of: loop))")

        trace.expect([
            "a block in kRLRunLoopDefaultMode runs the loop in modal",
            "a timer in modal stops the loop",
            "the inner run stopped; the loop is in kRLRunLoopDefaultMode",
            "a timer in kRLRunLoopDefaultMode stops the loop",
            "the outer run stopped; the loop is in no mode",
        ])
    }
}

private func mode(of loop: RLRunLoopRef) -> String {
    RLRunLoopCopyCurrentMode(loop)?.description ?? "no mode"
}
