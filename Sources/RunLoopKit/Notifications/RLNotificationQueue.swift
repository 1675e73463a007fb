import CoreRunLoop

/// Posts notifications at the end of a pass or when the loop is idle, and coalesces equal
/// notifications.
///
/// A queue is confined to the thread that created it.
///
/// Foundation: NotificationQueue.
open class RLNotificationQueue {
    /// The time at which a notification is posted.
    ///
    /// Foundation: NotificationQueue.PostingStyle.
    public enum PostingStyle: UInt, Sendable {
        /// Posts the notification when the loop is about to sleep.
        case whenIdle = 1
        /// Posts the notification at the end of the loop's pass.
        case asap = 2
        /// Posts the notification before the call returns, if the loop runs in one of the given
        /// modes or does not run.
        ///
        /// Otherwise the notification is dropped. For this style, ``RLRunLoop/Mode/common`` does
        /// not stand for the common modes.
        case now = 3
    }

    /// The properties by which notifications are compared.
    ///
    /// Of equal notifications, only the last one is posted.
    ///
    /// Foundation: NotificationQueue.NotificationCoalescing.
    public struct NotificationCoalescing: OptionSet, Sendable {
        /// The flags.
        public let rawValue: UInt

        /// Creates a set of flags.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Notifications are never equal.
        public static let none: NotificationCoalescing = []
        /// Notifications with the same name are equal.
        public static let onName = NotificationCoalescing(rawValue: 1)
        /// Notifications with the same object, which is usually the sender, are equal.
        public static let onSender = NotificationCoalescing(rawValue: 2)
    }

    private let loop: RLRunLoopRef
    private let post: (RLNotification) -> Void
    private let pending = PendingNotifications()
    private let belongings = RLRunLoop.current.belongings
    private var passEnds: [RLRunLoop.Mode: PassEndObserver] = [:]
    // Keeps runs from finishing before entries that were added outside a pass are posted.
    private var keepAlive: KeepAliveSource

    /// The calling thread's queue for ``RLNotificationCenter/default``.
    ///
    /// Foundation: NotificationQueue.default.
    @available(*, noasync)
    open class var `default`: RLNotificationQueue {
        let current = RLRunLoop.current
        if let queue = current.notificationQueue { return queue }
        let queue = RLNotificationQueue(notificationCenter: .default)
        current.notificationQueue = queue
        return queue
    }

    /// Creates a queue on the calling thread that posts to a center.
    ///
    /// Foundation: NotificationQueue.init(notificationCenter:).
    @available(*, noasync)
    public init(notificationCenter center: RLNotificationCenter) {
        loop = RLRunLoop.current.loop
        post = { center.post($0) }
        keepAlive = KeepAliveSource(loop)
        belongings.insert(pending)
    }

    /// Creates a queue on the calling thread that posts by calling a closure, for example to post
    /// to another center.
    @available(*, noasync)
    public init(post: @escaping (RLNotification) -> Void) {
        checkGiver("RLNotificationQueue.init(post:)")
        loop = RLRunLoop.current.loop
        self.post = post
        keepAlive = KeepAliveSource(loop)
        belongings.insert(pending)
    }

    deinit {
        belongings.letGo(of: pending, on: loop)
        keepAlive.letGo()
    }

    /// Enqueues a notification for default mode, and drops pending notifications that are equal.
    ///
    /// Foundation: enqueue(_:postingStyle:).
    open func enqueue(_ notification: RLNotification, postingStyle: PostingStyle) {
        enqueue(
            notification,
            postingStyle: postingStyle,
            coalesceMask: [.onName, .onSender],
            forModes: nil
        )
    }

    /// Enqueues a notification with a posting style, and drops pending notifications that are
    /// equal.
    ///
    /// Foundation: enqueue(_:postingStyle:coalesceMask:forModes:).
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - postingStyle: The time at which to post the notification.
    ///   - coalesceMask: The properties by which notifications are compared.
    ///   - modes: The modes in which the loop may post the notification; nil for default mode.
    open func enqueue(
        _ notification: RLNotification,
        postingStyle: PostingStyle,
        coalesceMask: NotificationCoalescing,
        forModes modes: [RLRunLoop.Mode]?
    ) {
        checkThread("RLNotificationQueue.enqueue")
        let modes = modes ?? [.default]
        dequeueNotifications(matching: notification, coalesceMask: coalesceMask)
        if postingStyle == .now {
            if isCurrent(modes) { post(notification) }
            return
        }
        checkGiver("RLNotificationQueue.enqueue")
        pending.add(notification, postingStyle, modes)
        for mode in modes where passEnd(of: mode).keepAwake() { keepAlive.keep(in: mode) }
    }

