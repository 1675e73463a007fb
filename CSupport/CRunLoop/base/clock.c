/*
 * Readings and conversions of time, by the kernel's clock or by that of a test.
 *
 * Dates and moments differ by an offset, which changes only when somebody sets the wall clock. The
 * kernel publishes both coarse clocks in one step, and adjusts their rate in common, so that their
 * difference is that of the precise clocks, at a quarter of the price of reading those.
 */

#include "base/clock.h"

#include <CRunLoop/RLTesting.h>

#include <math.h>

#define NS_PER_SECOND 1.0e9
#define NS_IN_SECOND INT64_C(1000000000)
#define SECONDS_TO_2001 INT64_C(978307200)
#define LONGEST_NS ((int64_t)RL_LONGEST_INTERVAL * NS_IN_SECOND)

const RLTimeInterval kRLAbsoluteTimeIntervalSince1970 = 978307200.0;

/* --- The clocks of tests ---------------------------------------------------------------------- */

atomic_uint rl_clock_tests;
rl_clock_slot rl_clock_for_all;
_Thread_local const rl_clock_slot *rl_clock_of_thread;

struct rl_test_time *rl_clock_of(const rl_clock_slot *slot)
{
    struct rl_test_time *time = slot ? atomic_load(slot) : NULL;
    return time ? time : atomic_load(&rl_clock_for_all);
}

/* Returns the clock of the calling thread; null for the kernel's. */
static inline struct rl_test_time *own_test_time(void)
{
    return rl_clock_is_tested() ? rl_clock_of(rl_clock_of_thread) : NULL;
}

#if defined(RL_TESTING)
/* By how much the wall clock has been set, as the thread sees it. */
static _Thread_local int64_t thread_step_ns;

static int64_t step_ns(void)
{
    return thread_step_ns;
}

void RLTestingStepWallClock(SInt64 nanoseconds)
{
    thread_step_ns += nanoseconds;
}
#else
static int64_t step_ns(void)
{
    return 0;
}

void RLTestingStepWallClock(SInt64 nanoseconds)
{
    (void)nanoseconds;
}
#endif

/*
 * Dates are doubles, whose steps are about 120 ns today, so that a moment that was a date, or a
 * distance between two, is off by as much. A test counts on its sums: what is so near to a whole
 * microsecond is that.
 */
static int64_t without_rounding_errors(int64_t moment_ns)
{
    enum { MICROSECOND = 1000, MOST = 250 };
    int64_t rest = moment_ns % MICROSECOND;
    if (rest <= MOST) return moment_ns - rest;
    return rest >= MICROSECOND - MOST ? moment_ns + MICROSECOND - rest : moment_ns;
}

/* --- Readings --------------------------------------------------------------------------------- */

static int64_t now_by(const struct rl_test_time *time)
{
    return time ? atomic_load(&time->now_ns) : rl_kernel_monotonic_ns();
}

int64_t rl_clock_now_ns(void)
{
    return now_by(own_test_time());
}

int64_t rl_clock_now_by(const rl_clock_slot *slot)
{
    return now_by(rl_clock_is_tested() ? rl_clock_of(slot) : NULL);
}

int64_t rl_clock_port_moment(const rl_clock_slot *slot, int64_t moment_ns)
{
    const struct rl_test_time *time = rl_clock_is_tested() ? rl_clock_of(slot) : NULL;
    if (!time || moment_ns == 0) return moment_ns;
    return moment_ns <= atomic_load(&time->now_ns) ? 1 : 0;
}

int64_t rl_clock_moved_between(const rl_clock_slot *slot, int64_t moment_ns)
{
    const struct rl_test_time *own = own_test_time(), *other = rl_clock_of(slot);
    if (own == other || moment_ns >= RL_NEVER_NS - 1) return moment_ns;
    int64_t moved_ns;
    if (__builtin_add_overflow(moment_ns - now_by(own), now_by(other), &moved_ns)) return moment_ns;
    return moved_ns;
}

bool rl_clock_has_reached(int64_t moment_ns)
{
    const struct rl_test_time *time = own_test_time();
    if (time) return atomic_load(&time->now_ns) >= moment_ns;
    /* Most moments that are asked for are far off, which a cheaper clock tells. */
    if (moment_ns > rl_kernel_coarse_ns() + RL_SURELY_LATER_NS) return false;
    return rl_kernel_monotonic_ns() >= moment_ns;
}

static int64_t wall_ns(void)
{
    return rl_kernel_wall_ns() + step_ns();
}

RLAbsoluteTime rl_clock_tested_date_of(const struct rl_test_time *time, int64_t moment_ns)
{
    int64_t wall_ns = moment_ns + atomic_load(&time->offset_ns) + step_ns();
    /* Rounded once. */
    int64_t seconds = wall_ns / NS_IN_SECOND - SECONDS_TO_2001;
    return (double)seconds + (double)(wall_ns % NS_IN_SECOND) / NS_PER_SECOND;
}

RLAbsoluteTime RLAbsoluteTimeGetCurrent(void)
{
    const struct rl_test_time *time = own_test_time();
    if (time) return rl_clock_tested_date_of(time, atomic_load(&time->now_ns));
    return (double)wall_ns() / NS_PER_SECOND - kRLAbsoluteTimeIntervalSince1970;
}

int64_t rl_clock_ns_of(RLTimeInterval seconds)
{
    double ns = seconds * NS_PER_SECOND;
    if (!(ns > 0)) return 0;
    return ns >= (double)(INT64_MAX / 2) ? INT64_MAX / 2 : (int64_t)ns;
}

