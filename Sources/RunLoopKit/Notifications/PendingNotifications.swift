/// The queued notifications, indexed by name and sender.
final class PendingNotifications: ThreadBelonging {
    final class Entry {
        // Nil after the notification was posted or dropped.
        fileprivate var notification: RLNotification?
        let style: RLNotificationQueue.PostingStyle
        let modes: [RLRunLoop.Mode]

        fileprivate init(
            _ notification: RLNotification,
            _ style: RLNotificationQueue.PostingStyle,
            _ modes: [RLRunLoop.Mode]
        ) {
            self.notification = notification
            self.style = style
            self.modes = modes
        }
    }

    typealias Mask = RLNotificationQueue.NotificationCoalescing

    /// The properties by which entries are compared; properties outside the mask are nil.
    private struct Key: Hashable {
        var name: RLNotification.Name?
        var sender: ObjectIdentifier??

        init(_ notification: RLNotification, _ mask: Mask) {
            if mask.contains(.onName) { name = notification.name }
            if mask.contains(.onSender) {
                sender = .some(notification.object.map { ObjectIdentifier($0) })
            }
        }
    }

    /// The queued entries, indexed by the properties of one mask.
    private struct Index {
        let mask: Mask
        // The lists may contain removed entries, which the counts do not include. A count is at
        // least 1.
        private var lists: [Key: (entries: [Entry], count: Int)] = [:]

        init(_ mask: Mask, _ entries: [Entry]) {
            self.mask = mask
            for entry in entries {
                if let notification = entry.notification { add(entry, notification) }
            }
        }

        mutating func add(_ entry: Entry, _ notification: RLNotification) {
            let key = Key(notification, mask)
            guard let place = lists.index(forKey: key) else {
                lists[key] = ([entry], 1)
                return
            }
            lists.values[place].entries.append(entry)
            lists.values[place].count += 1
        }

        mutating func forgetOne(_ notification: RLNotification) {
            guard let place = lists.index(forKey: Key(notification, mask)) else { return }
            let count = lists.values[place].count - 1
            lists.values[place].count = count
            if count == 0 {
                lists.remove(at: place)
            } else if lists.values[place].entries.count > 2 * count + 16 {
                lists.values[place].entries.removeAll { $0.notification == nil }
            }
        }

        func entries(equalTo notification: RLNotification) -> [Entry] {
            lists[Key(notification, mask)]?.entries ?? []
        }
    }

    // The entries in the order of arrival; may contain removed entries.
    private var entries: [Entry] = []
    private var indexes: [Index] = []
    private var counts: [RLRunLoop.Mode: Int] = [:]
    private var overCount = 0

    var isEmpty: Bool {
        entries.isEmpty
    }

    var modes: Set<RLRunLoop.Mode> {
        Set(counts.keys)
    }

    func letGo() {
        let count = entries.count - overCount
        if count > 0 {
            hint(
                "RLNotificationQueue.enqueue",
                "thread \(describeCurrentThread()) ended before its run loop posted "
                    + "\(count) notification(s): run the loop once more before the thread ends"
            )
        }
        // The content is released at the end of this function: destructors may use the queue.
        let left = entries
        entries = []
        indexes = []
        counts = [:]
        withExtendedLifetime(left) {}
    }

    func add(
        _ notification: RLNotification,
        _ style: RLNotificationQueue.PostingStyle,
        _ modes: [RLRunLoop.Mode]
    ) {
        let entry = Entry(notification, style, modes)
        entries.append(entry)
        for mode in modes { counts[mode, default: 0] += 1 }
        for place in indexes.indices { indexes[place].add(entry, notification) }
    }

    /// Removes and returns all equal notifications, which the caller must release last.
    ///
    /// The destructors of the notifications may use the queue.
    func remove(
        equalTo notification: RLNotification,
        _ mask: Mask
    ) -> [RLNotification] {
        let mask = mask.intersection([.onName, .onSender])
        if mask.isEmpty { return [] }
        let equal = indexes[indexPlace(of: mask)].entries(equalTo: notification)
        let removed = equal.compactMap { remove($0) }
        if overCount > 16 && overCount > entries.count / 2 { forgetRemoved() }
        return removed
    }

    private func indexPlace(of mask: Mask) -> Int {
        if let known = indexes.firstIndex(where: { $0.mask == mask }) { return known }
        indexes.append(Index(mask, entries))
        return indexes.count - 1
    }

    /// Removes an entry; returns nil if its notification was posted or dropped before.
    func remove(_ entry: Entry) -> RLNotification? {
        guard let notification = entry.notification else { return nil }
        entry.notification = nil
        overCount += 1
        for mode in entry.modes {
            guard let place = counts.index(forKey: mode) else { continue }
            counts.values[place] -= 1
            if counts.values[place] == 0 { counts.remove(at: place) }
        }
        for place in indexes.indices { indexes[place].forgetOne(notification) }
        return notification
    }

    func forgetRemoved() {
        if overCount == 0 { return }
        if overCount == entries.count {
            entries.removeAll(keepingCapacity: true)
        } else {
            entries.removeAll { $0.notification == nil }
        }
        overCount = 0
    }

    /// Returns the due entries, which stay queued until they are removed.
    func due(where isDue: (Entry) -> Bool) -> [Entry] {
        entries.filter { $0.notification != nil && isDue($0) }
    }
}
