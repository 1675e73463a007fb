/*
 * Time zones: the system's zone, by localtime_r(3), and zones with a fixed offset.
 *
 * The objects are immutable. All functions may be called from any thread. A program that changes
 * the environment variable `TZ` must call tzset(3).
 */

#ifndef CRUNLOOP_RLTIMEZONE_H
#define CRUNLOOP_RLTIMEZONE_H

#include <CRunLoop/RLDate.h>

RL_EXTERN_C_BEGIN

/** Returns the type ID of time zones. CF: CFTimeZoneGetTypeID. */
RL_EXPORT RLTypeID RLTimeZoneGetTypeID(void);

/**
 * Returns the zone of the system (`TZ` or /etc/localtime), or GMT; the caller owns the zone.
 * CF: CFTimeZoneCopySystem.
 */
RL_EXPORT RLTimeZoneRef RLTimeZoneCopySystem(void) RL_RETURNS_RETAINED;

/** Returns the zone of the system; the caller owns the zone. CF: CFTimeZoneCopyDefault. */
RL_EXPORT RLTimeZoneRef RLTimeZoneCopyDefault(void) RL_RETURNS_RETAINED;

/**
 * Creates a zone without daylight saving time.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - ti: The offset from GMT in seconds, positive east of GMT; rounded to minutes.
 * - Returns: A zone that the caller owns; null if the offset is more than 18 hours.
 * - CF: CFTimeZoneCreateWithTimeIntervalFromGMT.
 */
RL_EXPORT RLTimeZoneRef RLTimeZoneCreateWithTimeIntervalFromGMT(
    RLAllocatorRef allocator, RLTimeInterval ti) RL_RETURNS_RETAINED;

/**
 * Returns the offset of a zone from GMT at a date, in seconds; positive east of GMT.
 * CF: CFTimeZoneGetSecondsFromGMT.
 */
RL_EXPORT RLTimeInterval RLTimeZoneGetSecondsFromGMT(RLTimeZoneRef tz, RLAbsoluteTime at);

/** Retains the object for Swift; null is ignored. C code calls RLRetain. */
RL_EXPORT void rl_swift_retain_time_zone(RLTimeZoneRef tz);
/** Releases the object for Swift; null is ignored. C code calls RLRelease. */
RL_EXPORT void rl_swift_release_time_zone(RLTimeZoneRef tz);

RL_EXTERN_C_END

#endif
