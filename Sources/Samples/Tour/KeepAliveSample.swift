import Dispatch
import RunLoopKit
import Synchronization

/// A thread that waits for work until it is stopped.
struct KeepAliveSample: Sample {
    let name = "keep-alive"
    let summary = "a thread that is kept alive, takes tasks and stops"

    func run(_ trace: Trace) throws {
        let here = RLThread.current
        let thread = TaskThread()

        for task in 1...3 {
            thread.perform {
                trace.event("task \(task), on another thread: \(RLThread.current !== here)")
            }
        }
        thread.perform {
            trace.event("the last task stops the loop")
            RLRunLoopStop(RLRunLoopGetCurrent())
        }
        thread.join()
        trace.event("the thread has ended")

        trace.expect(
            (1...3).map { "task \($0), on another thread: true" }
                + ["the last task stops the loop", "the thread has ended"]
        )
    }
}

// The loop has a source that is never signalled. Without a source, the run would end at once.
private final class TaskThread {
    private let loop: RLRunLoopRef?
    private let thread: RLThread

    init() {
        let ready = DispatchSemaphore(value: 0)
        let started = Mutex<RLRunLoopRef?>(nil)
        thread = RLThread {
            let idle = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), idle, .defaultMode)
            started.withLock { $0 = RLRunLoopGetCurrent() }
            ready.signal()
            RLRunLoopRun()
        }
        thread.start()
        ready.wait()
        loop = started.withLock { $0 }
    }

    func perform(_ task: @escaping @Sendable () -> Void) {
        RLRunLoopPerformBlock(loop, .defaultMode, task)
        RLRunLoopWakeUp(loop)
    }

    func join() {
        thread.join()
    }
}
