/*
 * Time: monotonic nanoseconds inside, seconds since 2001 outside, and the way between them.
 *
 * Tests may stop the calling thread's clock, see RLTesting.h.
 */

#ifndef RL_CLOCK_H
#define RL_CLOCK_H

#include "base/kernel.h"

#include <CRunLoop/RLDate.h>

#include <stddef.h>

/* The largest distance of a deadline, and the largest finite limit of a run (CONST-5). */
#define RL_LONGEST_INTERVAL 504911232.0
/* The last date that is kept as it is (CONST-4). */
#define RL_LAST_DATE 4039289856.0

int64_t rl_clock_now_ns(void);

/* Cheap, and behind by up to a clock tick, which is ten milliseconds at most. */
int64_t rl_clock_coarse_ns(void);

/* By how much a moment must be later than a reading of the coarse clock to be in the future. */
#define RL_SURELY_LATER_NS 20000000

/* Returns whether a moment has come. Cheaper than reading the clock while it is far off. */
bool rl_clock_has_reached(int64_t moment_ns);

/* Seconds in nanoseconds, truncated; saturates at half the range so that sums do not overflow. */
int64_t rl_clock_ns_of(RLTimeInterval seconds);

/* The moment of the monotonic clock that a date stands for; the present if it is past (TMR-5). */
int64_t rl_clock_deadline_of(RLAbsoluteTime date);

/* The date at which a moment of the monotonic clock will be, as far as one can tell today. */
RLAbsoluteTime rl_clock_date_of(int64_t deadline_ns);

/* The reading of the thread's stopped clock, or null while it runs. */
#if defined(RL_TESTING)
int64_t *rl_clock_stopped(void);
#else
static inline int64_t *rl_clock_stopped(void)
{
    return NULL;
}
#endif

#endif
