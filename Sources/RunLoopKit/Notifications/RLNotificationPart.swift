public import FoundationEssentials

/// An object or value of a notification that observers on other threads may receive.
///
/// Observers on queues may retain a notification's objects while the posting thread still uses
/// them. Therefore such observers receive only an object and user info that conform to this
/// protocol. Swift cannot check conformance to `Sendable` at run time, so conform your types
/// explicitly:
///
/// ```swift
/// final class Document: RLNotificationPart { let name = "letter" }
/// ```
///
/// Foundation has no counterpart: its observers receive all objects on any thread.
public protocol RLNotificationPart: Sendable {}

extension Bool: RLNotificationPart {}
extension Int: RLNotificationPart {}
extension Int32: RLNotificationPart {}
extension Int64: RLNotificationPart {}
extension UInt: RLNotificationPart {}
extension UInt32: RLNotificationPart {}
extension UInt64: RLNotificationPart {}
extension Float: RLNotificationPart {}
extension Double: RLNotificationPart {}
extension String: RLNotificationPart {}
extension Data: RLNotificationPart {}
extension Date: RLNotificationPart {}
extension URL: RLNotificationPart {}
extension UUID: RLNotificationPart {}
extension Array: RLNotificationPart where Element: RLNotificationPart {}
extension Dictionary: RLNotificationPart where Key: RLNotificationPart, Value: RLNotificationPart {}
extension RLPort: RLNotificationPart {}
extension RLThread: RLNotificationPart {}
extension RLNotification.Name: RLNotificationPart {}

extension RLNotification {
    private static let hasLoggedLoss = Locked(false)

    /// A copy for other threads; logs a warning once if the copy lacks parts.
    package var partsForAnyThread: RLNotification {
        var parts = RLNotification(name: name)
        if object is any RLNotificationPart { parts.object = object }
        parts.userInfo = userInfo?.filter { key, value in
            key.base is any RLNotificationPart && value is any RLNotificationPart
        }
        let isWhole = parts.object === object && parts.userInfo?.count == userInfo?.count
        let isFirstLoss =
            !isWhole
            && Self.hasLoggedLoss.withLock { hasLogged in
                defer { hasLogged = true }
                return !hasLogged
            }
        if isFirstLoss {
            warn(
                "RLNotificationCenter.post(_:)",
                "observers on other threads receive \(name.rawValue) without the parts that do not "
                    + "conform to RLNotificationPart: declare the conformance, or observe without a queue"
            )
        }
        return parts
    }
}
