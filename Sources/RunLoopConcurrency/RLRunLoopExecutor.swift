import CRunLoop.Wrapping
public import CoreRunLoop
import Dispatch
import RunLoopKit
import Synchronization

/// Runs the jobs of actors and tasks on the thread of a run loop.
///
/// An actor that is pinned to a loop's thread:
///
/// ```swift
/// actor Meter {
///     nonisolated let executor: RLRunLoopExecutor
///     nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///
///     init(_ loop: RLRunLoopRef) {
///         executor = RLRunLoopExecutor(loop: loop)
///     }
/// }
/// ```
///
/// A pass of the loop runs jobs after its timers, before its sources: those of a higher priority
/// first, equal ones in the order in which they were enqueued. To enqueue a job takes no lock, and
/// wakes a sleeping loop once. A job that runs the loop itself does not let other jobs of the
/// executor in, as an actor is not to be entered twice; the main queue has the same rule.
///
/// The loop has to run in one of the executor's modes; as long as the executor lives, it does not
/// run out of work there.
public final class RLRunLoopExecutor: SerialExecutor, TaskExecutor {
    /// What becomes of jobs when the loop's thread has ended.
    public enum OrphanPolicy: Sendable {
        /// The process stops with one line: whoever relied on the thread can be found.
        case trap
        /// They run on a dispatch queue of the executor's own, one at a time, and a line says so, once.
        case runElsewhere
    }

    /// The executor's loop.
    public let loop: RLRunLoopRef

    private let orphanPolicy: OrphanPolicy
    private let jobs = JobQueue()
    private let isClosed = Atomic(false)
    private let wasWarned = Atomic(false)
    private let bell = Locked<Bell?>(nil)
    private let elsewhere = DispatchQueue(label: "RLRunLoopExecutor without a run loop")
    // What has been taken and waits for its turn. Only the loop's thread, and `elsewhere` after its
    // end, use it.
    private nonisolated(unsafe) var waiting = JobList()
    private nonisolated(unsafe) var isRunningJob = false

    /// How the executor is reached from its loop.
    private struct Bell: Sendable {
        let keeper: RLRunLoopSourceRef
        let observer: RLRunLoopObserverRef
    }

    /// After so many jobs the loop gets to serve something else.
    private static let jobsPerPass = 512

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
        self.orphanPolicy = orphans
        let keeper = RLRunLoopSourceCreate(
            cancel: { [weak self] _, _ in self?.close() },
            perform: {}
        )
        let observer = RLRunLoopObserverCreate(activities: .beforeSources, order: .min) {
            [weak self] _, _ in self?.runJobs()
        }
        bell.withLock { $0 = Bell(keeper: keeper, observer: observer) }
        for mode in modes {
            RLRunLoopAddObserver(loop, observer, mode)
            RLRunLoopAddSource(loop, keeper, mode)
            if !RLRunLoopContainsSource(loop, keeper, mode) { close() }
        }
    }

    deinit {
        let bell = bell.withLock { $0 }
        if let bell {
            RLRunLoopObserverInvalidate(bell.observer)
            RLRunLoopSourceInvalidate(bell.keeper)
        }
    }

    /// The main loop's executor.
    public static let main = RLRunLoopExecutor(loop: RLRunLoopGetMain())

    /// Adds an actor's job.
    ///
    /// Called by the runtime, on any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        add(QueuedJob(job: UnownedJob(job), isActors: true))
    }

    /// Adds the job of a task that prefers this executor.
    ///
    /// Called by the runtime, on any thread.
    @_implements(TaskExecutor,enqueue(_:))
    public func enqueueTask(_ job: consuming ExecutorJob) {
        add(QueuedJob(job: UnownedJob(job), isActors: false))
    }

    private func add(_ job: QueuedJob) {
        let isFirst = jobs.push(job)
        if isClosed.load(ordering: .sequentiallyConsistent) {
            runOrphans()
        } else if isFirst {
            RLRunLoopWakeUp(loop)
        }
    }

    /// The executor as actors want it in their `unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// The executor as the runtime wants it for task preferences.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Whether the calling code may touch what is isolated to this executor: it runs on the loop's
    /// thread.
    public func isIsolatingCurrentContext() -> Bool? {
        RLRunLoopIsCurrent(loop)
    }

    /// Stops the process, with a line, if the calling code does not run on the loop's thread.
    public func checkIsolated() {
        if RLRunLoopIsCurrent(loop) { return }
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        stopProcess(
            "RLRunLoopExecutor",
            "code that is isolated to the run loop of thread \(describeThread(numbers.threadID)) "
                + "runs on thread \(describeCurrentThread())"
        )
    }

    /// Whether one of the executor's jobs runs at this moment, perhaps around a nested run.
    var isInJob: Bool {
        RLRunLoopIsCurrent(loop) && isRunningJob
    }

    /// Runs what is enqueued; on the loop's thread.
    private func runJobs() {
        if isRunningJob { return }
        var left = Self.jobsPerPass
        while left > 0 {
            // Whatever has come meanwhile may be more urgent than what waits.
            jobs.takeAll { waiting.append($0) }
            guard let job = waiting.popFirst() else { return }
            run(job)
            left -= 1
        }
        if waiting.count > 0 || !jobs.isEmpty { RLRunLoopWakeUp(loop) }
    }

    private func run(_ queued: QueuedJob) {
        isRunningJob = true
        // As what it was enqueued, or the runtime would enqueue it again with each call.
        if queued.isActors {
            queued.job.runSynchronously(on: asUnownedSerialExecutor())
        } else {
            queued.job.runSynchronously(on: asUnownedTaskExecutor())
        }
        isRunningJob = false
    }

    /// The loop's thread ends; told once for each mode.
    private func close() {
        if isClosed.load(ordering: .sequentiallyConsistent) { return }
        // From the moment on in which others see the flag, what waits is theirs.
        let isWaiting = waiting.count > 0
        isClosed.store(true, ordering: .sequentiallyConsistent)
        if isWaiting || !jobs.isEmpty { runOrphans() }
    }

    private func runOrphans() {
        guard orphanPolicy == .runElsewhere else {
            stopProcess(
                "RLRunLoopExecutor",
                "a job was enqueued on a run loop whose thread has ended"
            )
        }
        warnOfOrphans()
        elsewhere.async { [self] in
            jobs.takeAll { waiting.append($0) }
            while let job = waiting.popFirst() { run(job) }
        }
    }

    /// Once for all jobs that are still to come.
    private func warnOfOrphans() {
        if wasWarned.exchange(true, ordering: .relaxed) { return }
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        warn(
            "RLRunLoopExecutor",
            "the run loop's thread \(numbers.threadID) has ended: jobs run on a dispatch queue"
        )
    }
}
