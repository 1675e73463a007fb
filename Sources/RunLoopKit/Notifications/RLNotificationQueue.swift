import CoreRunLoop

/// Posts notifications at the end of a pass or when the loop is idle, and coalesces equal ones.
///
/// A queue is confined to the thread that made it.
///
/// Foundation: NotificationQueue.
open class RLNotificationQueue {
    /// The time at which a notification is posted.
    ///
    /// Foundation: NotificationQueue.PostingStyle.
    public enum PostingStyle: UInt, Sendable {
        /// When the loop is about to sleep.
        case whenIdle = 1
        /// At the end of the pass of the loop.
        case asap = 2
        /// Before the call returns, if the loop runs in one of the given modes or does not run.
        ///
        /// Otherwise the notification is dropped. Here ``RLRunLoop/Mode/common`` stands for itself
        /// only, a mode in which no loop runs.
        case now = 3
    }

    /// The properties that make two notifications equal.
    ///
    /// Of equal ones, only the last is posted.
    ///
    /// Foundation: NotificationQueue.NotificationCoalescing.
    public struct NotificationCoalescing: OptionSet, Sendable {
        /// The flags.
        public let rawValue: UInt

        /// Creates a set of flags.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// No notifications are equal.
        public static let none: NotificationCoalescing = []
        /// Notifications with the same name are equal.
        public static let onName = NotificationCoalescing(rawValue: 1)
        /// Notifications with the same object, such as their sender, are equal.
        public static let onSender = NotificationCoalescing(rawValue: 2)
    }

    private let loop: RLRunLoopRef
    private let post: (RLNotification) -> Void
    private let pending = PendingNotifications()
    private let belongings = RLRunLoop.current.belongings
    private var passEnds: [RLRunLoop.Mode: PassEndObserver] = [:]
    // For entries that are added outside of passes.
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

    /// Creates a queue of the calling thread for a center.
    ///
    /// Foundation: NotificationQueue.init(notificationCenter:).
    @available(*, noasync)
    public init(notificationCenter center: RLNotificationCenter) {
        loop = RLRunLoop.current.loop
        post = { center.post($0) }
        keepAlive = KeepAliveSource(loop)
        belongings.insert(pending)
    }

    /// Creates a queue of the calling thread that posts through a closure, for example to another
    /// center.
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

    /// Posts a notification in default mode, and drops equal ones that are pending.
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

    /// Posts a notification at the time that its style names, and drops equal ones that are
    /// pending.
    ///
    /// Foundation: enqueue(_:postingStyle:coalesceMask:forModes:).
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - postingStyle: When to post it.
    ///   - coalesceMask: The properties in which pending notifications must be equal to be dropped.
    ///   - modes: The modes in which the loop may post it; nil for default mode.
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

    /// Drops pending notifications that are equal to the one given.
    ///
    /// Foundation: dequeueNotifications(matching:coalesceMask:).
    open func dequeueNotifications(
        matching notification: RLNotification,
        coalesceMask: NotificationCoalescing
    ) {
        checkThread("RLNotificationQueue.dequeueNotifications")
        // Released last: destructors may drop further notifications.
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

    /// Whether the loop runs in one of the modes, compared by name, or does not run.
    private func isCurrent(_ modes: [RLRunLoop.Mode]) -> Bool {
        let current = RLRunLoopCopyCurrentMode(loop).map(RLRunLoop.Mode.init)
        return current.map(modes.contains) ?? true
    }

    private func isListed(_ mode: RLRunLoop.Mode, in modes: [RLRunLoop.Mode]) -> Bool {
        if modes.contains(mode) { return true }
        guard modes.contains(.common) else { return false }
        // A mode is common if the observer in the common modes is in it: the engine has no other
        // query.
        return passEnd(of: .common).observer.map {
            RLRunLoopContainsObserver(loop, $0.reference, mode.mode)
        } ?? false
    }

    /// The observer at the end of the passes of a mode, created on first use.
    private func passEnd(of mode: RLRunLoop.Mode) -> PassEndObserver {
        if let known = passEnds[mode] { return known }
        let made = PassEndObserver(loop, modes: [mode], order: .max, eachPass: true) {
            // Weak, as another thread may hold the last reference to the queue.
            [weak self] activity in
            self?.endPass(of: mode, at: activity)
        }
        passEnds[mode] = made
        // The current round of observers does not call a new one.
        made.keepAwake()
        return made
    }

    private func endPass(of mode: RLRunLoop.Mode, at activity: RLRunLoopActivity) {
        // Observers may enqueue further notifications, for the next pass.
        passEnds[mode]?.endTurn(at: activity)
        postPending(activity)
        keepAlive.letGo(at: activity) { pending.modes }
    }

    private func postPending(_ activity: RLRunLoopActivity) {
        guard !pending.isEmpty, let current = RLRunLoopCopyCurrentMode(loop) else { return }
        let mode = RLRunLoop.Mode(current)
        let isIdle = activity == .beforeWaiting
        let chosen = pending.due { isDue($0, isIdle, mode) }
        // The end of a pass precedes idleness.
        let ordered =
            isIdle
            ? chosen.filter { $0.style == .asap } + chosen.filter { $0.style != .asap } : chosen
        // An earlier observer may drop the entry, or run the loop, which then posts it.
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

/// A queue is confined to the thread that made it.
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
