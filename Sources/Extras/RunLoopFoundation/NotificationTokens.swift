// Registrations as Foundation's clients keep them.

public import Foundation
public import RunLoopKit

/// A registration can be kept in a property of the type that Foundation's centers return.
extension RLNotificationCenter.Token: NSObjectProtocol {
    /// The registration itself.
    ///
    /// Foundation: self().
    public func `self`() -> Self { self }

    /// Whether it stands for another object; false.
    ///
    /// Foundation: isProxy().
    public func isProxy() -> Bool { false }
}

extension RLNotificationCenter {
    /// Ends a registration that is kept as an object.
    ///
    /// Does nothing for objects other than registrations of a center of this library.
    ///
    /// Foundation: removeObserver(_:).
    @_disfavoredOverload
    public func removeObserver(_ observer: Any) {
        if let token = observer as? Token { removeObserver(token) }
    }
}
