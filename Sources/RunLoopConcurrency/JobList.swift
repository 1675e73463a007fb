import Glibc
import RunLoopKit

struct QueuedJob {
    /// The executor on which the job was enqueued.
    enum Target {
        /// The executor of an actor.
        case serialExecutor
        /// The executor that a task prefers.
        case taskExecutor
        /// No executor. The job would normally run on Swift's own threads.
        case anyThread
    }

    let job: UnownedJob
    let target: Target

    var pointer: UnsafeMutableRawPointer {
        unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
    }
}

struct JobNode {
    let job: QueuedJob
    var next: UnsafeMutablePointer<JobNode>?
    /// The number of jobs that the ``JobList`` received before this job.
    var arrival: UInt64 = 0

    /// Allocates a node with `malloc`: Swift's allocator would use aligned allocation.
    static func make(_ job: QueuedJob) -> UnsafeMutablePointer<JobNode> {
        guard let memory = malloc(MemoryLayout<JobNode>.size) else {
            stopProcess(
                "RLRunLoopExecutor",
                "no memory for a job: raise the memory limit of the process, or use less "
                    + "memory"
            )
        }
        let node = memory.bindMemory(to: JobNode.self, capacity: 1)
        node.initialize(to: JobNode(job: job))
        return node
    }

    static func free(_ node: UnsafeMutablePointer<JobNode>) {
        node.deinitialize(count: 1)
        Glibc.free(node)
    }
}

/// A list of jobs that is sorted by priority, and then by arrival.
struct JobList {
    private struct Level {
        let priority: UInt8
        var first: UnsafeMutablePointer<JobNode>?
        var last: UnsafeMutablePointer<JobNode>?
    }

    /// One of this many jobs is the oldest job, so that urgent jobs do not starve other jobs.
    static let patience = 16

    // Sorted by descending priority. Empty levels stay in the list, because programs use few
    // priorities.
    private var levels: [Level] = []
    private var arrivals: UInt64 = 0
    private var turns = 0
    private(set) var count = 0

    /// Appends a node, of which the list takes ownership.
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

    /// Removes and returns a job of the highest priority or, regularly, the oldest job.
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

    /// Returns the level with the oldest job, which is the first job of its level.
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
