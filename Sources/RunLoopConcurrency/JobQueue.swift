import Synchronization

/// A job, and as whose it runs.
struct QueuedJob {
    let job: UnownedJob
    /// An actor's, or that of a task that prefers the executor.
    let isActors: Bool
}

/// Jobs that any thread adds without a lock, and one thread takes in the order of their coming.
final class JobQueue: @unchecked Sendable {
    // Proof: `last` is atomic; a node belongs to who makes it until it is there, and to who takes it
    // from there afterwards.
    private struct Node {
        let job: QueuedJob
        // The one that came before.
        var next: UnsafeMutablePointer<Node>?
    }

    private let last = Atomic<UnsafeMutablePointer<Node>?>(nil)

    deinit {
        // The executor has seen to it that nothing is left.
        precondition(last.load(ordering: .relaxed) == nil, "jobs are left")
    }

    var isEmpty: Bool {
        last.load(ordering: .sequentiallyConsistent) == nil
    }

    /// Adds a job; whether it is the only one.
    func push(_ job: QueuedJob) -> Bool {
        let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
        node.initialize(to: Node(job: job, next: nil))
        var next = last.load(ordering: .relaxed)
        while true {
            node.pointee.next = next
            let (exchanged, found) = last.weakCompareExchange(
                expected: next,
                desired: node,
                ordering: .sequentiallyConsistent
            )
            if exchanged { return next == nil }
            next = found
        }
    }

    /// Takes all jobs, the first one first.
    func takeAll(_ body: (QueuedJob) -> Void) {
        var node = last.exchange(nil, ordering: .sequentiallyConsistent)
        var first: UnsafeMutablePointer<Node>?
        while let next = node {
            node = next.pointee.next
            next.pointee.next = first
            first = next
        }
        while let next = first {
            first = next.pointee.next
            let job = next.pointee.job
            next.deinitialize(count: 1)
            next.deallocate()
            body(job)
        }
    }
}

/// Jobs by priority; those of one priority in the order in which they came.
struct JobList {
    private struct Level {
        let priority: UInt8
        var jobs: [QueuedJob] = []
        var next = 0
    }

    // The highest priority first; emptied levels stay, as the same few priorities come again.
    private var levels: [Level] = []
    private(set) var count = 0

    mutating func append(_ job: QueuedJob) {
        count += 1
        let priority = job.job.priority.rawValue
        let place = levels.firstIndex { $0.priority <= priority } ?? levels.endIndex
        if place == levels.endIndex || levels[place].priority != priority {
            levels.insert(Level(priority: priority), at: place)
        }
        levels[place].jobs.append(job)
    }

    mutating func popFirst() -> QueuedJob? {
        guard let place = levels.firstIndex(where: { $0.next < $0.jobs.count }) else { return nil }
        count -= 1
        let job = levels[place].jobs[levels[place].next]
        levels[place].next += 1
        if levels[place].next == levels[place].jobs.count {
            levels[place].jobs.removeAll(keepingCapacity: true)
            levels[place].next = 0
        }
        return job
    }
}
