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

    /// The object that the notification concerns, such as the sender; nil for none.
    public var object: AnyObject?

    /// Further information about the event; nil for none.
    ///
    /// Observers on other threads receive only entries that conform to ``RLNotificationPart``.
    public var userInfo: [AnyHashable: Any]?

    /// Creates a notification.
    public init(name: Name, object: AnyObject? = nil, userInfo: [AnyHashable: Any]? = nil) {
        self.name = name
        self.object = object
        self.userInfo = userInfo
    }
}

extension RLNotification: Hashable {
    /// Whether two notifications have one name, one object and equal information.
    ///
    /// Values of the information are equal if they are `Hashable` and equal, or if they are one
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
    /// The name and, if present, the object and the information.
    ///
    /// Foundation: description.
    public var description: String {
        customMirror.children.map { "\($0.label ?? "") = \($0.value)" }.joined(separator: ", ")
    }

    /// The name and, if present, the object and the information, as children.
    ///
    /// Foundation: customMirror.
    public var customMirror: Mirror {
        var children: [Mirror.Child] = [("name", name.rawValue)]
        if let object { children.append(("object", object)) }
        if let userInfo { children.append(("userInfo", userInfo)) }
        return Mirror(self, children: children, displayStyle: .class)
    }
}

/// Calls observers with notifications on the thread that posts them.
///
/// To post to Foundation's center, pass a closure that does so to
/// ``RLNotificationQueue/init(post:)``.
///
/// Foundation: NotificationCenter.
open class RLNotificationCenter: @unchecked Sendable {
    // Proof: its only state is in a `Locked`.

    /// An observer's registration.
    ///
    /// It lasts until ``RLNotificationCenter/removeObserver(_:)``, whether or not you keep this
    /// object. With the module `RunLoopFoundation` it is an `NSObjectProtocol`.
    ///
    /// Foundation: what addObserver(forName:object:queue:using:) returns.
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

    /// Creates a center, independent of ``default``.
    public init() {}

    /// Adds a block that is called with notifications, on the thread that posts them.
    ///
    /// Foundation: addObserver(forName:object:queue:using:).
    ///
    /// - Parameters:
    ///   - name: The name of the notifications; nil for all.
    ///   - object: The object of the notifications; nil for all. It is not retained: remove the
    ///     observer before the object is deallocated.
    ///   - block: Called with each notification, on the posting thread.
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

    /// Adds a block that is called with notifications on a queue.
    ///
    /// The posting thread waits until the block has returned, as in Foundation. The block receives
    /// the parts that any thread may use: see ``RLNotificationPart``. If the poster runs on the
    /// queue itself, or on the main thread for the main queue, the block is called at once and
    /// receives everything. The main queue is served while the main loop runs.
    ///
    /// Foundation: addObserver(forName:object:queue:using:), with an OperationQueue; there is one
    /// in the module `RunLoopFoundation`.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications; nil for all.
    ///   - object: The object of the notifications; nil for all. It is not retained: remove the
    ///     observer before the object is deallocated.
    ///   - queue: The queue on which to call the block; nil for the thread that posts.
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
        // Disfavored, so that `.main` selects the overload for the main actor.
        guard let queue else { return addObserver(forName: name, object: object, using: block) }
        let place = SynchronousQueue(queue)
        return addObserver(forName: name, object: object) { notification in
            place.call { isHere in
                block(isHere ? notification : notification.partsForAnyThread)
            }
        }
    }

    /// The main dispatch queue, for blocks that are isolated to the main actor.
    public struct MainQueue: Sendable {
        /// The main dispatch queue.
        public static let main = MainQueue()

        private init() {}
    }

    /// Adds a block that is called with notifications on the main queue, for the main actor.
    ///
    /// ```swift
    /// let center = RLNotificationCenter.default
    /// center.addObserver(forName: RLThread.willExitNotification, queue: .main) { note in
    ///     show(note.name)
    /// }
    /// ```
    ///
    /// The poster waits, and the block receives the same as with `DispatchQueue.main`. If the main
    /// thread waits for the poster meanwhile, neither continues, except in
    /// ``RLLoopThread/join()``.
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
            // The main queue's work runs on the main thread, which is the main actor's.
            using: unsafeBitCast(block, to: (@Sendable (RLNotification) -> Void).self)
        )
    }

    /// Ends a registration.
    ///
    /// Foundation: removeObserver(_:).
    open func removeObserver(_ token: Token) {
        // Released after the lock: the block's destructor may remove another observer.
        let removed = observers.withLock { $0.remove(token) }
        removed?.token.isRemoved.store(true, ordering: .releasing)
    }

    /// Calls the observers of a notification, in the order in which they were added.
    ///
    /// An observer that an earlier one removes is not called.
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
