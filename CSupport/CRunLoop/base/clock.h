/*
 * Time: monotonic nanoseconds inside the engine, seconds since 2001 for clients, and conversions.
 *
 * A loop uses its clock for the current time and for its sleeps. The clock is the kernel's
 * (clock.c) or a test's (run/test_clock.c), for some loops or all.
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
/* The last date that is not clamped (CONST-4). */
#define RL_LAST_DATE 4039289856.0

/* --- Clocks ----------------------------------------------------------------------------------- */

struct rl_loop;
struct rl_mode;

/*
 * The source of a loop's time. Any thread may call its functions, except the last two, which only
 * the loop's thread may call. The memory of a clock is never freed.
 */
struct rl_clock {
    /*
     * Time stands still until a test moves it, and sums are exact: a timer fires at its date,
     * whatever its tolerance.
     */
    bool is_exact;
    int64_t (*now_ns)(struct rl_clock *clock);
    /* Returns the current time in nanoseconds since 1970. */
    int64_t (*wall_ns)(struct rl_clock *clock);
    bool (*has_reached)(struct rl_clock *clock, int64_t moment_ns);
    /*
     * Returns the current moment, or up to a tick less, and the offset from a moment to nanoseconds
     * since 1970.
     */
    void (*read_offset)(struct rl_clock *clock, int64_t *ret_now_ns, int64_t *ret_offset_ns);
    /* Returns the kernel's moment for a port that fires at `moment_ns`; 0 is never. */
    int64_t (*port_moment)(struct rl_clock *clock, int64_t moment_ns);
    /* Returns whether a sleep needs the timer port to end at its limit. */
    bool (*needs_port)(struct rl_clock *clock, int64_t limit_ns);
    /* Advances a test's clock instead of a sleep. Returns whether there may be an event now. */
    bool (*pass_time)(struct rl_clock *clock, struct rl_mode *mode);
    /*
     * Call this when a sleep begins, with no locks held. Returns the kernel's moment at which the
     * sleep must end. `unarmed_ns` is a deadline for which no port will wake the loop.
     */
    int64_t (*begin_sleep)(struct rl_clock *clock, struct rl_loop *loop, int64_t limit_ns,
                           int64_t unarmed_ns);
};

/* The clock of a loop; null for the default clock. */
typedef _Atomic(struct rl_clock *) rl_clock_slot;

extern struct rl_clock rl_clock_of_kernel;
/* The default clock; never null. */
extern rl_clock_slot rl_clock_for_all;
/* The slot of the calling thread's loop, or the default one. Only the table of loops writes it. */
extern _Thread_local const rl_clock_slot *rl_clock_of_thread;

static inline struct rl_clock *rl_clock_of(const rl_clock_slot *slot)
{
    struct rl_clock *clock = atomic_load_explicit(slot, memory_order_acquire);
    return clock ? clock : atomic_load_explicit(&rl_clock_for_all, memory_order_acquire);
}

static inline struct rl_clock *rl_clock_own(void)
{
    return rl_clock_of(rl_clock_of_thread);
}

/* --- The current time ------------------------------------------------------------------------- */

/* By the clock of the calling thread. */
static inline int64_t rl_clock_now_ns(void)
{
    struct rl_clock *clock = rl_clock_own();
    return clock->now_ns(clock);
}

static inline int64_t rl_clock_now_by(const rl_clock_slot *slot)
{
    struct rl_clock *clock = rl_clock_of(slot);
    return clock->now_ns(clock);
}

/* Cheaper than reading the clock while the moment is far off. */
static inline bool rl_clock_has_reached(int64_t moment_ns)
{
    struct rl_clock *clock = rl_clock_own();
    return clock->has_reached(clock, moment_ns);
}

/*
 * Converts a moment from the calling thread's clock to a loop's clock: a timer that another thread
 * has made keeps its distance.
 */
int64_t rl_clock_moved_to(const rl_clock_slot *slot, int64_t moment_ns);

/* A moment that exceeds a reading of the coarse clock by this is in the future. */
#define RL_SURELY_LATER_NS 20000000

/*
 * Converts to nanoseconds, truncated: 0 for NaN and negative values, and at most half the range of
 * the type, so that sums do not overflow.
 */
int64_t rl_clock_ns_of(RLTimeInterval seconds);

/* Returns the moment at which a run of `seconds` ends. */
int64_t rl_clock_end_of(RLTimeInterval seconds);

/* Converts a date to a moment; a past date to the current moment (TMR-5). */
int64_t rl_clock_deadline_of(RLAbsoluteTime date);

/*
 * Convert a moment to a date, by the calling thread's clock or another. The date changes if the
 * wall clock is set.
 */
RLAbsoluteTime rl_clock_date_of(int64_t moment_ns);
RLAbsoluteTime rl_clock_date_by(struct rl_clock *clock, int64_t moment_ns);

#endif
