import CLinux
import RunLoopConcurrency
import RunLoopKit
import Synchronization
import Testing
import ThreadKit

private func allocatedBytes() -> Int {
    let numbers = mallinfo2()
    return Int(numbers.uordblks + numbers.hblkhd)
}

/// Two tasks of an executor that alternate, so that one of them always waits.
private func takeTurns(_ turns: Int, on executor: RLRunLoopExecutor) async {
    await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
            group.addTask(executorPreference: executor) {
                for _ in 0..<turns { await Task.yield() }
            }
        }
    }
}

/// Blocks a thread at a gate before this returns, so that its loop runs no jobs meanwhile.
private func hold(_ worker: RLPermanentThread, at gate: Gate) async {
    await withCheckedContinuation { isHeld in
        worker.execute {
            isHeld.resume()
            gate.wait()
        }
    }
}

/// Runs tasks of a high priority that yield until a flag is set, or forever; returns the number of
/// yields.
private func keepBusy(
    _ executor: RLRunLoopExecutor,
    until flag: Flag,
    at most: Int
) -> Task<Int, Never> {
    Task.detached(executorPreference: executor, priority: .high) {
        var turns = 0
        while !flag.isSet && turns < most {
            turns += 1
            await Task.yield()
        }
        return turns
    }
}

@Suite("A loop's executor") struct ExecutorFairnessTests {
    @Test("needs no memory but for the jobs that wait") func memory() async {
        // In its own process, as other tests allocate too.
        await #expect(processExitsWith: .success) {
            let worker = RLPermanentThread()
            let executor = RLRunLoopExecutor(loop: worker.runLoop)
            await takeTurns(1000, on: executor)
            let before = allocatedBytes()
            // Retaining finished jobs would take 10 MB.
            await takeTurns(150_000, on: executor)
            #expect(allocatedBytes() - before < 1_000_000)
            worker.stop()
        }
    }

    @Test("lets a job of a low priority have its turn, whatever more urgent ones do")
    func boundedWaiting() async {
        let worker = RLPermanentThread()
        let executor = RLRunLoopExecutor(loop: worker.runLoop)
        let hasRun = Flag()
        let isReady = Gate()
        await hold(worker, at: isReady)
        let busy = (0..<2).map { _ in keepBusy(executor, until: hasRun, at: 100_000) }
        let patient = [TaskPriority.background, .medium, .low].map {
            Task.detached(executorPreference: executor, priority: $0) {}
        }
        let last = Task.detached(executorPreference: executor, priority: .background) {
            hasRun.set()
        }
        isReady.open()
        var turns = 0
        for task in busy { turns += await task.value }
        for task in patient { await task.value }
        await last.value
        // Six jobs are queued when the thread continues. The two busy ones have precedence, but
        // each sixteenth job is the one that has waited longest (`JobList.patience`); the fourth of
        // these is the last task's. If the thread had started earlier, there would be no bound.
        #expect(turns <= 4 * 16)
        worker.stop()
    }

    @Test("does not keep an urgent task waiting for one of a low priority") func inversion() async {
        let worker = RLPermanentThread()
        let executor = RLRunLoopExecutor(loop: worker.runLoop)
        let hasRun = Flag()
        let steps = 200
        let isReady = Gate()
        await hold(worker, at: isReady)
        let busy = (0..<2).map { _ in keepBusy(executor, until: hasRun, at: 100_000) }
        let low = Task.detached(executorPreference: executor, priority: .low) {
            for _ in 0..<steps { await Task.yield() }
        }
        let urgent = Task.detached(executorPreference: executor, priority: .high) {
            await low.value
            hasRun.set()
        }
        isReady.open()
        await urgent.value
        var turns = 0
        for task in busy { turns += await task.value }
        // From its first job on, the task has the priority of its awaiter.
        #expect(turns <= 4 * steps)
        worker.stop()
    }
}
