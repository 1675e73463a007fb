// Notification centers: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// Calls observers with what is posted.
public typealias CFNotificationCenter = RLNotificationCenterRef
/// The name of a notification.
public typealias CFNotificationName = RLNotificationName
/// Called with a notification; its name is a string.
public typealias CFNotificationCallback = RLNotificationCallback
/// What becomes of notifications while a process is suspended.
public typealias CFNotificationSuspensionBehavior = RLNotificationSuspensionBehavior

/// Also to observers that are suspended.
@inlinable public var kCFNotificationDeliverImmediately: CFOptionFlags {
    CFOptionFlags(kRLNotificationDeliverImmediately)
}
/// Has no effect.
@inlinable public var kCFNotificationPostToAllSessions: CFOptionFlags {
    CFOptionFlags(kRLNotificationPostToAllSessions)
}

/// The type number of notification centers.
@discardableResult
@inlinable
public func CFNotificationCenterGetTypeID() -> CFTypeID {
    RLNotificationCenterGetTypeID()
}

/// The center of this process.
@discardableResult
@inlinable
public func CFNotificationCenterGetLocalCenter() -> CFNotificationCenter! {
    RLNotificationCenterGetLocalCenter()
}

/// The center of the user's processes.
@discardableResult
@inlinable
public func CFNotificationCenterGetDistributedCenter() -> CFNotificationCenter! {
    RLNotificationCenterGetDistributedCenter()
}

/// The center of the user's processes for names alone.
@discardableResult
@inlinable
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! {
    RLNotificationCenterGetDarwinNotifyCenter()
}

/// Adds an observer.
@inlinable
public func CFNotificationCenterAddObserver(
    _ center: CFNotificationCenter!,
    _ observer: UnsafeRawPointer!,
    _ callBack: CFNotificationCallback!,
    _ name: CFString!,
    _ object: UnsafeRawPointer!,
    _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
    RLNotificationCenterAddObserver(center, observer, callBack, name, object, suspensionBehavior)
}

/// Removes an observer, as often as it was added with this name and object.
@inlinable
public func CFNotificationCenterRemoveObserver(
    _ center: CFNotificationCenter!,
    _ observer: UnsafeRawPointer!,
    _ name: CFNotificationName!,
    _ object: UnsafeRawPointer!
) {
    RLNotificationCenterRemoveObserver(center, observer, name, object)
}

/// Removes an observer entirely.
@inlinable
public func CFNotificationCenterRemoveEveryObserver(
    _ center: CFNotificationCenter!,
    _ observer: UnsafeRawPointer!
) {
    RLNotificationCenterRemoveEveryObserver(center, observer)
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

/// Posts a notification with options.
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
