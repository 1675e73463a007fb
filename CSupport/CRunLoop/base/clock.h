/*
 * Time: monotonic nanoseconds inside, seconds since 2001 outside, and the way between them.
 *
 * A loop asks its clock for the present, and for what it has to know of time to sleep. The clock is
 * the kernel's (clock.c) or, for some loops or all, one that a test owns (run/test_clock.c).
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

/* --- Clocks ----------------------------------------------------------------------------------- */

struct rl_loop;
struct rl_mode;

/*
 * The source of a loop's time. Any thread may call its functions, but for the last two, which are
 * for the loop's own. The memory of a clock is never freed.
 */
struct rl_clock {
    /*
     * Time stands still until a test moves it, and sums are exact: a timer fires at its date,
     * whatever its tolerance.
     */
    bool is_exact;
    int64_t (*now_ns)(struct rl_clock *clock);
    /* The present in nanoseconds since 1970. */
    int64_t (*wall_ns)(struct rl_clock *clock);
    bool (*has_reached)(struct rl_clock *clock, int64_t moment_ns);
    /*
     * Gives the present, or up to a tick less, and what to add to a moment to get the nanoseconds
     * since 1970.
     */
    void (*read_offset)(struct rl_clock *clock, int64_t *ret_now_ns, int64_t *ret_offset_ns);
    /* Returns the kernel's moment for a port that is to fire at `moment_ns`; 0 is never. */
    int64_t (*port_moment)(struct rl_clock *clock, int64_t moment_ns);
    /* Returns whether a sleep needs the timer port to end at its limit. */
    bool (*needs_port)(struct rl_clock *clock, int64_t limit_ns);
    /* Lets time pass in place of a sleep. Returns whether there may be something to serve now. */
    bool (*pass_time)(struct rl_clock *clock, struct rl_mode *mode);
    /*
     * To be called when a sleep begins, with no locks held. Returns the kernel's moment until which
     * the thread is to wait at most. `unarmed_ns` is a moment at which no port will wake the loop.
     */
    int64_t (*begin_sleep)(struct rl_clock *clock, struct rl_loop *loop, int64_t limit_ns,
                           int64_t unarmed_ns);
};

/* The clock of a loop; null for the clock of all loops that have none of their own. */
typedef _Atomic(struct rl_clock *) rl_clock_slot;

extern struct rl_clock rl_clock_of_kernel;
/* The clock of those loops; never null. */
extern rl_clock_slot rl_clock_for_all;
/* The slot of the calling thread's loop, or the one for all. Only the table of loops writes it. */
extern _Thread_local const rl_clock_slot *rl_clock_of_thread;

static inline struct rl_clock *rl_clock_of(const rl_clock_slot *slot)
{
    struct rl_clock *clock = atomic_load_explicit(slot, memory_order_acquire);
    return clock ? clock : atomic_load_explicit(&rl_clock_for_all, memory_order_acquire);
}

/* Returns the clock of the calling thread. */
static inline struct rl_clock *rl_clock_own(void)
{
    return rl_clock_of(rl_clock_of_thread);
}

/* --- The present ------------------------------------------------------------------------------ */

/* Returns the present moment by the clock of the calling thread. */
static inline int64_t rl_clock_now_ns(void)
{
    struct rl_clock *clock = rl_clock_own();
    return clock->now_ns(clock);
}

/* Returns the present moment by the clock of some loop. */
static inline int64_t rl_clock_now_by(const rl_clock_slot *slot)
{
    struct rl_clock *clock = rl_clock_of(slot);
    return clock->now_ns(clock);
}

/* Returns whether a moment has come. Cheaper than reading the clock while the moment is far off. */
static inline bool rl_clock_has_reached(int64_t moment_ns)
{
    struct rl_clock *clock = rl_clock_own();
    return clock->has_reached(clock, moment_ns);
}

/*
 * Returns the moment that is as far off by a loop's clock as the given one is by the calling
 * thread's: a timer that another thread has made keeps its distance.
 */
int64_t rl_clock_moved_to(const rl_clock_slot *slot, int64_t moment_ns);

/* A moment that is later than a reading of the coarse clock by this much is in the future. */
#define RL_SURELY_LATER_NS 20000000

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
 * Returns the date of a moment, by the calling thread's clock or by another, provided that the wall
 * clock is not set before.
 */
RLAbsoluteTime rl_clock_date_of(int64_t moment_ns);
RLAbsoluteTime rl_clock_date_by(struct rl_clock *clock, int64_t moment_ns);

#endif
