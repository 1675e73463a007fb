/*
 * A date is a moment (nanoseconds of the monotonic clock) plus an offset. The offset changes only
 * when the wall clock is set. The kernel updates both coarse clocks in one step and adjusts their
 * rates together. So the difference of the coarse clocks equals the difference of the precise
 * clocks, and reading the precise clocks takes four times as long.
 */

#include "base/clock.h"

#include <CRunLoop/RLTesting.h>

#define NS_PER_SECOND 1.0e9
#define NS_IN_SECOND INT64_C(1000000000)
#define SECONDS_TO_2001 INT64_C(978307200)
#define LONGEST_NS ((int64_t)RL_LONGEST_INTERVAL * NS_IN_SECOND)

const RLTimeInterval kRLAbsoluteTimeIntervalSince1970 = 978307200.0;

rl_clock_slot rl_clock_for_all = &rl_clock_of_kernel;
_Thread_local const rl_clock_slot *rl_clock_of_thread = &rl_clock_for_all;

/* --- The kernel's clock ----------------------------------------------------------------------- */

static int64_t kernel_now(struct rl_clock *clock)
{
    (void)clock;
    return rl_kernel_monotonic_ns();
}

static int64_t kernel_wall(struct rl_clock *clock)
{
    (void)clock;
    return rl_kernel_wall_ns();
}

static bool kernel_has_reached(struct rl_clock *clock, int64_t moment_ns)
{
    (void)clock;
    /* Most moments are far in the future. For these, the coarse clock is enough, and cheaper. */
    if (moment_ns > rl_kernel_coarse_ns() + RL_SURELY_LATER_NS) return false;
    return rl_kernel_monotonic_ns() >= moment_ns;
}

/* The last offset that was confirmed. All threads share it. It only saves reads of the clocks. */
static atomic_int_fast64_t known_offset_ns;

/* Returns whether the precise clocks have this offset too; on every real kernel they do. */
static bool is_confirmed(int64_t offset_ns)
{
    int64_t before_ns = rl_kernel_monotonic_ns();
    int64_t moment_ns = rl_kernel_wall_ns() - offset_ns;
    return before_ns <= moment_ns && moment_ns <= rl_kernel_monotonic_ns();
}

/*
 * If a clock ticks or is set between the two reads, the difference is not the known offset, and a
 * second read detects the change.
 */
static void kernel_read_offset(struct rl_clock *clock, int64_t *ret_now_ns, int64_t *ret_offset_ns)
{
    (void)clock;
    int64_t coarse_ns, coarse_wall_ns;
    rl_kernel_read_coarse(&coarse_ns, &coarse_wall_ns);
    int64_t offset_ns = coarse_wall_ns - coarse_ns;
    *ret_now_ns = coarse_ns;
    *ret_offset_ns = offset_ns;
    if (offset_ns == atomic_load_explicit(&known_offset_ns, memory_order_relaxed)) return;
    if (rl_kernel_coarse_ns() == coarse_ns && is_confirmed(offset_ns)) {
        atomic_store_explicit(&known_offset_ns, offset_ns, memory_order_relaxed);
        return;
    }
    *ret_now_ns = rl_kernel_monotonic_ns();
    *ret_offset_ns = rl_kernel_wall_ns() - *ret_now_ns;
}

static int64_t kernel_port_moment(struct rl_clock *clock, int64_t moment_ns)
{
    (void)clock;
    return moment_ns;
}

/*
 * The kernel may delay a time-out by the thread's timer slack, 50 µs by default, but it does not
 * delay a timer port. So a limit that is short compared with the slack needs the port.
 */
static bool kernel_needs_port(struct rl_clock *clock, int64_t limit_ns)
{
    enum { SHORT_NS = 500000 };
    (void)clock;
    return limit_ns - rl_kernel_monotonic_ns() <= SHORT_NS;
}

static bool kernel_pass_time(struct rl_clock *clock, struct rl_mode *mode)
{
    (void)clock;
    (void)mode;
    return false;
}

static int64_t kernel_begin_sleep(struct rl_clock *clock, struct rl_loop *loop, int64_t limit_ns,
                                  int64_t unarmed_ns)
{
    (void)clock;
    (void)loop;
    return unarmed_ns < limit_ns ? unarmed_ns : limit_ns;
}

struct rl_clock rl_clock_of_kernel = {
    .now_ns = kernel_now,
    .wall_ns = kernel_wall,
    .has_reached = kernel_has_reached,
    .read_offset = kernel_read_offset,
    .port_moment = kernel_port_moment,
    .needs_port = kernel_needs_port,
    .pass_time = kernel_pass_time,
    .begin_sleep = kernel_begin_sleep,
};

/* --- Moments ---------------------------------------------------------------------------------- */