    /// Drops pending notifications that are equal to a notification.
    ///
    /// Foundation: dequeueNotifications(matching:coalesceMask:).
    open func dequeueNotifications(
        matching notification: RLNotification,
        coalesceMask: NotificationCoalescing
    ) {
        checkThread("RLNotificationQueue.dequeueNotifications")
        // Released last, because destructors may drop further notifications.
        let dropped = pending.remove(equalTo: notification, coalesceMask)
        if !dropped.isEmpty { keepAlive.letGo { pending.modes } }
        withExtendedLifetime(dropped) {}
    }

    private func checkThread(_ call: StaticString) {
        RunLoopKit.checkThread(
            of: loop,
            call,
            remedy: "call it on that thread with RLRunLoopPerformBlock"
        )
    }

    /// Returns whether the loop runs in one of the modes, compared by name, or does not run.
    private func isCurrent(_ modes: [RLRunLoop.Mode]) -> Bool {
        let current = RLRunLoopCopyCurrentMode(loop).map(RLRunLoop.Mode.init)
        return current.map(modes.contains) ?? true
    }

    private func isListed(_ mode: RLRunLoop.Mode, in modes: [RLRunLoop.Mode]) -> Bool {
        if modes.contains(mode) { return true }
        guard modes.contains(.common) else { return false }
        // The engine has no query for common modes, but each common mode contains this observer.
        return passEnd(of: .common).observer.map {
            RLRunLoopContainsObserver(loop, $0.reference, mode.mode)
        } ?? false
    }

    private func passEnd(of mode: RLRunLoop.Mode) -> PassEndObserver {
        if let known = passEnds[mode] { return known }
        let made = PassEndObserver(loop, modes: [mode], order: .max, eachPass: true) {
            // Weak, because another thread may hold the last reference to the queue.
            [weak self] activity in
            self?.endPass(of: mode, at: activity)
        }
        passEnds[mode] = made
        // If the loop is calling observers now, this pass does not call the new observer.
        made.keepAwake()
        return made
    }

    private func endPass(of mode: RLRunLoop.Mode, at activity: RLRunLoopActivity) {
        // Observers may enqueue further notifications, which are posted in the next pass.
        passEnds[mode]?.endTurn(at: activity)
        postPending(activity)
        keepAlive.letGo(at: activity) { pending.modes }
    }

    private func postPending(_ activity: RLRunLoopActivity) {
        guard !pending.isEmpty, let current = RLRunLoopCopyCurrentMode(loop) else { return }
        let mode = RLRunLoop.Mode(current)
        let isIdle = activity == .beforeWaiting
        let chosen = pending.due { isDue($0, isIdle, mode) }
        // `asap` notifications are posted before `whenIdle` notifications.
        let ordered =
            isIdle
            ? chosen.filter { $0.style == .asap } + chosen.filter { $0.style != .asap } : chosen
        // An earlier observer may drop the entry, or may run the loop, which posts the entry.
        for entry in ordered {
            if let notification = pending.remove(entry) { post(notification) }
        }
        pending.forgetRemoved()
    }

    private func isDue(_ entry: PendingNotifications.Entry, _ isIdle: Bool, _ mode: RLRunLoop.Mode)
        -> Bool
    {
        (isIdle || entry.style == .asap) && isListed(mode, in: entry.modes)
    }
}

extension RLNotificationQueue: RLObjectProtocol {}

@available(*, unavailable)
extension RLNotificationQueue: Sendable {}

extension RLNotificationQueue.NotificationCoalescing: CustomStringConvertible {
    /// The names of the options, such as `"onName, onSender"`.
    public var description: String {
        namesOfBits(rawValue, [1: "onName", 2: "onSender"])
    }
}

extension RLNotificationQueue: CustomStringConvertible {
    /// The address and the queue's thread.
    public var description: String {
        describe(self, "of thread \(describeThread(threadNumber(of: loop)))")
    }
}
