import CoreRunLoop
import Dispatch

/// The main dispatch queue, and with it Swift's main actor, is served by the main loop.
struct MainQueueSample: Sample {
    let name = "main-queue"
    let summary = "DispatchQueue.main and @MainActor run while the main loop runs"
    let needsMainThread = true

    func run(_ trace: Trace) throws {
        let loop = try unwrap(RLRunLoopGetMain(), "There is no main loop.")
        let main = currentThreadNumber()

        Worker {
            DispatchQueue.main.async {
                trace.event("a work item of another thread, on the main thread: \(onThread(main))")
                Task { @MainActor in
                    trace.event("a task of the main actor, on the main thread: \(onThread(main))")
                    RLRunLoopStop(loop)
                }
            }
        }.join()
        trace.event("nothing runs before the loop does")
        let result = RLRunLoopRunInMode(.defaultMode, 10, false)

        trace.check(result == .stopped, "the run was stopped; it \(result)")
        trace.expect([
            "nothing runs before the loop does",
            "a work item of another thread, on the main thread: true",
            "a task of the main actor, on the main thread: true",
        ])
    }
}

private func onThread(_ number: UInt) -> Bool {
    currentThreadNumber() == number
}
