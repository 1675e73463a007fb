/* Functions of time zones for the engine. */

#ifndef RL_TIME_ZONE_H
#define RL_TIME_ZONE_H

#include <CRunLoop/RLTimeZone.h>

/* Stops the process unless a public function's argument is a time zone, or null. */
void rl_expect_zone(RLTimeZoneRef zone, const char *function);

/* Returns the seconds east of GMT at a date; 0 for null. */
double rl_time_zone_offset(RLTimeZoneRef zone, double at);

#endif
