/*
 * Time: monotonic nanoseconds inside, seconds since 2001 outside, and the way between them.
 *
 * This is the one place that knows what time it is, and whose: tests may put a clock of their own
 * in the place of the kernel's, for some loops or for all (RLTesting.h). All else asks here for the
 * present and for what to arm the kernel's timer with. run/test_clock.c has such clocks move.
 */

#ifndef RL_CLOCK_H
#define RL_CLOCK_H

#include "base/check.h"
#include "base/kernel.h"

#include <CRunLoop/RLDate.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The largest distance of a deadline, and the largest finite limit of a run (CONST-5). */
#define RL_LONGEST_INTERVAL 504911232.0
/* The last date that is kept as it is (CONST-4). */
#define RL_LAST_DATE 4039289856.0

/* --- The clocks of tests ---------------------------------------------------------------------- */

/* The time of a clock that a test owns. Its memory stays, as any thread may be reading. */
struct rl_test_time {
    atomic_int_fast64_t now_ns;
    /* What is added to a moment to get the nanoseconds since 1970. */
    atomic_int_fast64_t offset_ns;
};

/* By which clock a loop goes: that of a test or, if null, the one for all loops or the kernel's. */
typedef _Atomic(struct rl_test_time *) rl_clock_slot;

/* How many reasons there are to look for clocks of tests. Nearly always none. */
extern atomic_uint rl_clock_tests;
/* The clock for all loops. */
extern rl_clock_slot rl_clock_for_all;
/* The slot of the calling thread's loop; null without a loop. Only the table of loops writes it. */
extern _Thread_local const rl_clock_slot *rl_clock_of_thread;

/* Returns whether tests own clocks: all that a program without them pays for. */
static inline bool rl_clock_is_tested(void)
{
    return RL_UNLIKELY(atomic_load_explicit(&rl_clock_tests, memory_order_relaxed) != 0);
}

/* Returns the clock by which a loop goes; null for the kernel's. The slot may be null. */
struct rl_test_time *rl_clock_of(const rl_clock_slot *slot);

/* Returns whether a loop goes by the clock of a test. */
static inline bool rl_clock_is_of_test(const rl_clock_slot *slot)
{
    return rl_clock_is_tested() && rl_clock_of(slot);
}

/* Returns the date of a moment by such a clock. */
RLAbsoluteTime rl_clock_tested_date_of(const struct rl_test_time *time, int64_t moment_ns);

/* --- The present ------------------------------------------------------------------------------ */

/* Returns the present moment by the clock of the calling thread's loop. */
int64_t rl_clock_now_ns(void);

/* Returns the present moment by the clock of some loop. */
int64_t rl_clock_now_by(const rl_clock_slot *slot);

/*
 * Returns what to arm a loop's timer port for so that it fires at the moment: for a clock of a test
 * at once, if the moment has come, and otherwise never, as the clock says when it has.
 */
int64_t rl_clock_port_moment(const rl_clock_slot *slot, int64_t moment_ns);

/* Does the work of rl_clock_moved_to while tests own clocks. */
int64_t rl_clock_moved_between(const rl_clock_slot *slot, int64_t moment_ns);

/*
 * Returns the moment that is as far off by a loop's clock as the given one is by the calling
 * thread's: a timer that comes from elsewhere keeps its distance.
 */
static inline int64_t rl_clock_moved_to(const rl_clock_slot *slot, int64_t moment_ns)
{
    return rl_clock_is_tested() ? rl_clock_moved_between(slot, moment_ns) : moment_ns;
}

/*
 * Returns the present moment by the kernel's coarse clock, whatever clocks tests own: cheap, and
 * behind by up to a clock tick, which is ten milliseconds at most.
 */
static inline int64_t rl_clock_coarse_ns(void)
{
    return rl_kernel_coarse_ns();
}

/* By how much a moment must be later than a reading of the coarse clock to be in the future. */
#define RL_SURELY_LATER_NS 20000000

/* Returns whether a moment has come. Cheaper than reading the clock while it is far off. */
bool rl_clock_has_reached(int64_t moment_ns);

/*
 * Returns seconds in nanoseconds, truncated, 0 for what is not positive, and at most half the range
 * of the type, so that sums do not overflow.
 */
int64_t rl_clock_ns_of(RLTimeInterval seconds);

/* Returns the moment so many seconds from now at which a run ends. */
int64_t rl_clock_end_of(RLTimeInterval seconds);

/*
 * Returns the moment of the monotonic clock that a date stands for; the present if it is past
 * (TMR-5).
 */
int64_t rl_clock_deadline_of(RLAbsoluteTime date);

/*
 * Returns the date of a moment of the monotonic clock, provided that nobody sets the wall clock
 * before.
 */
RLAbsoluteTime rl_clock_date_of(int64_t deadline_ns);

#endif
