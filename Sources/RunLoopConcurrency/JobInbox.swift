import Synchronization

/// A lock-free queue of jobs, to which any thread adds jobs and from which one thread takes them.
///
/// One atomic word contains the address of the newest job, and flags for the end of the loop's
/// thread. So a thread that adds a job determines atomically whether the loop will run the job.
struct JobInbox: ~Copyable {
    /// A value of the word: the address of the newest job, and the flags.
    struct State {
        fileprivate(set) var word: UInt = 0

        /// The loop is ending and runs no more jobs.
        static let isClosed: UInt = 1
        /// The loop has ended: a thread that adds a job to an empty queue must start the dispatch
        /// queue that runs the jobs.
        static let isOver: UInt = 2

        var isClosed: Bool { word & Self.isClosed != 0 }
        var isOver: Bool { word & Self.isOver != 0 }
        var hasNoJobs: Bool { last == nil }

        fileprivate var flags: UInt { word & (Self.isClosed | Self.isOver) }
        fileprivate var last: UnsafeMutablePointer<JobNode>? {
            UnsafeMutablePointer(bitPattern: word & ~(Self.isClosed | Self.isOver))
        }
    }

    private let word = Atomic<UInt>(0)

    var state: State {
        State(word: word.load(ordering: .acquiring))
    }

    /// Adds a job, and returns the previous state.
    ///
    /// When this function returns, another thread may already have run the job and released the
    /// owner of the inbox. Therefore the function calls `prepare` with the previous state before
    /// the job becomes visible, and again after each failed exchange of the word.
    func push(_ job: QueuedJob, prepare: (State) -> Void) -> State {
        let node = JobNode.make(job)
        var before = State(word: word.load(ordering: .acquiring))
        while true {
            prepare(before)
            node.pointee.next = before.last
            let (exchanged, found) = word.weakCompareExchange(
                expected: before.word,
                desired: UInt(bitPattern: node) | before.flags,
                ordering: .acquiringAndReleasing
            )
            if exchanged { return before }
            before = State(word: found)
        }
    }

    /// Passes all jobs to `body`, oldest first; `body` owns the nodes.
    func takeAll(_ body: (UnsafeMutablePointer<JobNode>) -> Void) {
        if state.hasNoJobs { return }
        let taken = word.bitwiseAnd(
            State.isClosed | State.isOver,
            ordering: .acquiringAndReleasing
        )
        var node = State(word: taken.oldValue).last
        var first: UnsafeMutablePointer<JobNode>?
        while let next = node {
            node = next.pointee.next
            next.pointee.next = first
            first = next
        }
        while let next = first {
            first = next.pointee.next
            body(next)
        }
    }

    /// Sets a flag permanently, and returns the previous state.
    func set(_ flag: UInt) -> State {
        State(word: word.bitwiseOr(flag, ordering: .acquiringAndReleasing).oldValue)
    }
}
