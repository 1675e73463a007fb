/*
 * What calendars need of Gregorian dates beyond their public functions.
 */

#ifndef RL_GREGORIAN_H
#define RL_GREGORIAN_H

#include <CRunLoop/RLDate.h>

/* Returns the number of the day in a zone, and the seconds since its beginning. */
int64_t rl_split_time(double at, RLTimeZoneRef zone, double *ret_rest);

#endif
