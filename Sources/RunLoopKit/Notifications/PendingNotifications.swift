/// The notifications that wait in a queue, found by name and by sender.
final class PendingNotifications: ThreadBelonging {
    final class Entry {
        // Nil when it was posted or dropped.
        fileprivate var notification: RLNotification?
        let style: RLNotificationQueue.PostingStyle
        let modes: [RLRunLoop.Mode]
        fileprivate let number: Int

        fileprivate init(
            _ notification: RLNotification,
            _ style: RLNotificationQueue.PostingStyle,
            _ modes: [RLRunLoop.Mode],
            _ number: Int
        ) {
            self.notification = notification
            self.style = style
            self.modes = modes
            self.number = number
        }
    }

    /// The common part of equal notifications.
    ///
    /// A part that does not count is nil.
    private struct Key: Hashable {
        var name: RLNotification.Name?
        var sender: ObjectIdentifier??
    }

    // In the order in which they came. Some may be over.
    private var entries: [Entry] = []
    // The entries that are not over, under each of their keys.
    private var equals: [Key: [Int: Entry]] = [:]
    // The number that waits in each mode.
    private var counts: [RLRunLoop.Mode: Int] = [:]
    private var nextNumber = 0
    private var overCount = 0

    private static let masks: [RLNotificationQueue.NotificationCoalescing] = [
        .onName, .onSender, [.onName, .onSender],
    ]

    private func key(
        _ notification: RLNotification,
        _ mask: RLNotificationQueue.NotificationCoalescing
    ) -> Key {
        Key(
            name: mask.contains(.onName) ? notification.name : nil,
            sender: mask.contains(.onSender)
                ? .some(notification.object.map { ObjectIdentifier($0) }) : nil
        )
    }

    /// Whether none waits.
    var isEmpty: Bool {
        entries.isEmpty
    }

    /// The modes in which those that wait are to be posted.
    var modes: Set<RLRunLoop.Mode> {
        Set(counts.keys)
    }

    func letGo() {
        // Released at the end of this function, as their end may use the queue.
        let left = entries
        entries = []
        equals = [:]
        counts = [:]
        withExtendedLifetime(left) {}
    }

    func add(
        _ notification: RLNotification,
        _ style: RLNotificationQueue.PostingStyle,
        _ modes: [RLRunLoop.Mode]
    ) {
        let entry = Entry(notification, style, modes, nextNumber)
        nextNumber += 1
        entries.append(entry)
        for mode in modes { counts[mode, default: 0] += 1 }
        for mask in Self.masks {
            equals[key(notification, mask), default: [:]][entry.number] = entry
        }
    }

    /// Removes those that are equal to one; returns them, as releasing them may use the queue.
    func remove(
        equalTo notification: RLNotification,
        _ mask: RLNotificationQueue.NotificationCoalescing
    ) -> [RLNotification] {
        if mask.isEmpty { return [] }
        let equal = Array(equals[key(notification, mask)]?.values ?? [:].values)
        let removed = equal.compactMap { remove($0) }
        if overCount > 16 && overCount > entries.count / 2 { forgetRemoved() }
        return removed
    }

    /// Removes one; nil if it was posted or dropped before.
    func remove(_ entry: Entry) -> RLNotification? {
        guard let notification = entry.notification else { return nil }
        entry.notification = nil
        overCount += 1
        for mode in entry.modes {
            let left = counts[mode, default: 0] - 1
            counts[mode] = left > 0 ? left : nil
        }
        for mask in Self.masks {
            let key = key(notification, mask)
            equals[key]?[entry.number] = nil
            if equals[key]?.isEmpty ?? false { equals[key] = nil }
        }
        return notification
    }

    /// Gives up the memory of those that are over.
    func forgetRemoved() {
        if overCount == 0 { return }
        entries.removeAll { $0.notification == nil }
        overCount = 0
    }

    /// Those whose time has come, which wait until they are removed.
    func due(where isDue: (Entry) -> Bool) -> [Entry] {
        entries.filter { $0.notification != nil && isDue($0) }
    }
}
