/*
 * Time: the engine uses monotonic nanoseconds, clients use seconds since 2001. This file converts
 * between the two.
 *
 * A loop reads the time from its clock, and sleeps by its clock. The clock is the kernel's clock
 * (clock.c) or a test clock (run/test_clock.c), which a test sets for some loops or for all loops.
 */

#ifndef RL_CLOCK_H
#define RL_CLOCK_H

#include "base/check.h"
#include "base/kernel.h"

#include <CRunLoop/RLDate.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The longest time until a deadline, and the longest finite limit of a run (CONST-5). */
#define RL_LONGEST_INTERVAL 504911232.0
/* Later dates are clamped (CONST-4). */
#define RL_LAST_DATE 4039289856.0

/* --- Clocks ----------------------------------------------------------------------------------- */

struct rl_loop;
struct rl_mode;

/*
 * The functions are thread-safe, except the last two: only the loop's thread may call them. The
 * memory of a clock is never freed.
 */
struct rl_clock {
    /* True for a test clock: only the test advances the time, and timers ignore their tolerance. */
    bool is_exact;
    int64_t (*now_ns)(struct rl_clock *clock);
    /* Returns nanoseconds since 1970. */
    int64_t (*wall_ns)(struct rl_clock *clock);
    bool (*has_reached)(struct rl_clock *clock, int64_t moment_ns);
    /* `ret_now_ns` is up to a clock tick late. Moment + offset is in nanoseconds since 1970. */
    void (*read_offset)(struct rl_clock *clock, int64_t *ret_now_ns, int64_t *ret_offset_ns);
    /* Converts to a moment of the kernel's clock, for a timer port; 0 disarms the port. */
    int64_t (*port_moment)(struct rl_clock *clock, int64_t moment_ns);
    /* True if only the timer port can end a sleep precisely at `limit_ns`. */
    bool (*needs_port)(struct rl_clock *clock, int64_t limit_ns);
    /* A test clock advances instead of sleeping. Returns whether an event may be ready now. */
    bool (*pass_time)(struct rl_clock *clock, struct rl_mode *mode);
    /*
     * Call this without locks. Returns the end of the sleep as a moment of the kernel's clock.
     * `unarmed_ns` is a deadline for which no timer port is armed.
     */
    int64_t (*begin_sleep)(struct rl_clock *clock, struct rl_loop *loop, int64_t limit_ns,
                           int64_t unarmed_ns);
};

/* Null if the loop uses the default clock. */
typedef _Atomic(struct rl_clock *) rl_clock_slot;

extern struct rl_clock rl_clock_of_kernel;
/* The default clock; never null. */
extern rl_clock_slot rl_clock_for_all;
/* The slot of the calling thread's loop, or the default slot. Only loop_table.c writes this. */
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

/* If the moment is far in the future, this is cheaper than a precise read of the clock. */
static inline bool rl_clock_has_reached(int64_t moment_ns)
{
    struct rl_clock *clock = rl_clock_own();
    return clock->has_reached(clock, moment_ns);
}

/*
 * Converts a moment of the calling thread's clock to a moment of the loop's clock that is equally
 * far away. For a timer that another thread has created.
 */
int64_t rl_clock_moved_to(const rl_clock_slot *slot, int64_t moment_ns);

/* If a moment exceeds the coarse clock by more than this, it also exceeds the precise clock. */
#define RL_SURELY_LATER_NS 20000000

/*
 * Truncates to whole nanoseconds. Returns 0 for NaN and negative values, and clamps large values so
 * that sums do not overflow.
 */
int64_t rl_clock_ns_of(RLTimeInterval seconds);

int64_t rl_clock_end_of(RLTimeInterval seconds);

/* A past date becomes the current moment (TMR-5). */
int64_t rl_clock_deadline_of(RLAbsoluteTime date);

/* The result is valid until the wall clock is set. */
RLAbsoluteTime rl_clock_date_of(int64_t moment_ns);
RLAbsoluteTime rl_clock_date_by(struct rl_clock *clock, int64_t moment_ns);

#endif
