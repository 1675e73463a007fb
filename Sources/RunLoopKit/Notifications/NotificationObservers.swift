/// The observers of a center, indexed by name and object.
struct NotificationObservers {
    struct Observer: Sendable {
        let token: RLNotificationCenter.Token
        let block: @Sendable (RLNotification) -> Void
        // Registrations are numbered in order, and each list is sorted by this number.
        fileprivate let number: Int
    }

    private struct Group {
        // The observers without an object, and the observers of each object.
        var general: [Observer] = []
        var special: [ObjectIdentifier: [Observer]] = [:]

        func matching(_ object: ObjectIdentifier?) -> [Observer] {
            NotificationObservers.merge(general, object.flatMap { special[$0] } ?? [])
        }

        mutating func change<Result>(
            _ object: ObjectIdentifier?,
            _ body: (inout [Observer]) -> Result
        ) -> Result {
            guard let object else { return body(&general) }
            defer { if special[object]?.isEmpty ?? false { special[object] = nil } }
            return body(&special[object, default: []])
        }
    }

    // The observers without a name, and the observers of each name.
    private var general = Group()
    private var special: [RLNotification.Name: Group] = [:]
    private(set) var count = 0
    private var nextNumber = 0

    mutating func add(
        _ token: RLNotificationCenter.Token,
        _ block: @escaping @Sendable (RLNotification) -> Void
    ) {
        let observer = Observer(token: token, block: block, number: nextNumber)
        nextNumber += 1
        count += 1
        change(token) { $0.append(observer) }
    }

    /// Removes and returns an observer, which the caller must release without the lock.
    ///
    /// The destructor of the observer's block may use the center.
    mutating func remove(_ token: RLNotificationCenter.Token) -> Observer? {
        let removed = change(token) { list in
            list.firstIndex { $0.token === token }.map { list.remove(at: $0) }
        }
        if removed != nil { count -= 1 }
        return removed
    }

    /// Returns the observers that match a notification, in the order of registration.
    func matching(_ name: RLNotification.Name, _ object: ObjectIdentifier?) -> [Observer] {
        Self.merge(general.matching(object), special[name]?.matching(object) ?? [])
    }

    private static func merge(_ first: [Observer], _ second: [Observer]) -> [Observer] {
        if first.isEmpty { return second }
        if second.isEmpty { return first }
        return (first + second).sorted { $0.number < $1.number }
    }

    private mutating func change<Result>(
        _ token: RLNotificationCenter.Token,
        _ body: (inout [Observer]) -> Result
    ) -> Result {
        guard let name = token.name else { return general.change(token.object, body) }
        defer {
            if let group = special[name], group.general.isEmpty, group.special.isEmpty {
                special[name] = nil
            }
        }
        return special[name, default: Group()].change(token.object, body)
    }
}
