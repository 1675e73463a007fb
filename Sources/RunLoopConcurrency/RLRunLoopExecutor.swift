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
/// A pass of the loop runs jobs before its blocks, sources and timers: higher priorities first,
/// equal ones in the order in which they were enqueued; every sixteenth job is the one that has
/// waited longest. Enqueuing a job takes no lock, and wakes a sleeping loop once. While a job runs
/// the loop itself, no other job of the executor begins, as actors are not re-entered; the main
/// queue has the same rule.
///
/// The loop must run in one of the executor's modes. As long as the executor lives, runs in these
/// modes do not end for lack of work.
public final class RLRunLoopExecutor: SerialExecutor, TaskExecutor {
    /// The place for jobs when the loop's thread has ended.
    ///
    /// An `isolated deinit` runs in either case, on the dispatch queue: code that releases an actor
    /// cannot know whether its thread still runs.
    public enum OrphanPolicy: Sendable {
        /// The process stops with one line, in the call that relied on the thread.
        case trap
        /// They run on a dispatch queue of the executor's own, one at a time, and a line says so,
        /// once.
        case runElsewhere
    }

    /// The executor's loop.
    public let loop: RLRunLoopRef

    private let runner: JobRunner
    // They are in the loop: what keeps it from running out of work, and what runs jobs in its
    // passes.
    private let keepAlive: RLRunLoopSourceRef
    private let observer: RLRunLoopObserverRef

    /// Makes an executor.
    ///
    /// - Parameters:
    ///   - loop: The loop, of any thread.
    ///   - modes: The modes in which it runs jobs, at least one; by default all common ones.
    ///   - orphans: What becomes of jobs when the loop's thread has ended.
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
        runner.adopt(self)
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
        runner.add(QueuedJob(job: UnownedJob(job), isActors: true))
    }

    /// Adds the job of a task that prefers this executor.
    ///
    /// Called by the runtime, on any thread.
    @_implements(TaskExecutor,enqueue(_:))
    public func enqueueTask(_ job: consuming ExecutorJob) {
        runner.add(QueuedJob(job: UnownedJob(job), isActors: false))
    }

    /// The executor for the `unownedExecutor` of an actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// The executor for task preferences.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Whether the calling code may touch what is isolated to this executor: it runs on the loop's
    /// thread or, when that has ended, in a job that runs elsewhere.
    public func isIsolatingCurrentContext() -> Bool? {
        runner.isIsolatingCurrentContext
    }

    /// Stops the process, with a line, if the calling code is not isolated to this executor.
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

extension RLRunLoopExecutor: CustomStringConvertible {
    /// The address, and the thread of the loop.
    public var description: String {
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        return describe(self, "jobs run on thread \(describeThread(numbers.threadID))")
    }
}
