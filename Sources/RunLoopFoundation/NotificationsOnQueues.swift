// Notifications of RunLoopKit on Foundation's operation queues.

public import Foundation
public import RunLoopKit

extension RLNotificationCenter {
    /// Has a block called for notifications, on an operation queue.
    ///
    /// The thread that posts waits until the block has returned, as Foundation has it. On the queue
    /// itself, and on the main thread for the main queue, the block is called at once.
    ///
    /// Foundation: addObserver(forName:object:queue:using:).
    ///
    /// - Parameters:
    ///   - name: Which notifications; nil for all.
    ///   - object: Of which object; nil for all. It is not held: remove the observer before it
    ///     goes.
    ///   - queue: Where to call the block; nil for the thread that posts.
    ///   - block: Called with each.
    /// - Returns: The registration.
    @_disfavoredOverload
    @discardableResult
    public func addObserver(
        forName name: RLNotification.Name?,
        object: AnyObject? = nil,
        queue: OperationQueue?,
        using block: @escaping @Sendable (RLNotification) -> Void
    ) -> Token {
        addObserver(forName: name, object: object) { notification in
            let isHere =
                queue == nil || OperationQueue.current === queue
                || queue === OperationQueue.main && Thread.isMainThread
            guard let queue, !isHere else { return block(notification) }
            // The poster waits: the two threads never have it at the same time.
            nonisolated(unsafe) let notification = notification
            let operation = BlockOperation { block(notification) }
            queue.addOperations([operation], waitUntilFinished: true)
        }
    }
}
