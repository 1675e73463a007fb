/*
 * The Gregorian calendar in a time zone: dates from their parts and back.
 *
 * A description says which parts follow, one character for each: `y` for the year, `M` for the
 * month, `d` for the day, `H`, `m` and `s` for hour, minute and second. Numbers that go in are int,
 * and those that come out pointers to int. An unknown character makes a call do nothing and return
 * false. The calendar counts for all times. All functions may be called from any thread.
 */

#ifndef CRUNLOOP_RLCALENDAR_H
#define CRUNLOOP_RLCALENDAR_H

#include <CRunLoop/RLTimeZone.h>

RL_EXTERN_C_BEGIN

#if defined(__swift__)
/** A calendar. CF: CFCalendarRef. */
struct RL_SWIFT_REFERENCE(rl_swift_retain_calendar, rl_swift_release_calendar)
    RL_SWIFT_NAME(RLCalendarRef) RLOpaqueCalendar {
    uintptr_t _reserved;
};

#define RLCalendarRef struct RLOpaqueCalendar *
#else
/** A reference to a calendar. CF: CFCalendarRef. */
typedef struct __CFCalendar *RLCalendarRef;
#endif

/** The name of a kind of calendar. CF: CFCalendarIdentifier. */
typedef RLStringRef RLCalendarIdentifier;

/** The Gregorian calendar, `gregorian`. CF: kCFCalendarIdentifierGregorian. */
RL_EXPORT RLCalendarIdentifier const kRLCalendarIdentifierGregorian;
/** The former name of kRLCalendarIdentifierGregorian. CF: kCFGregorianCalendar. */
RL_EXPORT RLCalendarIdentifier const kRLGregorianCalendar;

/** The type number of calendars. CF: CFCalendarGetTypeID. */
RL_EXPORT RLTypeID RLCalendarGetTypeID(void);

/** Makes a Gregorian calendar with the default zone. CF: CFCalendarCopyCurrent. */
RL_EXPORT RLCalendarRef RLCalendarCopyCurrent(void) RL_RETURNS_RETAINED;

/**
 * Makes a calendar with the default zone; null for all but the Gregorian one. CF:
 * CFCalendarCreateWithIdentifier.
 */
RL_EXPORT RLCalendarRef RLCalendarCreateWithIdentifier(
    RLAllocatorRef allocator, RLCalendarIdentifier identifier) RL_RETURNS_RETAINED;

/** The kind of a calendar. CF: CFCalendarGetIdentifier. */
RL_EXPORT RLCalendarIdentifier RLCalendarGetIdentifier(RLCalendarRef calendar)
    RL_RETURNS_NOT_RETAINED;

/** The zone of a calendar. CF: CFCalendarCopyTimeZone. */
RL_EXPORT RLTimeZoneRef RLCalendarCopyTimeZone(RLCalendarRef calendar) RL_RETURNS_RETAINED;

/** Sets the zone of a calendar; null for the default one of now. CF: CFCalendarSetTimeZone. */
RL_EXPORT void RLCalendarSetTimeZone(RLCalendarRef calendar, RLTimeZoneRef tz);

/**
 * Makes a date from its parts, of which those left out are the first of all: January, 1, midnight.
 * Parts out of range are carried into the greater ones. Of a time that comes twice it is the first,
 * and one that is left out is moved on or back. CF: CFCalendarComposeAbsoluteTime.
 */
RL_EXPORT Boolean RLCalendarComposeAbsoluteTime(RLCalendarRef calendar, RLAbsoluteTime *at,
                                                const char *componentDesc, ...);

/**
 * Gives the parts of a date, of which `E` is the day of the week from 1 for Sunday on. CF:
 * CFCalendarDecomposeAbsoluteTime.
 */
RL_EXPORT Boolean RLCalendarDecomposeAbsoluteTime(RLCalendarRef calendar, RLAbsoluteTime at,
                                                  const char *componentDesc, ...);

/**
 * Adds parts to a date, one after the other. A day that a month does not have becomes its last, and
 * up to days the time of day stays. `options` is 0. CF: CFCalendarAddComponents.
 */
RL_EXPORT Boolean RLCalendarAddComponents(RLCalendarRef calendar, RLAbsoluteTime *at,
                                          RLOptionFlags options, const char *componentDesc, ...);

/**
 * Gives the parts of the span from one date to another: as much as there is of the first, then of
 * the next. `options` is 0. CF: CFCalendarGetComponentDifference.
 */
RL_EXPORT Boolean RLCalendarGetComponentDifference(RLCalendarRef calendar,
                                                   RLAbsoluteTime startingAT,
                                                   RLAbsoluteTime resultAT, RLOptionFlags options,
                                                   const char *componentDesc, ...);

/**
 * The reference functions that Swift calls for a calendar, also with null, which they ignore; C
 * uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_calendar(RLCalendarRef calendar);
/** @see rl_swift_retain_calendar */
RL_EXPORT void rl_swift_release_calendar(RLCalendarRef calendar);

RL_EXTERN_C_END

#endif
