// Jobs of actors on a run loop, on a dispatch queue, and on Swift's own threads, in turns in one
// run.
//
// usage: swift run -c release --package-path Tests/Benchmarks executors

import Dispatch
import RunLoopConcurrency
import RunLoopKit

/// An actor's executor, or none for Swift's own.
enum Kind: String, CaseIterable {
    case runLoop = "run loop"
    case dispatchQueue = "dispatch queue"
    case swift = "Swift's threads"
}

final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "executor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}

actor OnExecutor {
    nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(_ executor: any SerialExecutor) {
        self.executor = executor
    }

    func add() { count += 1 }
}

actor OnSwift {
    private(set) var count = 0

    func add() { count += 1 }
}

/// One way to call an actor.
struct Target {
    let kind: Kind
    let add: @Sendable () async -> Void
}

@main struct Executors {
    static let rounds = 7
    static let hops = 20_000
    static let jobs = 200_000
    static let tasks = 8

    static func main() async {
        let worker = RLPermanentThread(name: "executor")
        let pinned = OnExecutor(RLRunLoopExecutor(loop: worker.runLoop))
        let queued = OnExecutor(QueueExecutor())
        let plain = OnSwift()
        let targets = [
            Target(kind: .runLoop) { await pinned.add() },
            Target(kind: .dispatchQueue) { await queued.add() },
            Target(kind: .swift) { await plain.add() },
        ]
        var latencies: [Kind: [Double]] = [:]
        var throughputs: [Kind: [Double]] = [:]
        for _ in 0..<rounds {
            for target in targets {
                latencies[target.kind, default: []].append(await latency(target))
                throughputs[target.kind, default: []].append(await throughput(target))
            }
        }
        report("there and back, µs, one task", latencies)
        report("jobs, thousands a second, \(tasks) tasks", throughputs)
        worker.stop()
    }

    /// Microseconds from a task on Swift's threads to the actor and back.
    static func latency(_ target: Target) async -> Double {
        let time = await ContinuousClock().measure { for _ in 0..<hops { await target.add() } }
        return time / .microseconds(1) / Double(hops)
    }

    static func throughput(_ target: Target) async -> Double {
        let time = await ContinuousClock().measure {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<tasks {
                    group.addTask { for _ in 0..<(jobs / tasks) { await target.add() } }
                }
            }
        }
        return Double(jobs) / (time / .milliseconds(1))
    }

    static func report(_ title: String, _ results: [Kind: [Double]]) {
        print(title)
        let own = median(results[.runLoop] ?? [])
        for kind in Kind.allCases {
            let value = median(results[kind] ?? [])
            let ratio = own / value
            print("  \(kind.rawValue): \(rounded(value)), run loop is \(rounded(ratio)) of it")
        }
    }

    static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    static func rounded(_ value: Double) -> Double {
        (value * 100).rounded() / 100
    }
}
