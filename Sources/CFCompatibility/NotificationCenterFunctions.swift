public import CRunLoop.CFDeclarations
public import CoreRunLoop

/// Removes all registrations of an observer with this name and object.
@inlinable
public func CFNotificationCenterRemoveObserver(
    _ center: CFNotificationCenter!,
    _ observer: UnsafeRawPointer!,
    _ name: CFNotificationName!,
    _ object: UnsafeRawPointer!
) {
    RLNotificationCenterRemoveObserver(center, observer, name, object)
}

/// Posts a notification.
@inlinable
public func CFNotificationCenterPostNotification(
    _ center: CFNotificationCenter!,
    _ name: CFNotificationName!,
    _ object: UnsafeRawPointer!,
    _ userInfo: CFDictionary!,
    _ deliverImmediately: Bool
) {
    RLNotificationCenterPostNotification(center, name, object, userInfo, deliverImmediately)
}

/// Posts a notification with options, which have an effect only in the distributed center.
@inlinable
public func CFNotificationCenterPostNotificationWithOptions(
    _ center: CFNotificationCenter!,
    _ name: CFNotificationName!,
    _ object: UnsafeRawPointer!,
    _ userInfo: CFDictionary!,
    _ options: CFOptionFlags
) {
    RLNotificationCenterPostNotificationWithOptions(center, name, object, userInfo, options)
}
