// Lets code for Foundation's centers keep the tokens of these centers.

public import Foundation
public import RunLoopKit

/// Makes tokens assignable to properties of type `NSObjectProtocol`, as Foundation's tokens are.
extension RLNotificationCenter.Token: NSObjectProtocol {
    /// Returns the registration itself.
    ///
    /// Foundation: self().
    public func `self`() -> Self { self }

    /// Whether the token is a proxy of another object; always false.
    ///
    /// Foundation: isProxy().
    public func isProxy() -> Bool { false }
}

extension RLNotificationCenter {
    /// Removes a registration that was stored as `Any`.
    ///
    /// Does nothing if the object is not a registration of this library.
    ///
    /// Foundation: removeObserver(_:).
    @_disfavoredOverload
    public func removeObserver(_ observer: Any) {
        if let token = observer as? Token { removeObserver(token) }
    }
}
