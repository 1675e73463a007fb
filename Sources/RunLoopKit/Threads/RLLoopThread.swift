import CRunLoop.Wrapping
public import CoreRunLoop
import Glibc

/// The members of ``RLThread`` that Foundation's Thread does not have.
///
/// These members are outside the class, so that subclasses that were written for Foundation's class
/// may have members with the same names.
public protocol RLLoopThread: AnyObject {}

extension RLLoopThread where Self: RLThread {
    /// The thread's run loop, which any thread may use.
    ///
    /// Nil before the thread is started and after it has ended. If the thread is starting, the call
    /// waits for the loop. The loop ends with its thread; the thread's object then releases the
    /// loop.
    public var runLoop: RLRunLoopRef? {
        queue?.loop
    }

    /// Waits for the end of the thread and its loop.
    ///
    /// The thread must have been started. Any number of threads may wait. Waiting for the calling
    /// thread itself, or for a thread that was not created with this class, such as
    /// ``RLThread/main``, stops the process.
    ///
    /// While another thread waits for a notification observer on the main queue, a call on the main
    /// thread serves this queue, unless the call is itself in work of the queue.
    ///
    /// Foundation has no such function.
    public func join() {
        if self === RLThread.current {
            stopProcess(
                "RLThread.join()",
                "a thread cannot wait for its own end: call this on another thread"
            )
        }
        let number = numberToJoin()
        let servesMainQueue = RLRunLoopCanDrainMainQueue()
        let wait = MutualWait(
            "RLThread.join()",
            for: RLMutualWaitParties(thread: number, queue: 0, servesMainQueue: servesMainQueue)
        )
        defer { wait.end() }
        if servesMainQueue { serveMainQueueUntilLoopHasEnded() }
        // POSIX permits only one thread to join. Other threads wait for that thread.
        let handle = condition.withLock { state in
            defer { state.isJoined = true }
            return state.isJoined ? nil : state.handle
        }
        if servesMainQueue { serveMainQueue(untilJoined: handle) }
        guard let handle else {
            return condition.wait { state in state.hasEnded ? () : nil }
        }
        if !servesMainQueue { pthread_join(handle, nil) }
        condition.withLock { $0.hasEnded = true }
    }

    /// Waits until the thread runs, and returns its ID, or 0 if it was cancelled before its start.
    private func numberToJoin() -> pid_t {
        condition.wait { state in
            if state.isAdopted {
                stopProcess(
                    "RLThread.join()",
                    "this thread was not created by RLThread: join it with the API that "
                        + "created it, such as pthread_join"
                )
            }
            if state.phase == .new {
                stopProcess("RLThread.join()", "the thread was not started: call start() first")
            }
            return state.isJoined || state.phase != .starting && state.handle != nil
                ? state.number : nil
        }
    }

    private func serveMainQueueUntilLoopHasEnded() {
        guard let loop = queue?.loop else { return }
        let hasEnded = Locked(false)
        let end = LoopEnd {
            hasEnded.withLock { $0 = true }
            MainQueuePost.check()
        }
        end.watch(loop)
        MainQueuePost.serve { hasEnded.withLock { $0 } }
    }

    /// Serves the main queue while the thread releases its loop's items, whose destructors may post
    /// notifications.
    private func serveMainQueue(untilJoined handle: pthread_t?) {
        while true {
            let isOver =
                if var handle { RLThreadTryJoin(&handle) } else {
                    condition.withLock { $0.hasEnded }
                }
            if isOver { return }
            MainQueuePost.servePending()
            usleep(50)
        }
    }

    /// Performs a block on the thread when its loop runs in one of the given modes.
    ///
    /// - Parameters:
    ///   - wait: Whether to wait until the block was performed. If the caller is on the thread
    ///     itself and waits, the block is performed immediately. Two threads that wait for each
    ///     other deadlock.
    ///   - modes: The modes in which the loop may perform the block. If the array is empty, the
    ///     block is never performed, and the call does not wait.
    ///   - block: The block.
    /// - Returns: Whether the block was performed or, if the call does not wait, was queued. False
    ///   if the thread was not started, has ended, or ends before it performs the block.
    @discardableResult
    public func perform(
        waitUntilDone wait: Bool = false,
        modes: [RLRunLoop.Mode] = [.common],
        _ block: @escaping @Sendable () -> Void
    ) -> Bool {
        if wait && self === RLThread.current {
            block()
            return true
        }
        if modes.isEmpty { hintAtNoModes("RLThread.perform(waitUntilDone:modes:_:)") }
        if wait { return modes.isEmpty ? false : performAndWait(modes, block) }
        return add(modes, nil, nil, block)
    }

    private func performAndWait(
        _ modes: [RLRunLoop.Mode],
        _ block: @escaping @Sendable () -> Void
    ) -> Bool {
        let completion = Condition<Bool?>(nil)
        // Waits if the thread is starting.
        _ = queue
        let wait = MutualWait(
            "RLThread.perform(waitUntilDone:modes:_:)",
            for: RLMutualWaitParties(
                thread: condition.withLock { $0.number },
                queue: 0,
                servesMainQueue: false
            )
        )
        defer { wait.end() }
        return add(modes, completion, wait, block) && completion.wait { $0 }
    }

    /// Queues a block; returns false if the block will never be performed.
    ///
    /// Debug builds then log a warning.
    private func add(
        _ modes: [RLRunLoop.Mode],
        _ completion: Condition<Bool?>?,
        _ wait: MutualWait?,
        _ block: @escaping @Sendable () -> Void
    ) -> Bool {
        if let queue, queue.add(modes: modes, completion: completion, wait: wait, block: block) {
            return true
        }
        hint(
            "RLThread.perform",
            "\(self) was stopped, has ended or was not started, so the block is not "
                + "performed: check the result"
        )
        return false
    }
}
