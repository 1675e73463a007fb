public import CoreRunLoop
import RunLoopKit

/// Runs the jobs of actors and tasks on the thread of a run loop.
///
/// An actor that is pinned to a loop's thread:
///
/// ```swift
/// actor Meter {
///     nonisolated let executor: RLRunLoopExecutor
///     nonisolated var unownedExecutor: UnownedSerialExecutor {
///         executor.asUnownedSerialExecutor()
///     }
///
///     init(_ loop: RLRunLoopRef) {
///         executor = RLRunLoopExecutor(loop: loop)
///     }
/// }
/// ```
///
/// A pass of the loop runs jobs before its blocks, sources and timers. Higher priorities run first,
/// equal ones in the order of enqueuing. To prevent starvation, every sixteenth job is the oldest
/// one. A task that an event of the loop resumes, such as a timer of ``/RunLoopKit/RLTimer`` or
/// bytes of a stream, runs in the event's callback. Enqueuing takes no lock and wakes a sleeping
/// loop once. While a job runs the loop, no other
/// job of the executor starts, because actors are not reentrant there; the main queue has the same
/// rule.
///
/// The loop must run in one of the executor's modes. During the executor's lifetime, runs in these
/// modes do not end for lack of work.
///
/// Ours, no CF counterpart.
public final class RLRunLoopExecutor: SerialExecutor, TaskExecutor {
    /// The handling of jobs after the loop's thread has ended.
    ///
    /// An `isolated deinit` always runs on the dispatch queue then, because code that releases an
    /// actor cannot know whether its thread still runs.
    public enum OrphanPolicy: Sendable {
        /// The call that relied on the thread stops the process with a message.
        case trap
        /// They run one at a time on a dispatch queue of the executor, which is logged once.
        case runElsewhere
    }

    /// The executor's loop.
    public let loop: RLRunLoopRef

    private let runner: JobRunner
    // Both are in the loop: the source keeps it nonempty, and the observer runs jobs in its passes.
    private let keepAlive: RLRunLoopSourceRef
    private let observer: RLRunLoopObserverRef

    /// Makes an executor.
    ///
    /// - Parameters:
    ///   - loop: The loop, of any thread.
    ///   - modes: The modes in which it runs jobs, at least one; by default all common ones.
    ///   - orphans: The handling of jobs after the loop's thread has ended.
    public init(
        loop: RLRunLoopRef,
        modes: [RLRunLoopMode] = [.commonModes],
        orphans: OrphanPolicy = .trap
    ) {
        if modes.isEmpty {
            stopProcess(
                "RLRunLoopExecutor.init",
                "argument `modes` is empty: no job could ever run"
            )
        }
        self.loop = loop
        let runner = JobRunner(loop: loop, orphans: orphans)
        self.runner = runner
        keepAlive = RLRunLoopSourceCreate(cancel: { _, _ in runner.close() }, perform: {})
        observer = RLRunLoopObserverCreate(activities: .beforeSources, order: .min) { _, _ in
            runner.runInPass()
        }
        runner.adopt(self, observer)
        for mode in modes {
            RLRunLoopAddObserver(loop, observer, mode)
            RLRunLoopAddSource(loop, keepAlive, mode)
            if !RLRunLoopContainsSource(loop, keepAlive, mode) { runner.closeWithoutThread() }
        }
    }

    deinit {
        runner.retire()
        RLRunLoopObserverInvalidate(observer)
        RLRunLoopSourceInvalidate(keepAlive)
    }

    /// The main loop's executor.
    public static let main = RLRunLoopExecutor(loop: RLRunLoopGetMain())

    /// Adds an actor's job.
    ///
    /// Called by the runtime, on any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        runner.add(QueuedJob(job: UnownedJob(job), target: .serialExecutor))
    }

    /// Adds the job of a task that prefers this executor.
    ///
    /// Called by the runtime, on any thread.
    @_implements(TaskExecutor,enqueue(_:))
    public func enqueueTask(_ job: consuming ExecutorJob) {
        runner.add(QueuedJob(job: UnownedJob(job), target: .taskExecutor))
    }

    /// The executor for the `unownedExecutor` of an actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// The executor for task preferences.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Whether the calling code is isolated to this executor: it runs on the loop's thread or,
    /// after that has ended, in a job on the dispatch queue.
    public func isIsolatingCurrentContext() -> Bool? {
        runner.isIsolatingCurrentContext
    }

    /// Stops the process, with a message, if the calling code is not isolated to this executor.
    public func checkIsolated() {
        if runner.isIsolatingCurrentContext { return }
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        stopProcess(
            "RLRunLoopExecutor",
            "code that is isolated to the run loop of thread \(describeThread(numbers.threadID)) "
                + "runs on thread \(describeCurrentThread())"
        )
    }
}

extension RLRunLoopExecutor: LoopExecutor {}

extension RLRunLoopExecutor {
    /// Runs a function whose tasks all run on the loop's thread, including tasks outside any actor.
    ///
    /// Jobs are taken during the function; later jobs, and those of other threads, run on Swift's
    /// own threads.
    package func withAllTasks<Success>(
        _ function: () async throws -> Success
    ) async rethrows -> Success {
        try await withTaskExecutorPreference(self) {
            runner.startTakingJobs()
            defer { runner.stopTakingJobs() }
            return try await function()
        }
    }
}

extension RLRunLoopExecutor: CustomStringConvertible {
    /// The address, and the thread of the loop.
    public var description: String {
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        return describe(self, "jobs run on thread \(describeThread(numbers.threadID))")
    }
}

/// Its presence makes the main loop run the `async` main of a program that links this module.
///
/// Never called: `swift_runtime.c` looks up the symbol.
@_cdecl("rl_swift_runs_async_main")
func runsAsyncMain() {}