int64_t rl_clock_end_of(RLTimeInterval seconds)
{
    const struct rl_test_time *time = own_test_time();
    int64_t distance_ns = rl_clock_ns_of(seconds);
    if (time) distance_ns = without_rounding_errors(distance_ns);
    return now_by(time) + distance_ns;
}

/* The offset that was found last. Any thread; it is looked at only to save a reading. */
static atomic_int_fast64_t known_offset_ns;

/*
 * Returns whether an offset that the coarse clocks show is that of the precise ones, as on any real
 * kernel.
 */
static bool is_confirmed(int64_t offset_ns)
{
    int64_t before_ns = rl_kernel_monotonic_ns();
    int64_t moment_ns = wall_ns() - offset_ns;
    return before_ns <= moment_ns && moment_ns <= rl_kernel_monotonic_ns();
}

/*
 * Reads the coarse clock and the offset. Returns false if the offset is not known. The clocks may
 * have moved between their readings, by a tick or because the wall clock was set: then the
 * difference is not one that is known, nor does the coarse clock stand still.
 */
static bool read_offset(int64_t *ret_coarse_ns, int64_t *ret_offset_ns)
{
    if (own_test_time()) return false;
    int64_t coarse_ns, coarse_wall_ns;
    rl_kernel_read_coarse(&coarse_ns, &coarse_wall_ns);
    int64_t offset_ns = coarse_wall_ns + step_ns() - coarse_ns;
    *ret_coarse_ns = coarse_ns;
    *ret_offset_ns = offset_ns;
    if (offset_ns == atomic_load_explicit(&known_offset_ns, memory_order_relaxed)) return true;
    if (rl_kernel_coarse_ns() != coarse_ns || !is_confirmed(offset_ns)) return false;
    atomic_store_explicit(&known_offset_ns, offset_ns, memory_order_relaxed);
    return true;
}

/* Returns the moment of a date by reading both clocks. */
static int64_t measured_deadline_of(RLAbsoluteTime date)
{
    int64_t now_ns = rl_clock_now_ns();
    double distance = date - RLAbsoluteTimeGetCurrent();
    if (distance < 0) return now_ns;
    return now_ns + rl_clock_ns_of(fmin(distance, RL_LONGEST_INTERVAL));
}

/*
 * Returns the nanoseconds from 1970 to a date, exactly: as a double they would be coarser than the
 * date.
 */
static int64_t wall_ns_of(RLAbsoluteTime date)
{
    int64_t seconds = (int64_t)date;
    return (seconds + SECONDS_TO_2001) * NS_IN_SECOND +
           (int64_t)((date - (double)seconds) * NS_PER_SECOND);
}

/* Returns the moment of a date by the clock of a test. */
static int64_t tested_deadline_of(const struct rl_test_time *time, RLAbsoluteTime date)
{
    int64_t now_ns = atomic_load(&time->now_ns), latest_ns = now_ns + LONGEST_NS;
    if (date > RL_LAST_DATE) return latest_ns;
    int64_t offset_ns = atomic_load(&time->offset_ns) + step_ns();
    int64_t deadline_ns = without_rounding_errors(wall_ns_of(date) - offset_ns);
    if (deadline_ns > latest_ns) return latest_ns;
    return deadline_ns > now_ns ? deadline_ns : now_ns;
}

/* Returns the moment of a date if there is no known offset. */
static int64_t unknown_deadline_of(RLAbsoluteTime date)
{
    const struct rl_test_time *time = own_test_time();
    return time ? tested_deadline_of(time, date) : measured_deadline_of(date);
}

/*
 * Returns what to use in place of a deadline that may have passed, or is further off than any may
 * be.
 */
static __attribute__((noinline)) int64_t unusual_deadline(int64_t deadline_ns, int64_t coarse_ns)
{
    if (deadline_ns > coarse_ns + LONGEST_NS) return coarse_ns + LONGEST_NS;
    int64_t now_ns = rl_kernel_monotonic_ns();
    return deadline_ns > now_ns ? deadline_ns : now_ns;
}

int64_t rl_clock_deadline_of(RLAbsoluteTime date)
{
    int64_t coarse_ns, offset_ns;
    if (RL_UNLIKELY(!(date > -(double)SECONDS_TO_2001))) return rl_clock_now_ns();
    if (RL_UNLIKELY(!read_offset(&coarse_ns, &offset_ns))) return unknown_deadline_of(date);
    int64_t deadline_ns = wall_ns_of(date) - offset_ns;
    int64_t distance_ns = deadline_ns - coarse_ns;
    bool is_usual = distance_ns > RL_SURELY_LATER_NS && distance_ns <= LONGEST_NS;
    return is_usual ? deadline_ns : unusual_deadline(deadline_ns, coarse_ns);
}

RLAbsoluteTime rl_clock_date_of(int64_t deadline_ns)
{
    int64_t coarse_ns, offset_ns;
    if (RL_UNLIKELY(!read_offset(&coarse_ns, &offset_ns))) {
        const struct rl_test_time *time = own_test_time();
        if (time) return rl_clock_tested_date_of(time, deadline_ns);
        offset_ns = wall_ns() - rl_kernel_monotonic_ns();
    }
    /* As doubles, as a deadline may be the last moment that there is. */
    double wall_ns_2001 = (double)(offset_ns - SECONDS_TO_2001 * NS_IN_SECOND);
    return (wall_ns_2001 + (double)deadline_ns) / NS_PER_SECOND;
}
