/// The common protocol of objects that can be compared and hashed, like every object of Foundation.
///
/// By default, an object is equal only to itself. ``RLTimer`` and ``RLSocketPort`` define equality
/// differently.
///
/// Foundation: NSObjectProtocol.
public protocol RLObjectProtocol: AnyObject, Hashable {
    /// Returns whether the object is equal to another object. Returns false for nil.
    ///
    /// Foundation: isEqual(_:).
    func isEqual(_ object: Any?) -> Bool

    /// A hash, which is the same for equal objects.
    ///
    /// Foundation: hash.
    var hash: Int { get }
}

extension RLObjectProtocol {
    /// Returns whether the other object is this object.
    ///
    /// Foundation: isEqual(_:).
    public func isEqual(_ object: Any?) -> Bool {
        object.map { $0 as AnyObject === self } ?? false
    }

    /// The hash of the object's identity.
    ///
    /// Foundation: hash.
    public var hash: Int {
        ObjectIdentifier(self).hashValue
    }

    /// Returns whether two objects are equal according to ``isEqual(_:)``.
    public static func == (first: Self, second: Self) -> Bool {
        first.isEqual(second)
    }

    /// Hashes the value of ``hash``.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
