/*
 * Dates and distances in time.
 */

#ifndef CRUNLOOP_RLDATE_H
#define CRUNLOOP_RLDATE_H

#include <CRunLoop/RLBase.h>

RL_EXTERN_C_BEGIN

/** A distance in seconds. CF: CFTimeInterval. */
typedef double RLTimeInterval;

/** A date in seconds since 2001-01-01 00:00:00 UTC. CF: CFAbsoluteTime. */
typedef RLTimeInterval RLAbsoluteTime;

/** The seconds from 1970-01-01 to 2001-01-01, both UTC. CF: kCFAbsoluteTimeIntervalSince1970. */
RL_EXPORT const RLTimeInterval kRLAbsoluteTimeIntervalSince1970;

/** The current date by the wall clock; any thread. CF: CFAbsoluteTimeGetCurrent. */
RL_EXPORT RLAbsoluteTime RLAbsoluteTimeGetCurrent(void);

RL_EXTERN_C_END

#endif
