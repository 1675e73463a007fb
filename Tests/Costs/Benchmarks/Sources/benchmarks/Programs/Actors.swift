// Calling actors: on a run loop, on a dispatch queue, on Swift's own threads.

import Dispatch
import Engines
import Programs
import RunLoopConcurrency
import RunLoopKit
import Synchronization

extension Program {
    /// Tasks that call an actor and wait for it; the size is how many of them.
    static var actors: [Program] {
        [
            Program(
                title: "actor called and back",
                sizes: [1, 8],
                figures: Figure.ofTimes,
                ways: [
                    Way(name: "default executor") { tasks in
                        let actor = OnSwift()
                        return calls(tasks: tasks) { await actor.add() }
                    },
                    Way(name: "dispatch queue") { tasks in
                        let actor = OnExecutor(QueueExecutor())
                        return calls(tasks: tasks) { await actor.add() }
                    },
                    Way(name: "RLRunLoopExecutor") { tasks in
                        let worker = RLPermanentThread(name: "executor")
                        let actor = OnExecutor(RLRunLoopExecutor(loop: worker.runLoop))
                        return calls(tasks: tasks) { await actor.add() }
                    },
                ]
            ),
            Program(
                title: "job of a thousand that wait",
                sizes: [1000],
                figures: [Figure.ofTimes[0]],
                ways: [
                    Way(name: "dispatch queue") { jobs(of: $0, on: QueueExecutor()) },
                    Way(name: "RLRunLoopExecutor") { size in
                        let worker = RLPermanentThread(name: "executor")
                        return jobs(of: size, on: RLRunLoopExecutor(loop: worker.runLoop))
                    },
                    Way(name: "RLRunLoopExecutor on main") { size in
                        jobs(of: size, on: RLRunLoopExecutor.main) {
                            RLRunLoopRunInMode(.defaultMode, 0, false)
                        }
                    },
                ]
            ),
        ]
    }
}

private final class QueueExecutor: SerialExecutor, TaskExecutor {
    private let queue = DispatchQueue(label: "executor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    @_implements(TaskExecutor,enqueue(_:))
    func enqueueTask(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }
}

private actor OnExecutor {
    nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(_ executor: any SerialExecutor) {
        self.executor = executor
    }

    func add() { count += 1 }
}

private actor OnSwift {
    private(set) var count = 0

    func add() { count += 1 }
}

/// The processor time of a job, of so many that one thread enqueues before it waits for all.
///
/// The executor's own thread calls `serve` while it waits.
private func jobs(
    of size: Int,
    on executor: any TaskExecutor,
    serve: (() -> Void)? = nil
) -> [Double] {
    let rounds = 1_000_000 / size
    let countdown = Countdown()
    let began = processor_ns()
    for _ in 0..<rounds {
        countdown.left.store(size, ordering: .relaxed)
        for _ in 0..<size {
            Task(executorPreference: executor) {
                countdown.count()
            }
        }
        let patience = serve == nil ? DispatchTime.distantFuture : .now()
        while countdown.isOver.wait(timeout: patience) == .timedOut { serve?() }
    }
    return [Double(processor_ns() - began) / Double(rounds * size)]
}

private final class Countdown: Sendable {
    let left = Atomic(0)
    let isOver = DispatchSemaphore(value: 0)

    func count() {
        if left.subtract(1, ordering: .relaxed).newValue == 0 { isOver.signal() }
    }
}

/// The processor time of a call, and how long it takes for whoever waits for it.
private func calls(tasks: Int, _ call: @escaping @Sendable () async -> Void) -> [Double] {
    let each = 40_000 / tasks
    let isOver = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var figures: [Double] = []
    Task.detached {
        _ = await latencies(of: call, tasks: tasks, each: each / 10)
        let began = processor_ns()
        let latencies = await latencies(of: call, tasks: tasks, each: each)
        let took = Double(processor_ns() - began) / Double(each * tasks)
        // Read when this is over.
        figures = [took] + percentiles(of: latencies, [50, 99])
        isOver.signal()
    }
    isOver.wait()
    return figures
}

private func latencies(
    of call: @escaping @Sendable () async -> Void,
    tasks: Int,
    each: Int
) async -> [Double] {
    await withTaskGroup(of: [Double].self) { group in
        for _ in 0..<tasks {
            group.addTask {
                var latencies: [Double] = []
                for _ in 0..<each {
                    let began = DispatchTime.now().uptimeNanoseconds
                    await call()
                    latencies.append(Double(DispatchTime.now().uptimeNanoseconds - began))
                }
                return latencies
            }
        }
        return await group.reduce(into: []) { $0 += $1 }
    }
}
