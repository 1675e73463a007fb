/*
 * Time zones: the system's, by localtime_r(3), and those of a fixed offset.
 *
 * The objects are immutable. All functions may be called from any thread. A program that changes
 * the environment's `TZ` calls tzset(3).
 */

#ifndef CRUNLOOP_RLTIMEZONE_H
#define CRUNLOOP_RLTIMEZONE_H

#include <CRunLoop/RLDate.h>

RL_EXTERN_C_BEGIN

/** The type number of time zones. CF: CFTimeZoneGetTypeID. */
RL_EXPORT RLTypeID RLTimeZoneGetTypeID(void);

/** The zone of the system, by `TZ` or /etc/localtime, else GMT. CF: CFTimeZoneCopySystem. */
RL_EXPORT RLTimeZoneRef RLTimeZoneCopySystem(void) RL_RETURNS_RETAINED;

/** The zone of the system. CF: CFTimeZoneCopyDefault. */
RL_EXPORT RLTimeZoneRef RLTimeZoneCopyDefault(void) RL_RETURNS_RETAINED;

/**
 * Makes a zone without daylight saving time.
 *
 * - Parameters:
 *   - allocator: Ignored.
 *   - ti: Seconds east of GMT, rounded to minutes.
 * - Returns: A zone that the caller owns; null beyond 18 hours.
 * - CF: CFTimeZoneCreateWithTimeIntervalFromGMT.
 */
RL_EXPORT RLTimeZoneRef RLTimeZoneCreateWithTimeIntervalFromGMT(
    RLAllocatorRef allocator, RLTimeInterval ti) RL_RETURNS_RETAINED;

/** The seconds by which a zone is ahead of GMT at a date. CF: CFTimeZoneGetSecondsFromGMT. */
RL_EXPORT RLTimeInterval RLTimeZoneGetSecondsFromGMT(RLTimeZoneRef tz, RLAbsoluteTime at);

/**
 * The reference functions for Swift, which ignore null. C uses RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_time_zone(RLTimeZoneRef tz);
/** @see rl_swift_retain_time_zone */
RL_EXPORT void rl_swift_release_time_zone(RLTimeZoneRef tz);

RL_EXTERN_C_END

#endif
