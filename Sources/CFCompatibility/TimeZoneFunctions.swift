// Time zones, and dates of the Gregorian calendar: each function is a call of the one with `RL` in
// its name.

public import CoreRunLoop

/// A time zone.
public typealias CFTimeZone = RLTimeZoneRef
/// A date of the Gregorian calendar.
public typealias CFGregorianDate = RLGregorianDate
/// A span of time.
public typealias CFGregorianUnits = RLGregorianUnits
/// The parts of dates and spans.
public typealias CFGregorianUnitFlags = RLGregorianUnitFlags

/// The type number of time zones.
@discardableResult
@inlinable
public func CFTimeZoneGetTypeID() -> CFTypeID {
    RLTimeZoneGetTypeID()
}

/// The zone of the system.
@discardableResult
@inlinable
public func CFTimeZoneCopySystem() -> CFTimeZone! {
    RLTimeZoneCopySystem()
}

/// The zone of the system.
@discardableResult
@inlinable
public func CFTimeZoneCopyDefault() -> CFTimeZone! {
    RLTimeZoneCopyDefault()
}

/// Makes a zone without daylight saving time; nil beyond 18 hours.
@discardableResult
@inlinable
public func CFTimeZoneCreateWithTimeIntervalFromGMT(_ allocator: CFAllocator!, _ ti: CFTimeInterval)
    -> CFTimeZone!
{
    RLTimeZoneCreateWithTimeIntervalFromGMT(allocator, ti)
}

/// How many seconds a zone is ahead of GMT at a date.
@discardableResult
@inlinable
public func CFTimeZoneGetSecondsFromGMT(_ tz: CFTimeZone!, _ at: CFAbsoluteTime) -> CFTimeInterval {
    RLTimeZoneGetSecondsFromGMT(tz, at)
}

/// Whether parts of a date are those of a date.
@discardableResult
@inlinable
public func CFGregorianDateIsValid(_ gdate: CFGregorianDate, _ unitFlags: CFOptionFlags) -> Bool {
    RLGregorianDateIsValid(gdate, unitFlags)
}

/// The seconds of a date in a zone; nil is GMT.
@discardableResult
@inlinable
public func CFGregorianDateGetAbsoluteTime(_ gdate: CFGregorianDate, _ tz: CFTimeZone!)
    -> CFAbsoluteTime
{
    RLGregorianDateGetAbsoluteTime(gdate, tz)
}

/// The date of seconds in a zone; nil is GMT.
@discardableResult
@inlinable
public func CFAbsoluteTimeGetGregorianDate(_ at: CFAbsoluteTime, _ tz: CFTimeZone!)
    -> CFGregorianDate
{
    RLAbsoluteTimeGetGregorianDate(at, tz)
}

/// Adds a span: years and months, then days, then the rest.
@discardableResult
@inlinable
public func CFAbsoluteTimeAddGregorianUnits(
    _ at: CFAbsoluteTime,
    _ tz: CFTimeZone!,
    _ units: CFGregorianUnits
) -> CFAbsoluteTime {
    RLAbsoluteTimeAddGregorianUnits(at, tz, units)
}

/// The span from `at2` to `at1`, in the parts of `unitFlags`.
@discardableResult
@inlinable
public func CFAbsoluteTimeGetDifferenceAsGregorianUnits(
    _ at1: CFAbsoluteTime,
    _ at2: CFAbsoluteTime,
    _ tz: CFTimeZone!,
    _ unitFlags: CFOptionFlags
) -> CFGregorianUnits {
    RLAbsoluteTimeGetDifferenceAsGregorianUnits(at1, at2, tz, unitFlags)
}

/// The day of the week, from 1 for Monday to 7.
@discardableResult
@inlinable
public func CFAbsoluteTimeGetDayOfWeek(_ at: CFAbsoluteTime, _ tz: CFTimeZone!) -> Int32 {
    RLAbsoluteTimeGetDayOfWeek(at, tz)
}

/// The day of the year, from 1 to 366.
@discardableResult
@inlinable
public func CFAbsoluteTimeGetDayOfYear(_ at: CFAbsoluteTime, _ tz: CFTimeZone!) -> Int32 {
    RLAbsoluteTimeGetDayOfYear(at, tz)
}

/// The week of the year by ISO 8601, from 1 to 53.
@discardableResult
@inlinable
public func CFAbsoluteTimeGetWeekOfYear(_ at: CFAbsoluteTime, _ tz: CFTimeZone!) -> Int32 {
    RLAbsoluteTimeGetWeekOfYear(at, tz)
}
