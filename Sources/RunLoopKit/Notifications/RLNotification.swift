import CoreRunLoop
public import Dispatch
import Synchronization

/// A report of an event, which a center posts to its observers.
///
/// Foundation: Notification.
public struct RLNotification {
    /// The name of a kind of notification.
    ///
    /// Foundation: Notification.Name.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates a name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The name of the event.
    public var name: Name

    /// The object that the notification concerns, such as the sender; may be nil.
    public var object: AnyObject?

    /// Further information about the event; may be nil.
    ///
    /// Observers on other threads receive only entries whose key and value conform to
    /// ``RLNotificationPart``.
    public var userInfo: [AnyHashable: Any]?

    /// Creates a notification.
    public init(name: Name, object: AnyObject? = nil, userInfo: [AnyHashable: Any]? = nil) {
        self.name = name
        self.object = object
        self.userInfo = userInfo
    }
}

extension RLNotification: Hashable {
    /// Returns whether two notifications have the same name, the same object and equal user info.
    ///
    /// Values in the user info are equal if they are `Hashable` and equal, or if they are the same
    /// object.
    ///
    /// Foundation: ==(_:_:).
    public static func == (first: RLNotification, second: RLNotification) -> Bool {
        first.name == second.name && first.object === second.object
            && areEqual(first.userInfo, second.userInfo)
    }

    /// Hashes the name.
    ///
    /// Foundation: hash(into:).
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }

    private static func areEqual(_ first: [AnyHashable: Any]?, _ second: [AnyHashable: Any]?)
        -> Bool
    {
        guard let first, let second else { return first == nil && second == nil }
        return first.count == second.count
            && first.allSatisfy { key, value in second[key].map { areEqual(value, $0) } ?? false }
    }

    private static func areEqual(_ first: Any, _ second: Any) -> Bool {
        if let first = first as? AnyHashable, let second = second as? AnyHashable {
            return first == second
        }
        return first as AnyObject === second as AnyObject
    }
}

extension RLNotification: CustomStringConvertible, CustomReflectable {
    /// The name and, if present, the object and the user info.
    ///
    /// Foundation: description.
    public var description: String {
        customMirror.children.map { "\($0.label ?? "") = \($0.value)" }.joined(separator: ", ")
    }

    /// The name and, if present, the object and the user info, as children.
    ///
    /// Foundation: customMirror.
    public var customMirror: Mirror {
        var children: [Mirror.Child] = [("name", name.rawValue)]
        if let object { children.append(("object", object)) }
        if let userInfo { children.append(("userInfo", userInfo)) }
        return Mirror(self, children: children, displayStyle: .class)
    }
}

/// Posts notifications to observers, by default on the posting thread.
///
/// To post to Foundation's center instead, create an ``RLNotificationQueue`` with a closure that
/// calls Foundation's center: ``RLNotificationQueue/init(post:)``.
///
/// Foundation: NotificationCenter.
open class RLNotificationCenter: @unchecked Sendable {
    // Proof: the class's only state is in a `Locked`.

    /// An observer's registration.
    ///
    /// The registration lasts until ``RLNotificationCenter/removeObserver(_:)``, even if you
    /// release this object. With `RunLoopFoundation`, it conforms to `NSObjectProtocol`.
    ///
    /// Foundation: the result of addObserver(forName:object:queue:using:).
    public final class Token: RLObjectProtocol, Sendable {
        let name: RLNotification.Name?
        let object: ObjectIdentifier?
        fileprivate let isRemoved = Atomic(false)

        fileprivate init(_ name: RLNotification.Name?, _ object: ObjectIdentifier?) {
            self.name = name
            self.object = object
        }
    }

    private let observers = Locked(NotificationObservers())

    /// The center of the process.
    ///
    /// Foundation: NotificationCenter.default.
    open class var `default`: RLNotificationCenter { shared }
    private static let shared = RLNotificationCenter()

    /// Creates a center that is independent of ``default``.
    public init() {}

    /// Adds a block that is called with each matching notification, on the thread that posts it.
    ///
    /// Foundation: addObserver(forName:object:queue:using:).
    ///
    /// - Parameters:
    ///   - name: The name of the notifications to observe; nil for all names.
    ///   - object: The object of the notifications to observe; nil for all objects. The object is
    ///     not retained: remove the observer before the object is deallocated.
    ///   - block: Called with each notification, on the thread that posts it.
    /// - Returns: The registration.
    @discardableResult
    public func addObserver(
        forName name: RLNotification.Name?,
        object: AnyObject? = nil,
        using block: @escaping @Sendable (RLNotification) -> Void
    ) -> Token {
        let token = Token(name, object.map(ObjectIdentifier.init))
        observers.withLock { $0.add(token, block) }
        return token
    }

