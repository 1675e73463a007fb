/*
 * Functions of time zones for the engine, beyond the public ones.
 */

#ifndef RL_TIME_ZONE_H
#define RL_TIME_ZONE_H

#include <CRunLoop/RLTimeZone.h>

/* Stops with a line unless a public function's argument is a zone, or null. */
void rl_expect_zone(RLTimeZoneRef zone, const char *function);

/* Returns the seconds to the east of GMT at a date; of null, none. */
double rl_time_zone_offset(RLTimeZoneRef zone, double at);

#endif
