/*
 * Time zones, by the system's tz files below /usr/share/zoneinfo.
 *
 * The objects are immutable, and there is one for each name, which stays for ever. All functions
 * may be called from any thread.
 */

#ifndef CRUNLOOP_RLTIMEZONE_H
#define CRUNLOOP_RLTIMEZONE_H

#include <CRunLoop/RLDate.h>
#include <CRunLoop/RLString.h>

RL_EXTERN_C_BEGIN

/** The type number of time zones. CF: CFTimeZoneGetTypeID. */
RL_EXPORT RLTypeID RLTimeZoneGetTypeID(void);

/**
 * The zone of the system: that of the environment's `TZ` if it is a zone's name, else that of
 * /etc/localtime, else GMT. It is found once, until RLTimeZoneResetSystem. CF:
 * CFTimeZoneCopySystem.
 */
RL_EXPORT RLTimeZoneRef RLTimeZoneCopySystem(void) RL_RETURNS_RETAINED;

/** Has the zone of the system found anew when it is needed. CF: CFTimeZoneResetSystem. */
RL_EXPORT void RLTimeZoneResetSystem(void);

/** The zone that was set for the process, else that of the system. CF: CFTimeZoneCopyDefault. */
RL_EXPORT RLTimeZoneRef RLTimeZoneCopyDefault(void) RL_RETURNS_RETAINED;

/** Sets the zone of the process; null for that of the system. CF: CFTimeZoneSetDefault. */
RL_EXPORT void RLTimeZoneSetDefault(RLTimeZoneRef tz);

/**
 * Makes a zone without daylight saving time.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - ti: Seconds to the east of GMT, rounded to minutes.
 * - Returns: A zone that the caller owns, as `GMT+0130`; null beyond 18 hours.
 * - CF: CFTimeZoneCreateWithTimeIntervalFromGMT.
 */
RL_EXPORT RLTimeZoneRef RLTimeZoneCreateWithTimeIntervalFromGMT(
    RLAllocatorRef allocator, RLTimeInterval ti) RL_RETURNS_RETAINED;

/**
 * Makes a zone by its name.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - name: As `Europe/Berlin`, `GMT` or `GMT+0130`.
 *   - tryAbbrev: Whether it may be an abbreviation in use, as `PST`.
 * - Returns: A zone that the caller owns; null if there is none.
 * - CF: CFTimeZoneCreateWithName.
 */
RL_EXPORT RLTimeZoneRef RLTimeZoneCreateWithName(RLAllocatorRef allocator, RLStringRef name,
                                                 Boolean tryAbbrev) RL_RETURNS_RETAINED;

/** The name of a zone. CF: CFTimeZoneGetName. */
RL_EXPORT RLStringRef RLTimeZoneGetName(RLTimeZoneRef tz) RL_RETURNS_NOT_RETAINED;

/** How many seconds a zone is ahead of GMT at a date. CF: CFTimeZoneGetSecondsFromGMT. */
RL_EXPORT RLTimeInterval RLTimeZoneGetSecondsFromGMT(RLTimeZoneRef tz, RLAbsoluteTime at);

/** The abbreviation in use at a date, as `CEST`. CF: CFTimeZoneCopyAbbreviation. */
RL_EXPORT RLStringRef RLTimeZoneCopyAbbreviation(RLTimeZoneRef tz,
                                                 RLAbsoluteTime at) RL_RETURNS_RETAINED;

/** Whether it is daylight saving time at a date. CF: CFTimeZoneIsDaylightSavingTime. */
RL_EXPORT Boolean RLTimeZoneIsDaylightSavingTime(RLTimeZoneRef tz, RLAbsoluteTime at);

/**
 * How many seconds of daylight saving time there are at a date; 0 if it is none. CF:
 * CFTimeZoneGetDaylightSavingTimeOffset.
 */
RL_EXPORT RLTimeInterval RLTimeZoneGetDaylightSavingTimeOffset(RLTimeZoneRef tz, RLAbsoluteTime at);

/**
 * When the zone changes its time for the next time after a date; 0 if it does not. CF:
 * CFTimeZoneGetNextDaylightSavingTimeTransition.
 */
RL_EXPORT RLAbsoluteTime RLTimeZoneGetNextDaylightSavingTimeTransition(RLTimeZoneRef tz,
                                                                       RLAbsoluteTime at);

/**
 * The reference functions that Swift calls for a zone, also with null, which they ignore; C uses
 * RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_time_zone(RLTimeZoneRef tz);
/** @see rl_swift_retain_time_zone */
RL_EXPORT void rl_swift_release_time_zone(RLTimeZoneRef tz);

RL_EXTERN_C_END

#endif
