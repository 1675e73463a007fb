import Dispatch

/// A queue on which blocks are called while the caller waits.
struct SynchronousQueue: Sendable {
    private let queue: DispatchQueue
    private let number: Int

    // Marks each queue with a number, by which the running one is known: a wait for it would never
    // end. On Linux the object of a queue may be another one each time.
    private static let mark = DispatchSpecificKey<Int>()
    private static let lastNumber = Locked(0)
    private static let isMainQueueMarked: Bool = {
        DispatchQueue.main.setSpecific(key: mark, value: 0)
        return true
    }()

    init(_ queue: DispatchQueue) {
        self.queue = queue
        number = Self.lastNumber.withLock { last in
            if Self.isMainQueueMarked, let known = queue.getSpecific(key: Self.mark) {
                return known
            }
            last += 1
            queue.setSpecific(key: Self.mark, value: last)
            return last
        }
    }

    /// Whether the calling thread does work of the main queue, or of a queue that targets it.
    static var isMainQueueCurrent: Bool {
        isMainQueueMarked && DispatchQueue.getSpecific(key: mark) == 0
    }

    /// Calls a block on the queue, and waits for it; the block is told whether this is the thread
    /// that has called this.
    func call(_ block: (Bool) -> Void) {
        let isHere =
            DispatchQueue.getSpecific(key: Self.mark) == number
            || number == 0 && RLThread.isMainThread
        if isHere { block(true) } else { queue.sync { block(false) } }
    }
}
