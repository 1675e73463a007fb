import CRunLoop.Wrapping
import CoreRunLoop
import Dispatch

/// A dispatch queue that calls blocks while the caller waits.
struct SynchronousQueue: Sendable {
    private let queue: DispatchQueue
    private let number: Int
    // Libdispatch's number of the queue, or 0 for a concurrent queue and in release builds.
    private let serialNumber: UInt

    // Identifies the current queue, because waiting for the current queue would deadlock. Each
    // queue stores a number under this key: on Linux, one queue may have several objects.
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

    /// Whether the calling thread runs work of the main queue, or of a queue that targets it.
    static var isMainQueueCurrent: Bool {
        isMainQueueMarked && DispatchQueue.getSpecific(key: mark) == 0
    }

    /// Calls a block on the queue; its argument is true if the calling thread is already on the queue.
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
