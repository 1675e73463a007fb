public import CoreRunLoop
import RunLoopKit

/// An executor that runs the jobs of actors and tasks on the thread of a run loop.
///
/// This actor runs on a loop's thread:
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
/// In each pass, the loop runs jobs before blocks, sources and timers. Jobs with a higher priority
/// run first; jobs with the same priority run in the order in which they were enqueued. To prevent
/// starvation, every sixteenth job is the oldest job. A task that awaits a timer, a descriptor, a
/// message of a port, a connection or a stream of the loop resumes in the callback of that event.
/// Enqueuing a job takes no lock and wakes a sleeping loop once. If a job runs the loop, no other
/// job of the executor starts during that run, because actors are not reentrant inside a job; the
/// main queue has the same rule.
///
/// The loop must run in one of the executor's modes. As long as the executor exists, these modes
/// are not empty.
///
/// CF has no counterpart.
public final class RLRunLoopExecutor: SerialExecutor, TaskExecutor {
    /// The handling of jobs after the loop's thread has ended.
    ///
    /// With either policy, an `isolated deinit` runs on the executor's dispatch queue, because code
    /// that releases an actor cannot check whether the actor's thread still runs.
    public enum OrphanPolicy: Sendable {
        /// Enqueuing a job after the thread has ended stops the process with a message.
        case trap
        /// Jobs run one at a time on a dispatch queue of the executor.
        ///
        /// A warning is logged once.
        case runElsewhere
    }

    /// The executor's loop.
    public let loop: RLRunLoopRef

    private let runner: JobRunner
    // Both items are in the loop: the source keeps the modes nonempty, and the observer runs jobs
    // in each pass.
    private let keepAlive: RLRunLoopSourceRef
    private let observer: RLRunLoopObserverRef

    /// Creates an executor.
    ///
    /// - Parameters:
    ///   - loop: The loop, of any thread.
    ///   - modes: The modes in which the loop runs jobs, at least one; by default all common modes.
    ///   - orphans: The handling of jobs after the loop's thread has ended.
    public init(
        loop: RLRunLoopRef,
        modes: [RLRunLoopMode] = [.commonModes],
        orphans: OrphanPolicy = .trap
    ) {
        if modes.isEmpty {
            stopProcess(
                "RLRunLoopExecutor.init",
                "argument `modes` is empty: pass at least one mode"
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

    /// Enqueues a job of an actor; called by the runtime, on any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        runner.add(QueuedJob(job: UnownedJob(job), target: .serialExecutor))
    }

    /// Enqueues a job of a task that prefers this executor; called by the runtime, on any thread.
    @_implements(TaskExecutor,enqueue(_:))
    public func enqueueTask(_ job: consuming ExecutorJob) {
        runner.add(QueuedJob(job: UnownedJob(job), target: .taskExecutor))
    }

    /// Returns the value for the `unownedExecutor` property of an actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Returns the value for task executor preferences.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Returns whether the calling code is isolated to this executor: the code runs on the loop's
    /// thread or, after the thread has ended, in a job on the dispatch queue.
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
            "code that is isolated to the run loop of thread "
                + "\(describeThread(numbers.threadID)) runs on thread "
                + "\(describeCurrentThread()): await it, or perform it on that run loop"
        )
    }
}

extension RLRunLoopExecutor: LoopExecutor {}

extension RLRunLoopExecutor {
    /// Runs a function and all tasks that it starts on the loop's thread, including tasks outside
    /// any actor.
    ///
    /// This only applies to jobs that the loop's thread enqueues during the function. Other jobs
    /// run on Swift's own threads.
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
    /// The address of the executor, and the thread of the loop.
    public var description: String {
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        return describe(self, "jobs run on thread \(describeThread(numbers.threadID))")
    }
}

/// The existence of this symbol makes the main loop run the `async` main of a program that links
/// this module.
///
/// Never called: `swift_runtime.c` looks up the symbol.
@_cdecl("rl_swift_runs_async_main")
func runsAsyncMain() {}
