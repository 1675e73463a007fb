import Synchronization

/// A queue into which any thread puts jobs, without a lock, and from which one thread takes them in
/// the order of their coming.
///
/// It also says how far the end of the loop's thread has come, in the same word: a thread that adds
/// a job learns whether the loop will still look for it.
struct JobInbox: ~Copyable {
    /// The word: the address of the job that came last, and what the loop's thread has come to.
    struct State {
        fileprivate(set) var word: UInt = 0

        /// The loop is emptied: it runs no more jobs.
        static let isClosed: UInt = 1
        /// The thread has no loop any more: the thread that adds the first job has it run
        /// elsewhere.
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

    /// Adds a job, and returns the state before.
    ///
    /// When it returns, the job may have run, on another thread, and have let go of what the inbox
    /// is in. So the caller's `prepare` is called before the job can be seen, with what the state
    /// will have been; again if somebody was faster.
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

    /// Takes all jobs, the first one first; the nodes are the caller's.
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

    /// Sets a flag for good; the state before.
    func set(_ flag: UInt) -> State {
        State(word: word.bitwiseOr(flag, ordering: .acquiringAndReleasing).oldValue)
    }
}
