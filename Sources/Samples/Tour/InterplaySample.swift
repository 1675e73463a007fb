import Dispatch
import RunLoopKit

/// A block, a source, a timer and an item of the main dispatch queue, which are ready at the same
/// time.
struct InterplaySample: Sample {
    let name = "interplay"
    let summary =
        "who comes first on the main thread, and where delayed performs and asyncAfter run"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let loop = RLRunLoop.current
        let reference = loop.getRLRunLoop()
        let rest = loop.observe(.beforeWaiting) { _, _ in trace.event("before waiting") }
        let source = RLRunLoopSourceCreate { trace.event("the source") }
        RLRunLoopAddSource(reference, source, .defaultMode)
        RLRunLoopSourceSignal(source)
        DispatchQueue.main.async {
            trace.event("an item of the main queue")
            DispatchQueue.main.async {
                trace.event("an item that was added by it")
                RLRunLoopStop(reference)
            }
            RLRunLoop.main.perform { trace.event("a block that was added by it") }
        }
        loop.perform(afterDelay: 0) { trace.event("a delayed perform, which is a timer") }
        loop.perform { trace.event("the block") }
        RLRunLoopRun()
        rest.invalidate()
        RLRunLoopSourceInvalidate(source)
        trace.expect([
            "the block",
            "the source",
            "a delayed perform, which is a timer",
            "an item of the main queue",
            "a block that was added by it",
            "before waiting",
            "an item that was added by it",
        ])
        compareDelays(trace, loop)
    }

    /// The loop serves the main queue in all common modes, but a delayed perform only in default
    /// mode.
    private func compareDelays(_ trace: Trace, _ loop: RLRunLoop) {
        let reference = loop.getRLRunLoop()
        let tracking = RLRunLoop.Mode.tracking
        RLRunLoopAddCommonMode(reference, tracking.mode)
        // An empty mode cannot be run, so add a source.
        let keepAlive = RLRunLoopSourceCreate {}
        RLRunLoopAddSource(reference, keepAlive, tracking.mode)
        trace.remark("the user drags: the loop runs in tracking mode, a common one")
        loop.perform(afterDelay: 0.001) {
            trace.event("the perform, in \(loop.currentMode?.rawValue ?? "no mode")")
            RLRunLoopStop(reference)
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.005) {
            let mode = RLRunLoop.main.currentMode?.rawValue ?? "no mode"
            trace.event("asyncAfter, in \(mode)")
            RLRunLoopStop(reference)
        }
        RLRunLoopRunInMode(tracking.mode, 10, false)
        trace.remark("the drag is over")
        RLRunLoopRun()
        RLRunLoopSourceInvalidate(keepAlive)
        trace.expect([
            "asyncAfter, in RLTrackingRunLoopMode",
            "the perform, in kRLRunLoopDefaultMode",
        ])
    }
}
