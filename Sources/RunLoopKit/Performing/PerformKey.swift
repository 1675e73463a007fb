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
