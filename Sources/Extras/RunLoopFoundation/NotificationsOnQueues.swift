// Notifications on Foundation's operation queues.

import CRunLoop.Wrapping
import CoreRunLoop
import Dispatch
public import Foundation
public import RunLoopKit

extension RLNotificationCenter {
    /// Adds a block that is called with notifications on an operation queue.
    ///
    /// The posting thread waits until the block has returned, as in Foundation. The block receives
    /// only thread-safe parts: see ``/RunLoopKit/RLNotificationPart``. If the notification is
    /// posted on the queue itself, or on the main thread for the main queue, the block is called at
    /// once and receives all parts.
    ///
    /// Foundation: addObserver(forName:object:queue:using:).
    ///
    /// - Parameters:
    ///   - name: The name of the notifications; nil for all.
    ///   - object: The object of the notifications; nil for all. The object is not retained: remove
    ///     the observer before the object is deallocated.
    ///   - queue: The queue on which to call the block; nil for the thread that posts.
    ///   - block: Called with each notification.
    /// - Returns: The registration.
    @_disfavoredOverload
    @discardableResult
    public func addObserver<Queue: OperationQueue>(
        forName name: RLNotification.Name?,
        object: AnyObject? = nil,
        queue: Queue?,
        using block: @escaping @Sendable (RLNotification) -> Void
    ) -> Token {
        // The generic parameter makes `nil` and `.main` unambiguous.
        addObserver(forName: name, object: object) { notification in
            let isHere =
                queue == nil || OperationQueue.current === queue
                || queue === OperationQueue.main && Thread.isMainThread
            guard let queue, !isHere else { return block(notification) }
            // These parts are thread-safe, but their type is not `Sendable`.
            nonisolated(unsafe) let notification = notification.partsForAnyThread
            let wait = MutualWait(
                "RLNotificationCenter.post(_:)",
                for: RLMutualWaitParties(
                    thread: 0,
                    queue: (queue === OperationQueue.main ? .main : queue.underlyingQueue).map(
                        RLDispatchGetQueueNumber
                    ) ?? 0,
                    servesMainQueue: false
                )
            )
            defer { wait.end() }
            let post = queue === OperationQueue.main ? MainQueuePost() : nil
            // Ends the post if the operation is cancelled before it runs.
            defer { post?.take() }
            let operation = BlockOperation {
                post?.take()
                wait.serve()
                block(notification)
            }
            queue.addOperations([operation], waitUntilFinished: true)
        }
    }
}
