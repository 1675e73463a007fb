import CRunLoop.Wrapping
public import CoreRunLoop

/// A thread that performs tasks in order until it is stopped or released.
///
/// ```swift
/// let worker = RLPermanentThread(name: "parser")
/// worker.execute { parse(data) }
/// worker.stop()
/// ```
///
/// The thread also serves items that tasks add to its loop in default mode, such as timers. When
/// the last reference is released, the thread ends after its tasks.
///
/// Foundation has no counterpart.
public final class RLPermanentThread: Sendable {
    private let thread: RLThread
    // Retained here, because the thread's object releases the loop when the thread ends.
    private let ownLoop = Locked<RLRunLoopRef?>(nil)

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: The name that debuggers show.
    ///   - stackSize: See ``RLThread/stackSize``; 0 for the system's default.
    public init(name: String? = nil, stackSize: Int = 0) {
        thread = RLThread { [ownLoop] in
            ownLoop.withLock { $0 = RLRunLoopGetCurrent() }
            Self.serve()
        }
        thread.name = name
        thread.stackSize = stackSize
        thread.start()
    }

    deinit {
        stop()
    }

    private static let isStopped = "RLPermanentThread.isStopped"

    /// Runs the loop until the thread is stopped.
    ///
    /// A run that returns after each source would sort all signalled sources again for each source.
    private static func serve() {
        let keepAlive = RLRunLoopSourceCreate(perform: {})
        RLRunLoopAddSource(RLRunLoopGetCurrent(), keepAlive, .defaultMode)
        while RLThread.current.ownDictionary[isStopped] == nil {
            RLRunLoopRunInMode(.defaultMode, .infinity, false)
        }
    }

    /// The thread's run loop, which any thread may use.
    ///
    /// Pass the loop to functions of `CoreRunLoop`, such as `RLRunLoopAddTimer`. To perform a block
    /// on the thread, call ``execute(waitUntilDone:modes:_:)``; in the block, `RLRunLoop.current`
    /// is the same loop as an object. The reference stays valid after the thread has ended, but the
    /// loop never runs again.
    public var runLoop: RLRunLoopRef {
        guard let loop = thread.runLoop ?? ownLoop.withLock({ $0 }) else {
            stopProcess(
                "RLPermanentThread.runLoop",
                "internal error: the thread did not start: please report it"
            )
        }
        return loop
    }

    /// Performs a task on the thread, after earlier tasks.
    ///
    /// - Parameters:
    ///   - wait: Whether to wait until the task was performed. If the caller is on the thread
    ///     itself and waits, the task is performed immediately. Two threads that wait for each
    ///     other deadlock.
    ///   - modes: The modes in which the loop may perform the task. The thread runs its loop in
    ///     default mode; a task may run the loop in other modes. If the array is empty, the task is
    ///     never performed, and the call does not wait.
    ///   - task: The task.
    /// - Returns: Whether the task was performed or, if the call does not wait, was queued. False
    ///   if the thread was stopped.
    @discardableResult
    public func execute(
        waitUntilDone wait: Bool = false,
        modes: [RLRunLoop.Mode] = [.default],
        _ task: @escaping @Sendable () -> Void
    ) -> Bool {
        thread.perform(waitUntilDone: wait, modes: modes, task)
    }

    /// Ends the thread after its queued tasks.
    ///
    /// Later tasks are rejected. Idempotent. A task may call this function.
    public func stop() {
        // The queue rejects the block if the thread was already stopped, or if a task has ended the
        // thread.
        _ = thread.queue?.add(modes: [.default], isLast: true) {
            RLThread.current.ownDictionary[Self.isStopped] = true
            // If a task runs the loop, its nested run may call this block: end the outermost run.
            RLRunLoopEndOutermostRun()
        }
    }

    /// Waits until the thread has ended.
    ///
    /// Call ``stop()`` first: otherwise the call waits until a task or another thread stops the
    /// thread. The thread must not wait for itself.
    public func join() {
        thread.join()
    }
}

extension RLPermanentThread: CustomStringConvertible {
    /// The thread's name and number, and whether it was stopped.
    public var description: String {
        let takesTasks = thread.queue?.takesBlocks ?? false
        return describe(self, "\(takesTasks ? "takes tasks" : "stopped"), \(thread)")
    }
}
