import RunLoopKit

/// The keep-alive thread of many tutorials, in two lines.
struct PermanentThreadSample: Sample {
    let name = "permanent-thread"
    let summary = "a thread that waits for tasks, keeps timers going, and ends when it is dropped"

    func run(_ trace: Trace) throws {
        let here = RLThread.current
        let worker = RLPermanentThread(name: "worker")
        for task in 1...3 {
            worker.execute {
                trace.event("task \(task), on another thread: \(RLThread.current !== here)")
            }
        }
        worker.execute(waitUntilDone: true) { trace.event("a task that is waited for") }
        trace.event("after it")
        worker.execute {
            RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
                trace.event("a timer of the thread")
                worker.stop()
            }
        }
        worker.join()
        trace.event("the thread has ended")
        trace.expect(
            (1...3).map { "task \($0), on another thread: true" } + [
                "a task that is waited for", "after it", "a timer of the thread",
                "the thread has ended",
            ]
        )
    }
}
