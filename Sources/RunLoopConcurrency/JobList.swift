import Glibc
import RunLoopKit

/// A job, and as whose it runs.
struct QueuedJob {
    /// The executor that the job was enqueued on.
    enum Target {
        /// This one, by an actor.
        case serialExecutor
        /// This one, by a task that prefers it.
        case taskExecutor
        /// None, in a thread whose jobs this one takes.
        case anyThread
    }

    let job: UnownedJob
    let target: Target

    /// The job as the runtime has it.
    var pointer: UnsafeMutableRawPointer {
        unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
    }
}

/// A job that waits: one in a list that starts with the first or with the last one.
struct JobNode {
    let job: QueuedJob
    /// The next one of the list.
    var next: UnsafeMutablePointer<JobNode>?
    /// The number of jobs that came to the ``JobList`` before it.
    var arrival: UInt64 = 0

    /// Makes a node, by the C library itself: Swift's allocation asks it for an alignment.
    static func make(_ job: QueuedJob) -> UnsafeMutablePointer<JobNode> {
        guard let memory = malloc(MemoryLayout<JobNode>.size) else {
            stopProcess("RLRunLoopExecutor", "no memory for a job")
        }
        let node = memory.bindMemory(to: JobNode.self, capacity: 1)
        node.initialize(to: JobNode(job: job))
        return node
    }

    /// Ends a node.
    static func free(_ node: UnsafeMutablePointer<JobNode>) {
        node.deinitialize(count: 1)
        Glibc.free(node)
    }
}

/// Jobs by priority; those of one priority in the order in which they came.
///
/// It has no memory but the nodes of the jobs that wait in it.
struct JobList {
    private struct Level {
        let priority: UInt8
        var first: UnsafeMutablePointer<JobNode>?
        var last: UnsafeMutablePointer<JobNode>?
    }

    /// Of so many jobs one is the oldest, whatever its priority: so each has its turn, also while
    /// more urgent ones keep coming.
    static let patience = 16

    // The highest priority first; emptied levels stay, as the same few priorities come again.
    private var levels: [Level] = []
    private var arrivals: UInt64 = 0
    private var turns = 0
    private(set) var count = 0

    /// Adds the job of a node, which the list owns from now on.
    mutating func append(_ node: UnsafeMutablePointer<JobNode>) {
        let level = level(of: node.pointee.job.job.priority.rawValue)
        node.pointee.next = nil
        node.pointee.arrival = arrivals
        arrivals += 1
        count += 1
        if let last = levels[level].last {
            last.pointee.next = node
        } else {
            levels[level].first = node
        }
        levels[level].last = node
    }

    private mutating func level(of priority: UInt8) -> Int {
        let place = levels.firstIndex { $0.priority <= priority } ?? levels.endIndex
        if place == levels.endIndex || levels[place].priority != priority {
            levels.insert(Level(priority: priority), at: place)
        }
        return place
    }

    /// Takes the job whose turn it is.
    mutating func popFirst() -> QueuedJob? {
        turns += 1
        let level = turns % Self.patience == 0 ? oldestLevel() : urgentLevel()
        guard let level, let node = levels[level].first else { return nil }
        count -= 1
        levels[level].first = node.pointee.next
        if levels[level].first == nil { levels[level].last = nil }
        defer { JobNode.free(node) }
        return node.pointee.job
    }

    private func urgentLevel() -> Int? {
        levels.firstIndex { $0.first != nil }
    }

    /// That of the job that has waited longest: it is the first one of its level.
    private func oldestLevel() -> Int? {
        var oldest: Int?
        var arrival = UInt64.max
        for level in levels.indices {
            guard let first = levels[level].first, first.pointee.arrival < arrival else { continue }
            arrival = first.pointee.arrival
            oldest = level
        }
        return oldest
    }

    /// Whether a job for which something holds waits.
    func contains(where predicate: (QueuedJob) -> Bool) -> Bool {
        for level in levels {
            var node = level.first
            while let waiting = node {
                if predicate(waiting.pointee.job) { return true }
                node = waiting.pointee.next
            }
        }
        return false
    }
}
