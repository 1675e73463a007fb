// Dates: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// A date as an object.
public typealias CFDate = RLDateRef

/// The seconds from 1904-01-01 to 2001-01-01, both UTC.
@inlinable public var kCFAbsoluteTimeIntervalSince1904: CFTimeInterval {
    kRLAbsoluteTimeIntervalSince1904
}

/// The type number of dates.
@discardableResult
@inlinable
public func CFDateGetTypeID() -> CFTypeID {
    RLDateGetTypeID()
}

/// Makes a date that the caller owns; `allocator` is ignored.
@discardableResult
@inlinable
public func CFDateCreate(_ allocator: CFAllocator!, _ at: CFAbsoluteTime) -> CFDate! {
    RLDateCreate(allocator, at)
}

/// The seconds of a date.
@discardableResult
@inlinable
public func CFDateGetAbsoluteTime(_ theDate: CFDate!) -> CFAbsoluteTime {
    RLDateGetAbsoluteTime(theDate)
}

/// How many seconds a date is behind another one.
@discardableResult
@inlinable
public func CFDateGetTimeIntervalSinceDate(_ theDate: CFDate!, _ otherDate: CFDate!)
    -> CFTimeInterval
{
    RLDateGetTimeIntervalSinceDate(theDate, otherDate)
}

/// Which of two dates is the earlier one; one that is no number is equal to any.
///
/// `context` is ignored.
@discardableResult
@inlinable
public func CFDateCompare(
    _ theDate: CFDate!,
    _ otherDate: CFDate!,
    _ context: UnsafeMutableRawPointer!
) -> CFComparisonResult {
    RLDateCompare(theDate, otherDate, context)
}
