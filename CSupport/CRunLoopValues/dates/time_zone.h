#ifndef RL_TIME_ZONE_H
#define RL_TIME_ZONE_H

#include <CRunLoop/RLTimeZone.h>

/* Aborts unless the argument of a public function is a time zone or null. */
void rl_expect_zone(RLTimeZoneRef zone, const char *function);

/* Returns the offset in seconds; positive is east. A null `zone` stands for GMT. */
double rl_time_zone_offset(RLTimeZoneRef zone, double at);

#endif
