import CRunLoop.Wrapping
import CoreRunLoop
import Dispatch

/// A queue on which blocks are called while the caller waits.
struct SynchronousQueue: Sendable {
    private let queue: DispatchQueue
    private let number: Int
    // Libdispatch's number; 0 for a concurrent queue, and in release builds.
    private let serialNumber: UInt

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
        #if DEBUG
            serialNumber = RLDispatchGetQueueNumber(queue)
        #else
            serialNumber = 0
        #endif
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
        if isHere { return block(true) }
        let wait = MutualWait(
            "RLNotificationCenter.post(_:)",
            for: RLMutualWaitParties(thread: 0, queue: serialNumber, servesMainQueue: false)
        )
        defer { wait.end() }
        let post = number == 0 ? MainQueuePost() : nil
        queue.sync {
            post?.take()
            wait.serve()
            block(false)
        }
    }
}
