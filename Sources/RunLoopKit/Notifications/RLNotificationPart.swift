// The parts of a notification that other threads get.

public import FoundationEssentials

/// An object or a value that observers on other threads receive with a notification.
///
/// Observers on queues may keep what they receive while the poster still uses it. They therefore
/// receive the object and the information only as far as these conform to this protocol. It is a
/// protocol of its own because Swift cannot test for `Sendable` at run time:
///
/// ```swift
/// final class Document: RLNotificationPart { let name = "letter" }
/// ```
///
/// Foundation: none; there all threads receive everything.
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
    private static let wasToldOfLoss = Locked(false)

    /// The parts that another thread may receive.
    ///
    /// Logs once if something is left out.
    package var partsForAnyThread: RLNotification {
        var told = RLNotification(name: name)
        if object is any RLNotificationPart { told.object = object }
        told.userInfo = userInfo?.filter { key, value in
            key.base is any RLNotificationPart && value is any RLNotificationPart
        }
        let isWhole = told.object === object && told.userInfo?.count == userInfo?.count
        let isFirstLoss =
            !isWhole
            && Self.wasToldOfLoss.withLock { wasTold in
                defer { wasTold = true }
                return !wasTold
            }
        if isFirstLoss {
            warn(
                "RLNotificationCenter.post(_:)",
                "observers on other threads get \(name.rawValue) without what does not conform to "
                    + "RLNotificationPart: conform to it what is Sendable, or observe without a queue"
            )
        }
        return told
    }
}
