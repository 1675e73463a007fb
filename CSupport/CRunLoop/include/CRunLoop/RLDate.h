/*
 * Dates and time intervals, as numbers and as objects.
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

/** Returns the current date by the wall clock; any thread. CF: CFAbsoluteTimeGetCurrent. */
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

/** The type number of dates. CF: CFDateGetTypeID. */
RL_EXPORT RLTypeID RLDateGetTypeID(void);

/** Makes a date that the caller owns; `allocator` is ignored. CF: CFDateCreate. */
RL_EXPORT RLDateRef RLDateCreate(RLAllocatorRef allocator, RLAbsoluteTime at) RL_RETURNS_RETAINED;

/** The seconds of a date. CF: CFDateGetAbsoluteTime. */
RL_EXPORT RLAbsoluteTime RLDateGetAbsoluteTime(RLDateRef theDate);

/** Returns how many seconds a date is after another one. CF: CFDateGetTimeIntervalSinceDate. */
RL_EXPORT RLTimeInterval RLDateGetTimeIntervalSinceDate(RLDateRef theDate, RLDateRef otherDate);

/**
 * Compares two dates; a date that is not a number is equal to any. `context` is ignored. CF:
 * CFDateCompare.
 */
RL_EXPORT RLComparisonResult RLDateCompare(RLDateRef theDate, RLDateRef otherDate, void *context);

/**
 * The reference functions that Swift calls for a date, also with null, which they ignore; C uses
 * RLRetain and RLRelease.
 */
RL_EXPORT void rl_swift_retain_date(RLDateRef date);
/** @see rl_swift_retain_date */
RL_EXPORT void rl_swift_release_date(RLDateRef date);

RL_EXTERN_C_END

#endif