    /// Adds a block that is called with each matching notification on a dispatch queue.
    ///
    /// The posting thread waits until the block has returned, as in Foundation. The block receives
    /// only the parts of the notification that any thread may use: see ``RLNotificationPart``. If
    /// the notification is posted on the queue itself, or on the main thread for the main queue,
    /// the block is called immediately and receives the whole notification. The main queue is
    /// served while the main loop runs.
    ///
    /// Foundation: addObserver(forName:object:queue:using:) with an OperationQueue. The module
    /// `RunLoopFoundation` has an overload for OperationQueue.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications to observe; nil for all names.
    ///   - object: The object of the notifications to observe; nil for all objects. The object is
    ///     not retained: remove the observer before the object is deallocated.
    ///   - queue: The queue on which to call the block; nil for the posting thread.
    ///   - block: Called with each notification, on the queue.
    /// - Returns: The registration.
    @_disfavoredOverload
    @discardableResult
    open func addObserver(
        forName name: RLNotification.Name?,
        object: AnyObject? = nil,
        queue: DispatchQueue?,
        using block: @escaping @Sendable (RLNotification) -> Void
    ) -> Token {
        // This overload is disfavored, so that `.main` selects the overload for the main actor.
        guard let queue else { return addObserver(forName: name, object: object, using: block) }
        let place = SynchronousQueue(queue)
        return addObserver(forName: name, object: object) { notification in
            place.call { isHere in
                block(isHere ? notification : notification.partsForAnyThread)
            }
        }
    }

    /// A type whose only value, `.main`, selects the main queue for a block that is isolated to the
    /// main actor.
    public struct MainQueue: Sendable {
        /// The main dispatch queue.
        public static let main = MainQueue()

        private init() {}
    }

    /// Adds a block that is called on the main queue, isolated to the main actor.
    ///
    /// ```swift
    /// let center = RLNotificationCenter.default
    /// center.addObserver(forName: RLThread.willExitNotification, queue: .main) { note in
    ///     show(note.name)
    /// }
    /// ```
    ///
    /// The posting thread waits, and the block receives the same parts as with
    /// `DispatchQueue.main`. If the main thread waits for the posting thread, the two threads
    /// deadlock, except in ``RLLoopThread/join()``.
    ///
    /// Foundation: addObserver(forName:object:queue:using:) with OperationQueue.main.
    @discardableResult
    public final func addObserver(
        forName name: RLNotification.Name?,
        object: AnyObject? = nil,
        queue: MainQueue,
        using block: @escaping @MainActor @Sendable (RLNotification) -> Void
    ) -> Token {
        addObserver(
            forName: name,
            object: object,
            queue: DispatchQueue.main,
            // The main queue runs its work on the main thread, which is the main actor's thread.
            using: unsafeBitCast(block, to: (@Sendable (RLNotification) -> Void).self)
        )
    }

    /// Ends a registration.
    ///
    /// Foundation: removeObserver(_:).
    open func removeObserver(_ token: Token) {
        // Released without the lock: the block's destructor may remove another observer.
        let removed = observers.withLock { $0.remove(token) }
        removed?.token.isRemoved.store(true, ordering: .releasing)
    }

    /// Calls the observers of a notification, in the order in which they were added.
    ///
    /// An observer that is removed by an earlier observer is not called.
    ///
    /// Foundation: post(_:).
    open func post(_ notification: RLNotification) {
        let object = notification.object.map { ObjectIdentifier($0) }
        let called = observers.withLock { $0.matching(notification.name, object) }
        for observer in called where !observer.token.isRemoved.load(ordering: .acquiring) {
            observer.block(notification)
        }
    }

    /// Creates a notification and calls its observers.
    ///
    /// Foundation: post(name:object:userInfo:).
    open func post(
        name: RLNotification.Name,
        object: AnyObject?,
        userInfo: [AnyHashable: Any]? = nil
    ) {
        post(RLNotification(name: name, object: object, userInfo: userInfo))
    }
}

extension RLNotificationCenter: RLObjectProtocol {}

extension RLNotificationCenter: CustomStringConvertible {
    /// The address and the number of observers.
    public var description: String {
        describe(self, "\(observers.withLock { $0.count }) observer(s)")
    }
}

extension RLNotificationCenter.Token: CustomStringConvertible {
    /// The address.
    public var description: String {
        describe(self, "an observer")
    }
}
