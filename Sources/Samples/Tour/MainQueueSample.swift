import Dispatch
import RunLoopKit

/// The main loop serves the main dispatch queue, and with it Swift's main actor.
struct MainQueueSample: Sample {
    let name = "main-queue"
    let summary = "DispatchQueue.main and @MainActor run while the main loop runs"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let thread = RLThread {
            DispatchQueue.main.async {
                trace.event(
                    "a work item, \(onThread())"
                )
                Task { @MainActor in
                    trace.event("a task of the main actor, \(onThread())")
                    RLRunLoopStop(RLRunLoopGetMain())
                }
            }
        }
        thread.start()
        thread.join()
        trace.event("nothing runs before the loop does")
        let result = RLRunLoopRunInMode(.defaultMode, 10, false)

        trace.check(result == .stopped, "the run was stopped; it \(result)")
        trace.expect([
            "nothing runs before the loop does",
            "a work item, on the main thread",
            "a task of the main actor, on the main thread",
        ])
    }
}

private func onThread() -> String {
    RLThread.isMainThread ? "on the main thread" : "on another thread"
}
