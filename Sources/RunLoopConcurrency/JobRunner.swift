import CRunLoop
import CRunLoop.Wrapping
import CRunLoopConcurrency
import CoreRunLoop
import Dispatch
import Glibc
import RunLoopKit
import Synchronization

/// Runs the jobs of an executor on the loop's thread or, after the thread has ended, on a dispatch
/// queue.
///
/// The last actor or task may release the executor, even in the executor's last job. The runner
/// lives at least as long as a thread runs the jobs.
final class JobRunner: @unchecked Sendable {
    // Proof: the inbox is atomic. `serialExecutor`, `taskExecutor` and `hasThread` are set before
    // the executor is shared. The other fields are confined to the loop's thread until `finish`,
    // and then to the serial queue `elsewhere`.
    let loop: RLRunLoopRef

    private let inbox = JobInbox()
    private let orphanPolicy: RLRunLoopExecutor.OrphanPolicy
    private let elsewhere = DispatchQueue(label: "RLRunLoopExecutor without a run loop")
    // Unowned: the runtime retains the executor until a job that was enqueued on it has begun.
    private var serialExecutor: UnownedSerialExecutor?
    private var taskExecutor: UnownedTaskExecutor?
    private var hasThread = true
    // The loop runs jobs in the observer's modes. The observer retains this runner until the
    // observer is invalidated.
    private var observer: RLRunLoopObserverRef?
    private var knownMode: RLStringRef?
    // The jobs that were taken from the inbox. Only one thread at a time uses the list, and no
    // client code runs during an access.
    @exclusivity(unchecked) private var waiting = JobList()
    @exclusivity(unchecked) private var isRunning = false
    private var wasWarned = false
    // The runner whose current job runs the loop of this runner.
    private unowned(unsafe) var outer: JobRunner?

    /// The maximum number of jobs per pass, so that the loop also serves other sources.
    private static let jobsPerPass = 512

    init(loop: RLRunLoopRef, orphans: RLRunLoopExecutor.OrphanPolicy) {
        self.loop = loop
        orphanPolicy = orphans
    }

    deinit {
        precondition(inbox.state.hasNoJobs && waiting.count == 0, "jobs are left")
    }

    func adopt(_ executor: RLRunLoopExecutor, _ observer: RLRunLoopObserverRef) {
        self.observer = observer
        serialExecutor = executor.asUnownedSerialExecutor()
        taskExecutor = executor.asUnownedTaskExecutor()
    }

    // --- Any thread ---

    /// Adds a job; the first job in an empty queue wakes the loop, or starts the dispatch queue.
    func add(_ job: QueuedJob) {
        // As soon as the job is visible, another thread may run the job and release the executor,
        // which releases this runner. So the runner is retained first if it is used after the push.
        var kept: Unmanaged<JobRunner>?
        let before = inbox.push(job) { state in
            if state.isClosed && !mayBeOrphan(job) { refuseOrphan() }
            if state.hasNoJobs && kept == nil { kept = Unmanaged.passRetained(self) }
        }
        if let kept { Self.call(kept, after: before) }
    }

    // Not inlined: callers guarantee the lifetime of `self`, so the optimizer could remove the
    // retain and the release.
    @inline(never)
    private static func call(_ kept: Unmanaged<JobRunner>, after before: JobInbox.State) {
        let runner = kept.takeRetainedValue()
        if !before.hasNoJobs { return }
        if before.isOver {
            runner.runElsewhere()
        } else if !before.isClosed && !runner.willRunAfterEvent() {
            RLRunLoopWakeUp(runner.loop)
        }
    }

    /// Defers the jobs to the end of an event's callback; returns false outside such a callback.
    private func willRunAfterEvent() -> Bool {
        guard RLRunLoopIsCurrent(loop), !isRunning else { return false }
        let kept = Unmanaged.passRetained(self)
        let isTaken = RLJobsRunAfterEvent(
            { info in
                guard let info else { return }
                Unmanaged<JobRunner>.fromOpaque(info).takeRetainedValue().runAfterEvent()
            },
            kept.toOpaque()
        )
        if !isTaken { kept.release() }
        return isTaken
    }

    var isIsolatingCurrentContext: Bool {
        if RLRunLoopIsCurrent(loop) { return hasThread }
        return Self.isCurrent { $0 === self }
    }

    // --- The thread that runs jobs ---

    private static let currentKey: pthread_key_t = {
        var key = pthread_key_t()
        if pthread_key_create(&key, nil) != 0 {
            stopProcess(
                "RLRunLoopExecutor",
                "no pthread key is left: delete unused keys with pthread_key_delete"
            )
        }
        return key
    }()

    // The innermost runner whose jobs the calling thread runs. The thread retains this runner.
    private static var current: JobRunner? {
        get {
            pthread_getspecific(currentKey).map {
                Unmanaged<JobRunner>.fromOpaque($0).takeUnretainedValue()
            }
        }
        set {
            pthread_setspecific(
                currentKey,
                newValue.map { Unmanaged.passUnretained($0).toOpaque() }
            )
        }
    }

    private static func isCurrent(where predicate: (JobRunner) -> Bool) -> Bool {
        var runner = current
        while let candidate = runner {
            if predicate(candidate) { return true }
            runner = candidate.outer
        }
        return false
    }

