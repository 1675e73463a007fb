import CRunLoopConcurrency
import Dispatch
import RunLoopKit

/// The turns that an advance gives to tasks of the main actor.
///
/// The runtime resumes what awaits a task, a sequence or a function of no actor on Swift's own
/// threads, which may be busy for long. Such jobs that the main thread gives away during an advance
/// run on it instead, by the main queue, as those of the main actor do.
@MainActor enum MainActorTurns {
    private static var advanceCount = 0
    private static var takenCount = 0

    static func startTakingJobs() {
        // Only the thread that starts it ends it.
        checkMainActor("RLTestClock.advance")
        advanceCount += 1
        if advanceCount > 1 { return }
        RLJobsSetTaker(
            { job, _ in
                // The runtime gives the job away, once.
                nonisolated(unsafe) let job = job
                MainActor.assumeIsolated { MainActorTurns.takenCount += 1 }
                DispatchQueue.main.async { RLJobRun(job) }
            },
            nil
        )
    }

    static func stopTakingJobs() {
        advanceCount -= 1
        if advanceCount == 0 { RLJobsSetTaker(nil, nil) }
    }

    /// Waits until no task wants a turn, or one seems to want turns for ever.
    ///
    /// Each turn is behind what was in the queue before it. A task that begins another, which calls
    /// a third, needs a turn for each.
    static func take() async {
        var quiet = 0
        for _ in 0..<1000 where quiet < 16 {
            let before = takenCount
            await withCheckedContinuation { turn in DispatchQueue.main.async { turn.resume() } }
            quiet = takenCount == before ? quiet + 1 : 0
        }
    }
}
