/// Identifies a request, so that it can be cancelled.
struct PerformKey: Hashable {
    let target: ObjectIdentifier
    let name: String
    private let argument: Argument

    /// `Hashable` arguments are compared by value, other objects by identity.
    private enum Argument: Hashable {
        case none
        case value(AnyHashable)
        case object(ObjectIdentifier)
        // Equals no other argument. The key retains the object, so its address is not reused.
        case unique(Unique)
    }

    private final class Unique: Hashable {
        static func == (first: Unique, second: Unique) -> Bool { first === second }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    init(_ target: AnyObject, _ name: String, _ argument: Any?) {
        self.target = ObjectIdentifier(target)
        self.name = name
        switch argument {
        case nil: self.argument = .none
        case let value as AnyHashable: self.argument = .value(value)
        case let other? where type(of: other) is AnyClass:
            self.argument = .object(ObjectIdentifier(other as AnyObject))
        default: self.argument = .unique(Unique())
        }
    }
}

/// Values that are indexed by key, and by number within a key.
struct PerformIndex<Value> {
    private var values: [ObjectIdentifier: [PerformKey: [Int: Value]]] = [:]

    mutating func insert(_ value: Value, _ key: PerformKey, _ number: Int) {
        values[key.target, default: [:]][key, default: [:]][number] = value
    }

    mutating func remove(_ key: PerformKey, _ number: Int) -> Value? {
        // Uses indices, so that each key is hashed once.
        guard let target = values.index(forKey: key.target),
            let place = values.values[target].index(forKey: key)
        else { return nil }
        let removed = values.values[target].values[place].removeValue(forKey: number)
        if values.values[target].values[place].isEmpty { values.values[target].remove(at: place) }
        if values.values[target].isEmpty { values.remove(at: target) }
        return removed
    }

    mutating func removeAll(_ key: PerformKey) -> [Value] {
        let removed = values[key.target]?.removeValue(forKey: key) ?? [:]
        if values[key.target]?.isEmpty ?? false { values[key.target] = nil }
        return Self.inOrder(removed)
    }

    mutating func removeAll(of target: AnyObject) -> [Value] {
        let removed = values.removeValue(forKey: ObjectIdentifier(target)) ?? [:]
        return Self.inOrder(removed.values.joined())
    }

    private static func inOrder(_ values: some Sequence<(key: Int, value: Value)>) -> [Value] {
        values.sorted { $0.key < $1.key }.map(\.value)
    }

    /// All values, unordered.
    var all: [Value] {
        values.values.flatMap { $0.values.flatMap(\.values) }
    }

    var keys: [PerformKey] {
        values.values.flatMap { $0.flatMap { key, values in values.map { _ in key } } }
    }
}
