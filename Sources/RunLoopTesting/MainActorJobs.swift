import CRunLoopConcurrency
import Dispatch
import RunLoopKit

/// Runs the jobs of the main actor and of tasks outside any actor on the main thread during an
/// advance of a test clock.
///
/// The runtime resumes tasks outside any actor on its own threads, which may be busy for a long
/// time. If the main thread enqueues such a job during an advance, the job runs on the main queue
/// instead, like the jobs of the main actor.
@MainActor enum MainActorJobs {
    private static var advanceCount = 0
    private static var takenCount = 0

    static func startTakingJobs() {
        // Only this thread may call `stopTakingJobs`.
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

    /// Runs the queued jobs, in several rounds, because jobs may enqueue further jobs.
    ///
    /// The number of rounds is limited, because a task may enqueue jobs forever.
    static func drain() async {
        var quiet = 0
        for _ in 0..<1000 where quiet < 16 {
            let before = takenCount
            await withCheckedContinuation { round in DispatchQueue.main.async { round.resume() } }
            quiet = takenCount == before ? quiet + 1 : 0
        }
    }
}
