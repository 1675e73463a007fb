/*
 * Dates and time intervals. A date can be a number, an object, or a date of the calendar.
 *
 * The objects are immutable. All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLDATE_H
#define CRUNLOOP_RLDATE_H

#include <CRunLoop/RLObject.h>

RL_EXTERN_C_BEGIN

/** A time interval in seconds. CF: CFTimeInterval. */
typedef double RLTimeInterval;

/** A date in seconds since 2001-01-01 00:00:00 UTC. CF: CFAbsoluteTime. */
typedef RLTimeInterval RLAbsoluteTime;

/** The seconds from 1970-01-01 to 2001-01-01, both UTC. CF: kCFAbsoluteTimeIntervalSince1970. */
RL_EXPORT const RLTimeInterval kRLAbsoluteTimeIntervalSince1970;

/** The seconds from 1904-01-01 to 2001-01-01, both UTC. CF: kCFAbsoluteTimeIntervalSince1904. */
RL_EXPORT const RLTimeInterval kRLAbsoluteTimeIntervalSince1904;

/** Returns the current date by the wall clock. CF: CFAbsoluteTimeGetCurrent. */
RL_EXPORT RLAbsoluteTime RLAbsoluteTimeGetCurrent(void);

#if defined(__swift__)
/** A date as an object. CF: CFDateRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_date, rl_swift_release_date) RL_SWIFT_NAME(RLDateRef)
    RLOpaqueDate {
    uintptr_t _reserved;
};

#define RLDateRef const struct RLOpaqueDate *
#else
/** A reference to a date. CF: CFDateRef. */
typedef const struct __CFDate *RLDateRef;
#endif

/** Returns the type ID of dates. CF: CFDateGetTypeID. */
RL_EXPORT RLTypeID RLDateGetTypeID(void);

/** Creates a date that the caller owns; `allocator` is ignored. CF: CFDateCreate. */
RL_EXPORT RLDateRef RLDateCreate(RLAllocatorRef allocator, RLAbsoluteTime at) RL_RETURNS_RETAINED;

/** Returns the seconds of a date since 2001-01-01 00:00:00 UTC. CF: CFDateGetAbsoluteTime. */
RL_EXPORT RLAbsoluteTime RLDateGetAbsoluteTime(RLDateRef theDate);

/** Returns the seconds from `otherDate` to `theDate`. CF: CFDateGetTimeIntervalSinceDate. */
RL_EXPORT RLTimeInterval RLDateGetTimeIntervalSinceDate(RLDateRef theDate, RLDateRef otherDate);

/**
 * Compares two dates; a date that is NaN is equal to any date. `context` is ignored.
 * CF: CFDateCompare.
 */
RL_EXPORT RLComparisonResult RLDateCompare(RLDateRef theDate, RLDateRef otherDate, void *context);

#if defined(__swift__)
/** A time zone. CF: CFTimeZoneRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_time_zone, rl_swift_release_time_zone)
    RL_SWIFT_NAME(RLTimeZoneRef) RLOpaqueTimeZone {
    uintptr_t _reserved;
};

#define RLTimeZoneRef const struct RLOpaqueTimeZone *
#else
/** A reference to a time zone: see RLTimeZone.h. CF: CFTimeZoneRef. */
typedef const struct __CFTimeZone *RLTimeZoneRef;
#endif

/**
 * A date of the Gregorian calendar, which is extended to all earlier dates. CF: CFGregorianDate.
 */
typedef struct {
    /** The year. Year 0 precedes year 1. */
    SInt32 year;
    /** The month, from 1 to 12. */
    SInt8 month;
    /** The day of the month, from 1 to 31. */
    SInt8 day;
    /** The hour, from 0 to 23. */
    SInt8 hour;
    /** The minute, from 0 to 59. */
    SInt8 minute;
    /** The second, from 0 to less than 60. */
    double second;
} RLGregorianDate;

/** A span of time; each part may be negative. CF: CFGregorianUnits. */
typedef struct {
    /** The number of years. */
    SInt32 years;
    /** The number of months. */
    SInt32 months;
    /** The number of days. */
    SInt32 days;
    /** The number of hours. */
    SInt32 hours;
    /** The number of minutes. */
    SInt32 minutes;
    /** The number of seconds. */
    double seconds;
} RLGregorianUnits;

