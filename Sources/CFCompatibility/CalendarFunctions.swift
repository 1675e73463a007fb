// Calendars: each function is a call of the one with `RL` in its name. Those that take parts have
// variable arguments, which Swift cannot call, here as on Apple's systems.

public import CoreRunLoop

/// A calendar.
public typealias CFCalendar = RLCalendarRef
/// The name of a kind of calendar.
public typealias CFCalendarIdentifier = RLCalendarIdentifier

/// The Gregorian calendar.
@inlinable public var kCFCalendarIdentifierGregorian: CFCalendarIdentifier! {
    kRLCalendarIdentifierGregorian
}
/// The former name of the Gregorian calendar.
@inlinable public var kCFGregorianCalendar: CFCalendarIdentifier! { kRLGregorianCalendar }

/// The type number of calendars.
@discardableResult
@inlinable
public func CFCalendarGetTypeID() -> CFTypeID {
    RLCalendarGetTypeID()
}

/// Makes a Gregorian calendar with the default zone.
@discardableResult
@inlinable
public func CFCalendarCopyCurrent() -> CFCalendar! {
    RLCalendarCopyCurrent()
}

/// Makes a calendar with the default zone; nil for all but the Gregorian one.
@discardableResult
@inlinable
public func CFCalendarCreateWithIdentifier(
    _ allocator: CFAllocator!,
    _ identifier: CFCalendarIdentifier!
) -> CFCalendar! {
    RLCalendarCreateWithIdentifier(allocator, identifier)
}

/// The kind of a calendar.
@discardableResult
@inlinable
public func CFCalendarGetIdentifier(_ calendar: CFCalendar!) -> CFCalendarIdentifier! {
    RLCalendarGetIdentifier(calendar)
}

/// The zone of a calendar.
@discardableResult
@inlinable
public func CFCalendarCopyTimeZone(_ calendar: CFCalendar!) -> CFTimeZone! {
    RLCalendarCopyTimeZone(calendar)
}

/// Sets the zone of a calendar; nil for the default one of now.
@inlinable
public func CFCalendarSetTimeZone(_ calendar: CFCalendar!, _ tz: CFTimeZone!) {
    RLCalendarSetTimeZone(calendar, tz)
}