    static var isInJob: Bool {
        current != nil
    }

    /// Whether the current job of the calling thread blocks queued jobs.
    static var isKeepingJobsWaiting: Bool {
        isCurrent { $0.hasJobs }
    }

    private var hasJobs: Bool {
        waiting.count > 0 || !inbox.state.hasNoJobs
    }

    /// Does nothing while a job runs the loop, because no other job may start inside a job.
    func runInPass() {
        RLRunLoopNoteCalloutFunction(RLJobsGetFunction())
        if isRunning || !hasJobs { return }
        runJobs(Self.jobsPerPass)
        if hasJobs { RLRunLoopWakeUp(loop) }
    }

    /// Runs jobs in the callback of an event, if the loop runs in a mode of this executor.
    private func runAfterEvent() {
        if !isRunning && isInMode { return runInPass() }
        RLRunLoopWakeUp(loop)
    }

    private var isInMode: Bool {
        guard let observer, let mode = __RLRunLoopCopyCurrentMode(loop) else { return false }
        // The observer never leaves a mode.
        if mode === knownMode { return true }
        let isIn = RLRunLoopContainsObserver(loop, observer, RLRunLoopMode(rawValue: mode))
        if isIn { knownMode = mode }
        return isIn
    }

    private func runJobs(_ most: Int) {
        isRunning = true
        outer = Self.current
        Self.current = self
        var left = most
        while left > 0 {
            // New jobs may be more urgent than queued jobs.
            inbox.takeAll { waiting.append($0) }
            guard let job = waiting.popFirst() else { break }
            run(job)
            left -= 1
        }
        Self.current = outer
        outer = nil
        isRunning = false
    }

    private func run(_ queued: QueuedJob) {
        // With another executor than the job's own, the runtime would enqueue the job again.
        switch queued.target {
        case .serialExecutor: serialExecutor.map(queued.job.runSynchronously)
        case .taskExecutor: taskExecutor.map(queued.job.runSynchronously)
        case .anyThread: RLJobRun(queued.pointer)
        }
    }

    // --- Jobs of the calling thread ---

    /// Makes this runner run the jobs that the calling thread would pass to Swift's own threads.
    ///
    /// Call ``stopTakingJobs()`` on the same thread to end this.
    func startTakingJobs() {
        RLJobsSetTaker(
            { job, info in
                guard let job, let info else { return }
                let runner = Unmanaged<JobRunner>.fromOpaque(info).takeUnretainedValue()
                runner.add(
                    QueuedJob(job: unsafeBitCast(job, to: UnownedJob.self), target: .anyThread)
                )
            },
            Unmanaged.passRetained(self).toOpaque()
        )
    }

    func stopTakingJobs() {
        RLJobsSetTaker(nil, nil)
        Unmanaged.passUnretained(self).release()
    }

    // --- The end of the loop's thread ---

    /// Called once for each mode when the loop ends, on the loop's thread if it still runs.
    func close() {
        if inbox.set(JobInbox.State.isClosed).isClosed { return }
        // If a job called `pthread_exit`, this flag is still set.
        isRunning = false
        inbox.takeAll { waiting.append($0) }
        if waiting.contains(where: { !mayBeOrphan($0) }) { refuseOrphan() }
        guard RLRunLoopIsCurrent(loop) else { return finish() }
        Self.current = nil
        // The code that the thread still runs may be isolated to the executor, so the jobs wait
        // until the thread has ended.
        ThreadEnd.afterLoop { [self] in finish() }
    }

    /// Closes the queue of an executor whose loop is ending or has ended when the executor is
    /// created: no code is isolated to the loop's thread.
    func closeWithoutThread() {
        if inbox.set(JobInbox.State.isClosed).isClosed { return }
        hasThread = false
        finish()
    }

    /// Closes the queue when the executor is deallocated; the queue is empty then.
    func retire() {
        _ = inbox.set(JobInbox.State.isClosed)
    }

    private func finish() {
        // When the flag is set, another thread may use the queued jobs: read their count first.
        let isWaiting = waiting.count > 0
        let before = inbox.set(JobInbox.State.isOver)
        if isWaiting || !before.hasNoJobs { runElsewhere() }
    }

    private func runElsewhere() {
        elsewhere.async { [self] in
            if orphanPolicy == .runElsewhere { warnOfOrphans() }
            runJobs(.max)
        }
    }

    /// Returns whether a job may run after the end of the loop's thread.
    ///
    /// An `isolated deinit` always may, because any code may release an actor at any time.
    private func mayBeOrphan(_ queued: QueuedJob) -> Bool {
        orphanPolicy == .runElsewhere || RLJobIsDeinit(queued.pointer)
    }

    private func refuseOrphan() -> Never {
        stopProcess(
            "RLRunLoopExecutor",
            "a job cannot run because the thread of its run loop has ended: keep the thread "
                + "until its actors are released, or pass `orphans: .runElsewhere`"
        )
    }

    private func warnOfOrphans() {
        if wasWarned { return }
        wasWarned = true
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        warn(
            "RLRunLoopExecutor",
            "the run loop's thread \(numbers.threadID) has ended, so jobs run on a "
                + "dispatch queue: keep the thread until its actors are released"
        )
    }
}