int64_t rl_clock_moved_to(const rl_clock_slot *slot, int64_t moment_ns)
{
    struct rl_clock *own = rl_clock_own(), *other = rl_clock_of(slot);
    if (own == other || moment_ns >= RL_NEVER_NS - 1) return moment_ns;
    int64_t distance_ns = moment_ns - own->now_ns(own), moved_ns;
    if (__builtin_add_overflow(distance_ns, other->now_ns(other), &moved_ns)) return moment_ns;
    return moved_ns;
}

/*
 * Dates are doubles with a resolution of about 120 ns, but tests rely on exact sums. So with a test
 * clock, a moment within 250 ns of a whole microsecond is rounded.
 */
static int64_t without_rounding_errors(const struct rl_clock *clock, int64_t moment_ns)
{
    enum { MICROSECOND = 1000, MOST = 250 };
    if (!clock->is_exact) return moment_ns;
    int64_t rest = moment_ns % MICROSECOND;
    if (rest <= MOST) return moment_ns - rest;
    return rest >= MICROSECOND - MOST ? moment_ns + MICROSECOND - rest : moment_ns;
}

int64_t rl_clock_ns_of(RLTimeInterval seconds)
{
    double ns = seconds * NS_PER_SECOND;
    if (!(ns > 0)) return 0;
    return ns >= (double)(INT64_MAX / 2) ? INT64_MAX / 2 : (int64_t)ns;
}

int64_t rl_clock_end_of(RLTimeInterval seconds)
{
    struct rl_clock *clock = rl_clock_own();
    return clock->now_ns(clock) + without_rounding_errors(clock, rl_clock_ns_of(seconds));
}

/* --- Dates ------------------------------------------------------------------------------------ */

#if defined(RL_TESTING)
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

/* Converting all of `wall_ns` to a double would lose precision; the whole seconds are exact. */
static RLAbsoluteTime date_of_wall(int64_t wall_ns)
{
    int64_t seconds = wall_ns / NS_IN_SECOND - SECONDS_TO_2001;
    return (double)seconds + (double)(wall_ns % NS_IN_SECOND) / NS_PER_SECOND;
}

/* Converts the whole seconds separately: a double cannot hold nanoseconds since 1970 exactly. */
static int64_t wall_ns_of(RLAbsoluteTime date)
{
    int64_t seconds = (int64_t)date;
    return (seconds + SECONDS_TO_2001) * NS_IN_SECOND +
           (int64_t)((date - (double)seconds) * NS_PER_SECOND);
}

RLAbsoluteTime RLAbsoluteTimeGetCurrent(void)
{
    struct rl_clock *clock = rl_clock_own();
    return date_of_wall(clock->wall_ns(clock) + step_ns());
}

/* Converts a distance that is short, negative, or longer than the longest interval. */
static __attribute__((noinline)) int64_t unusual_deadline(struct rl_clock *clock,
                                                          int64_t distance_ns, int64_t coarse_ns)
{
    if (distance_ns > LONGEST_NS) return coarse_ns + LONGEST_NS;
    int64_t now_ns = clock->now_ns(clock);
    if (distance_ns < -LONGEST_NS) return now_ns;
    int64_t deadline_ns = without_rounding_errors(clock, coarse_ns + distance_ns);
    return deadline_ns > now_ns ? deadline_ns : now_ns;
}

int64_t rl_clock_deadline_of(RLAbsoluteTime date)
{
    struct rl_clock *clock = rl_clock_own();
    if (RL_UNLIKELY(!(date > -(double)SECONDS_TO_2001))) return clock->now_ns(clock);
    int64_t coarse_ns, offset_ns;
    clock->read_offset(clock, &coarse_ns, &offset_ns);
    int64_t distance_ns = wall_ns_of(date) - (coarse_ns + offset_ns) - step_ns();
    bool is_usual = distance_ns > RL_SURELY_LATER_NS && distance_ns <= LONGEST_NS;
    if (!is_usual) return unusual_deadline(clock, distance_ns, coarse_ns);
    return without_rounding_errors(clock, coarse_ns + distance_ns);
}

RLAbsoluteTime rl_clock_date_by(struct rl_clock *clock, int64_t moment_ns)
{
    int64_t coarse_ns, offset_ns, wall_ns;
    clock->read_offset(clock, &coarse_ns, &offset_ns);
    /* moment_ns may be RL_NEVER_NS, so the sum may overflow. */
    if (__builtin_add_overflow(moment_ns, offset_ns + step_ns(), &wall_ns)) wall_ns = INT64_MAX;
    return date_of_wall(wall_ns);
}

RLAbsoluteTime rl_clock_date_of(int64_t moment_ns)
{
    return rl_clock_date_by(rl_clock_own(), moment_ns);
}
