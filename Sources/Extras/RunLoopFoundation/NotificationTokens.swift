// Tokens of registrations as Foundation's clients keep them.

public import Foundation
public import RunLoopKit

/// Makes tokens assignable to properties of the type that Foundation's centers return.
extension RLNotificationCenter.Token: NSObjectProtocol {
    /// Returns the registration itself.
    ///
    /// Foundation: self().
    public func `self`() -> Self { self }

    /// Whether it stands for another object; false.
    ///
    /// Foundation: isProxy().
    public func isProxy() -> Bool { false }
}

extension RLNotificationCenter {
    /// Removes a registration that was kept as an object.
    ///
    /// Does nothing for objects other than registrations of a center of this library.
    ///
    /// Foundation: removeObserver(_:).
    @_disfavoredOverload
    public func removeObserver(_ observer: Any) {
        if let token = observer as? Token { removeObserver(token) }
    }
}
