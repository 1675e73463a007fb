import CRunLoop.Wrapping
import CRunLoopConcurrency
import CoreRunLoop
import Dispatch
import Glibc
import RunLoopKit
import Synchronization

/// The jobs of an executor, and who runs them: the loop's thread, and a dispatch queue after its
/// end.
///
/// The executor goes when its last actor or task does, which may be in the last of these jobs; this
/// object stays as long as somebody runs them.
final class JobRunner: @unchecked Sendable {
    // Proof: the inbox is atomic. `serialExecutor`, `taskExecutor` and `hasThread` are set before
    // the executor is shared. The other variables belong to the loop's thread until it calls
    // `finish`, and then to `elsewhere`, a serial queue that starts work only after that.
    let loop: RLRunLoopRef

    private let inbox = JobInbox()
    private let orphanPolicy: RLRunLoopExecutor.OrphanPolicy
    private let elsewhere = DispatchQueue(label: "RLRunLoopExecutor without a run loop")
    // The runtime keeps the executor alive until a job that was enqueued on it has begun.
    private var serialExecutor: UnownedSerialExecutor?
    private var taskExecutor: UnownedTaskExecutor?
    private var hasThread = true
    // The jobs that were taken and wait for their turn.
    private var waiting = JobList()
    private var isRunning = false
    private var wasWarned = false
    // The runner whose job runs the loop in which this one's run.
    private unowned(unsafe) var outer: JobRunner?

    /// After so many jobs the loop gets to serve something else.
    private static let jobsPerPass = 512

    init(loop: RLRunLoopRef, orphans: RLRunLoopExecutor.OrphanPolicy) {
        self.loop = loop
        orphanPolicy = orphans
    }

    deinit {
        precondition(inbox.state.hasNoJobs && waiting.count == 0, "jobs are left")
    }

    /// Says as whose the jobs run.
    func adopt(_ executor: RLRunLoopExecutor) {
        serialExecutor = executor.asUnownedSerialExecutor()
        taskExecutor = executor.asUnownedTaskExecutor()
    }

    // --- Any thread ---

    /// Adds a job; the first one wakes the loop, or has jobs run elsewhere.
    func add(_ job: QueuedJob) {
        // As soon as the job is visible, it may run and release the executor, and with it this
        // object. A thread that has something to do afterwards retains the object before.
        var kept: Unmanaged<JobRunner>?
        let before = inbox.push(job) { state in
            if state.isClosed && !mayBeOrphan(job) { refuseOrphan() }
            if state.hasNoJobs && kept == nil { kept = Unmanaged.passRetained(self) }
        }
        if let kept { Self.call(kept, after: before) }
    }

    // Not inlined: the compiler, which knows only that callers keep `self`, would be free to leave
    // out a reference that is given up where it was taken.
    @inline(never)
    private static func call(_ kept: Unmanaged<JobRunner>, after before: JobInbox.State) {
        let runner = kept.takeRetainedValue()
        if !before.hasNoJobs { return }
        if before.isOver {
            runner.runElsewhere()
        } else if !before.isClosed {
            RLRunLoopWakeUp(runner.loop)
        }
    }

    /// Whether code that is isolated to the executor may run here and now.
    var isIsolatingCurrentContext: Bool {
        if RLRunLoopIsCurrent(loop) { return hasThread }
        return Self.isCurrent { $0 === self }
    }

    // --- The thread that runs jobs ---

    private static let currentKey: pthread_key_t = {
        var key = pthread_key_t()
        if pthread_key_create(&key, nil) != 0 {
            stopProcess("RLRunLoopExecutor", "no thread-specific key is left")
        }
        return key
    }()

    // The innermost runner whose jobs the calling thread runs, which the thread holds meanwhile.
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

    /// Whether something holds for a runner of which the calling thread is in a job.
    private static func isCurrent(where predicate: (JobRunner) -> Bool) -> Bool {
        var runner = current
        while let candidate = runner {
            if predicate(candidate) { return true }
            runner = candidate.outer
        }
        return false
    }

    /// Whether the calling thread is in a job of an executor.
    static var isInJob: Bool {
        current != nil
    }

    /// Whether jobs wait that cannot begin before a job has ended that the calling thread is in.
    static var isKeepingJobsWaiting: Bool {
        isCurrent { $0.hasJobs }
    }

    private var hasJobs: Bool {
        waiting.count > 0 || !inbox.state.hasNoJobs
    }

    /// Runs jobs in a pass of the loop, on its thread.
    ///
    /// Not in a job that runs the loop: an actor is not to be entered twice.
    func runInPass() {
        RLRunLoopNoteCalloutFunction(RLJobsGetFunction())
        if isRunning || !hasJobs { return }
        runJobs(Self.jobsPerPass)
        if hasJobs { RLRunLoopWakeUp(loop) }
    }

    private func runJobs(_ most: Int) {
        isRunning = true
        outer = Self.current
        Self.current = self
        var left = most
        while left > 0 {
            // Whatever has come meanwhile may be more urgent than what waits.
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
        // As what it was enqueued, or the runtime would enqueue it again with each call.
        switch queued.target {
        case .serialExecutor: serialExecutor.map(queued.job.runSynchronously)
        case .taskExecutor: taskExecutor.map(queued.job.runSynchronously)
        case .anyThread: RLJobRun(queued.pointer)
        }
    }

    // --- The jobs of a thread ---

    /// Has the jobs that the calling thread would give to Swift's own threads run here, until
    /// ``stopTakingJobs()``, to be called on the same thread.
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

    /// The loop is given up: on its thread, as long as that lives; told once for each mode.
    func close() {
        if inbox.set(JobInbox.State.isClosed).isClosed { return }
        // A job may have left the thread by `pthread_exit`.
        isRunning = false
        inbox.takeAll { waiting.append($0) }
        if waiting.contains(where: { !mayBeOrphan($0) }) { refuseOrphan() }
        guard RLRunLoopIsCurrent(loop) else { return finish() }
        Self.current = nil
        // The rest of the thread may be isolated to the executor: jobs wait for its end.
        ThreadEnd.afterLoop { [self] in finish() }
    }

    /// The executor is made for a loop that is ending or has ended: nothing is isolated to its
    /// thread.
    func closeWithoutThread() {
        if inbox.set(JobInbox.State.isClosed).isClosed { return }
        hasThread = false
        finish()
    }

    /// The executor is deallocated: no jobs are left.
    func retire() {
        _ = inbox.set(JobInbox.State.isClosed)
    }

    private func finish() {
        // Once other threads see the flag, the jobs that wait are theirs.
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

    /// Returns whether a job may run without the thread: code may release an actor at any time, so
    /// its `isolated deinit` is no mistake.
    private func mayBeOrphan(_ queued: QueuedJob) -> Bool {
        orphanPolicy == .runElsewhere || RLJobIsDeinit(queued.pointer)
    }

    private func refuseOrphan() -> Never {
        stopProcess(
            "RLRunLoopExecutor",
            "a job was enqueued on a run loop whose thread has ended"
        )
    }

    /// Once for all jobs that are still to come.
    private func warnOfOrphans() {
        if wasWarned { return }
        wasWarned = true
        var numbers = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &numbers)
        warn(
            "RLRunLoopExecutor",
            "the run loop's thread \(numbers.threadID) has ended: jobs run on a dispatch queue"
        )
    }
}