#if defined(__clang__)
/* Some bits of kRLGregorianAllUnits have no flag. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wflag-enum"
#endif

/** The parts of dates and spans. CF: CFGregorianUnitFlags. */
RL_OPTIONS(RLOptionFlags, RLGregorianUnitFlags) {
    /** Years. CF: kCFGregorianUnitsYears. */
    kRLGregorianUnitsYears = 1UL << 0,
    /** Months. CF: kCFGregorianUnitsMonths. */
    kRLGregorianUnitsMonths = 1UL << 1,
    /** Days. CF: kCFGregorianUnitsDays. */
    kRLGregorianUnitsDays = 1UL << 2,
    /** Hours. CF: kCFGregorianUnitsHours. */
    kRLGregorianUnitsHours = 1UL << 3,
    /** Minutes. CF: kCFGregorianUnitsMinutes. */
    kRLGregorianUnitsMinutes = 1UL << 4,
    /** Seconds. CF: kCFGregorianUnitsSeconds. */
    kRLGregorianUnitsSeconds = 1UL << 5,
    /** All parts. CF: kCFGregorianAllUnits. */
    kRLGregorianAllUnits = 0x00FFFFFF
};

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

/**
 * Returns whether the parts of a date in `unitFlags` are valid and the year is greater than 0. The
 * length of the month is checked if year, month and day are in `unitFlags`.
 * CF: CFGregorianDateIsValid.
 */
RL_EXPORT Boolean RLGregorianDateIsValid(RLGregorianDate gdate, RLOptionFlags unitFlags);

/* In the functions below, `tz` is the time zone; null stands for GMT. */

/**
 * Returns the seconds since 2001 of a Gregorian date. Parts out of range are carried into the
 * greater parts. If the zone skips the local time, the result is before or after the gap.
 * CF: CFGregorianDateGetAbsoluteTime.
 */
RL_EXPORT RLAbsoluteTime RLGregorianDateGetAbsoluteTime(RLGregorianDate gdate, RLTimeZoneRef tz);

/**
 * Returns the Gregorian date of a number of seconds since 2001. CF: CFAbsoluteTimeGetGregorianDate.
 */
RL_EXPORT RLGregorianDate RLAbsoluteTimeGetGregorianDate(RLAbsoluteTime at, RLTimeZoneRef tz);

/**
 * Adds a span to a date and returns the sum. Years and months are added first, and the day is
 * clamped to the length of the month. Then days are added, which keep the time of day, and then the
 * other parts. CF: CFAbsoluteTimeAddGregorianUnits.
 */
RL_EXPORT RLAbsoluteTime RLAbsoluteTimeAddGregorianUnits(RLAbsoluteTime at, RLTimeZoneRef tz,
                                                         RLGregorianUnits units);

/**
 * Returns the span from `at2` to `at1` in the parts of `unitFlags`. The greatest part is computed
 * first, and the rest is divided into the smaller parts.
 * CF: CFAbsoluteTimeGetDifferenceAsGregorianUnits.
 */
RL_EXPORT RLGregorianUnits RLAbsoluteTimeGetDifferenceAsGregorianUnits(RLAbsoluteTime at1,
                                                                       RLAbsoluteTime at2,
                                                                       RLTimeZoneRef tz,
                                                                       RLOptionFlags unitFlags);

/** Returns the day of the week, from 1 for Monday to 7. CF: CFAbsoluteTimeGetDayOfWeek. */
RL_EXPORT SInt32 RLAbsoluteTimeGetDayOfWeek(RLAbsoluteTime at, RLTimeZoneRef tz);

/** Returns the day of the year, from 1 to 366. CF: CFAbsoluteTimeGetDayOfYear. */
RL_EXPORT SInt32 RLAbsoluteTimeGetDayOfYear(RLAbsoluteTime at, RLTimeZoneRef tz);

/** Returns the week of the year by ISO 8601, from 1 to 53. CF: CFAbsoluteTimeGetWeekOfYear. */
RL_EXPORT SInt32 RLAbsoluteTimeGetWeekOfYear(RLAbsoluteTime at, RLTimeZoneRef tz);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_date(RLDateRef date);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_date(RLDateRef date);

RL_EXTERN_C_END

#endif
