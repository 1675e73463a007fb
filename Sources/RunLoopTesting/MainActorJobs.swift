import CRunLoopConcurrency
import Dispatch
import RunLoopKit

/// The jobs of the main actor and of tasks outside any actor, which an advance runs on the main
/// thread.
///
/// The runtime resumes tasks outside any actor on its own threads, which may be busy for long.
/// During an advance, jobs that the main thread enqueues there run on the main queue instead, as
/// those of the main actor do.
@MainActor enum MainActorJobs {
    private static var advanceCount = 0
    private static var takenCount = 0

    static func startTakingJobs() {
        // Only this thread may end it.
        checkMainActor("RLTestClock.advance")
        advanceCount += 1
        if advanceCount > 1 { return }
        RLJobsSetTaker(
            { job, _ in
                // The runtime transfers ownership of the job, once.
                nonisolated(unsafe) let job = job
                MainActor.assumeIsolated { MainActorJobs.takenCount += 1 }
                DispatchQueue.main.async { RLJobRun(job) }
            },
            nil
        )
    }

    static func stopTakingJobs() {
        advanceCount -= 1
        if advanceCount == 0 { RLJobsSetTaker(nil, nil) }
    }

    /// Runs the queued jobs until no further jobs follow, or up to a limit: a task may enqueue jobs
    /// forever.
    ///
    /// Jobs may enqueue other jobs behind the end of the queue, so one round does not suffice.
    static func drain() async {
        var quiet = 0
        for _ in 0..<1000 where quiet < 16 {
            let before = takenCount
            await withCheckedContinuation { round in DispatchQueue.main.async { round.resume() } }
            quiet = takenCount == before ? quiet + 1 : 0
        }
    }
}
