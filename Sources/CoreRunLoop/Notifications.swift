public import CRunLoop

/// A notification center, compared by identity.
// `@retroactive`: a C module cannot declare conformances, and this is its only Swift overlay.
// `@unchecked`: centers are never destroyed, and have internal locks.
extension RLNotificationCenterRef: RLReference, @retroactive @unchecked Sendable {}
extension RLNotificationCenterRef: @retroactive Hashable {}
extension RLNotificationCenterRef: @retroactive CustomStringConvertible {}
extension RLNotificationCenterRef: @retroactive CustomDebugStringConvertible {}

/// The name of a notification: any string, compared by its characters.
///
/// CF: CFNotificationName.
public struct RLNotificationName: Hashable, Sendable, RawRepresentable {
    /// The name as a string of the engine.
    public let rawValue: RLStringRef

    // Decides most comparisons without a comparison of the strings.
    private let hash: RLHashCode

    /// Creates a name from a string of the engine.
    public init(rawValue: RLStringRef) {
        self.rawValue = rawValue
        self.hash = RLHash(rawValue)
    }

    /// Creates a name from a string of the engine.
    public init(_ name: RLStringRef) {
        self.init(rawValue: name)
    }

    /// Returns whether two names have the same characters.
    public static func == (first: RLNotificationName, second: RLNotificationName) -> Bool {
        first.hash == second.hash && first.rawValue == second.rawValue
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

/// Removes all registrations of an observer for a name and an object.
///
/// CF: CFNotificationCenterRemoveObserver.
public func RLNotificationCenterRemoveObserver(
    _ center: RLNotificationCenterRef!,
    _ observer: UnsafeRawPointer!,
    _ name: RLNotificationName!,
    _ object: UnsafeRawPointer!
) {
    RLNotificationCenterRemoveObserver(center, observer, name?.rawValue, object)
}

/// Posts a notification.
///
/// CF: CFNotificationCenterPostNotification.
public func RLNotificationCenterPostNotification(
    _ center: RLNotificationCenterRef!,
    _ name: RLNotificationName!,
    _ object: UnsafeRawPointer!,
    _ userInfo: RLDictionaryRef!,
    _ deliverImmediately: Bool
) {
    RLNotificationCenterPostNotification(
        center,
        name?.rawValue,
        object,
        userInfo,
        deliverImmediately
    )
}

/// Posts a notification with options.
///
/// Only the distributed center uses the options.
///
/// CF: CFNotificationCenterPostNotificationWithOptions.
public func RLNotificationCenterPostNotificationWithOptions(
    _ center: RLNotificationCenterRef!,
    _ name: RLNotificationName!,
    _ object: UnsafeRawPointer!,
    _ userInfo: RLDictionaryRef!,
    _ options: RLOptionFlags
) {
    RLNotificationCenterPostNotificationWithOptions(
        center,
        name?.rawValue,
        object,
        userInfo,
        options
    )
}
