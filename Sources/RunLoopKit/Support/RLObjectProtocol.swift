/// The behavior of every object of Foundation: it can be compared and be a member of sets.
///
/// An object is equal to itself only. ``RLTimer`` and ``RLSocketPort`` define equality of their
/// own.
///
/// Foundation: NSObjectProtocol.
public protocol RLObjectProtocol: AnyObject, Hashable {
    /// Whether the object is equal to another one; never to nil.
    ///
    /// Foundation: isEqual(_:).
    func isEqual(_ object: Any?) -> Bool

    /// A hash that is the same for equal objects.
    ///
    /// Foundation: hash.
    var hash: Int { get }
}

extension RLObjectProtocol {
    /// Whether both references are to the same object.
    ///
    /// Foundation: isEqual(_:).
    public func isEqual(_ object: Any?) -> Bool {
        object.map { $0 as AnyObject === self } ?? false
    }

    /// A hash of the object's identity.
    ///
    /// Foundation: hash.
    public var hash: Int {
        ObjectIdentifier(self).hashValue
    }

    /// Whether two objects are equal, by ``isEqual(_:)``.
    public static func == (first: Self, second: Self) -> Bool {
        first.isEqual(second)
    }

    /// Hashes the value of ``hash``.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
