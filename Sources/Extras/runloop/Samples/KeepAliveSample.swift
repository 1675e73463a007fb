import CoreRunLoop
import Dispatch
import Synchronization

/// A thread that waits for work for as long as it is wanted.
struct KeepAliveSample: Sample {
    let name = "keep-alive"
    let summary = "a thread that is kept alive, takes tasks and stops"

    func run(_ trace: Trace) throws {
        let here = currentThreadNumber()
        let thread = try TaskThread()

        for task in 1...3 {
            thread.perform {
                trace.event("task \(task), on another thread: \(currentThreadNumber() != here)")
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

/// A thread whose loop has a source that never fires: without one it would end at once.
private final class TaskThread {
    private let loop: RLRunLoopRef
    private let worker: Worker

    init() throws {
        let started = Started()
        worker = Worker {
            let idle = RLRunLoopSourceCreate {}
            RLRunLoopAddSource(RLRunLoopGetCurrent(), idle, .defaultMode)
            started.report(RLRunLoopGetCurrent())
            RLRunLoopRun()
        }
        loop = try unwrap(started.loop(), "The thread has no loop.")
    }

    func perform(_ task: @escaping @Sendable () -> Void) {
        RLRunLoopPerformBlock(loop, .defaultMode, task)
        RLRunLoopWakeUp(loop)
    }

    func join() {
        worker.join()
    }
}

/// Hands the loop of a new thread to the one that started it.
private final class Started: Sendable {
    private let result = Mutex<RLRunLoopRef?>(nil)
    private let ready = DispatchSemaphore(value: 0)

    func report(_ loop: RLRunLoopRef?) {
        result.withLock { $0 = loop }
        ready.signal()
    }

    func loop() -> RLRunLoopRef? {
        ready.wait()
        return result.withLock { $0 }
    }
}
