/*
 * Readings and conversions of time. Owns the stopped clocks of tests.
 *
 * Dates and moments differ by an offset, which changes only when somebody sets the wall clock. The
 * kernel publishes both coarse clocks in one step, and adjusts their rate in common, so that their
 * difference is that of the precise clocks, at a quarter of the price of reading those.
 */

#include "base/clock.h"

#include "base/check.h"

#include <math.h>

#define NS_PER_SECOND 1.0e9
#define NS_IN_SECOND INT64_C(1000000000)
#define SECONDS_TO_2001 INT64_C(978307200)
#define LONGEST_NS ((int64_t)RL_LONGEST_INTERVAL * NS_IN_SECOND)

const RLTimeInterval kRLAbsoluteTimeIntervalSince1970 = 978307200.0;

#if defined(RL_TESTING)
static _Thread_local struct {
    bool is_stopped;
    int64_t now_ns;
    /* By how much the wall clock has been set. */
    int64_t step_ns;
} thread_clock;

static int64_t step_ns(void)
{
    return thread_clock.step_ns;
}

int64_t *rl_clock_stopped(void)
{
    return thread_clock.is_stopped ? &thread_clock.now_ns : NULL;
}
#else
static int64_t step_ns(void)
{
    return 0;
}
#endif

int64_t rl_clock_now_ns(void)
{
    const int64_t *stopped = rl_clock_stopped();
    return stopped ? *stopped : rl_kernel_monotonic_ns();
}

int64_t rl_clock_coarse_ns(void)
{
    return rl_kernel_coarse_ns();
}

bool rl_clock_has_reached(int64_t moment_ns)
{
    const int64_t *stopped = rl_clock_stopped();
    if (stopped) return *stopped >= moment_ns;
    /* Most moments that are asked for are far off, which a cheaper clock tells. */
    if (moment_ns > rl_kernel_coarse_ns() + RL_SURELY_LATER_NS) return false;
    return rl_kernel_monotonic_ns() >= moment_ns;
}

static int64_t wall_ns(void)
{
    return rl_kernel_wall_ns() + step_ns();
}

RLAbsoluteTime RLAbsoluteTimeGetCurrent(void)
{
    return (double)wall_ns() / NS_PER_SECOND - kRLAbsoluteTimeIntervalSince1970;
}

int64_t rl_clock_ns_of(RLTimeInterval seconds)
{
    double ns = seconds * NS_PER_SECOND;
    if (!(ns > 0)) return 0;
    return ns >= (double)(INT64_MAX / 2) ? INT64_MAX / 2 : (int64_t)ns;
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
    if (rl_clock_stopped()) return false;
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

/* By reading both clocks. */
static int64_t measured_deadline_of(RLAbsoluteTime date)
{
    int64_t now_ns = rl_clock_now_ns();
    double distance = date - RLAbsoluteTimeGetCurrent();
    if (distance < 0) return now_ns;
    return now_ns + rl_clock_ns_of(fmin(distance, RL_LONGEST_INTERVAL));
}

/* Nanoseconds since 1970, to the last one: a double of them would be coarser than a date. */
static int64_t wall_ns_of(RLAbsoluteTime date)
{
    int64_t seconds = (int64_t)date;
    return (seconds + SECONDS_TO_2001) * NS_IN_SECOND +
           (int64_t)((date - (double)seconds) * NS_PER_SECOND);
}

/* A deadline that is not surely in the future, or further off than any may be. */
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
    if (RL_UNLIKELY(!read_offset(&coarse_ns, &offset_ns))) return measured_deadline_of(date);
    int64_t deadline_ns = wall_ns_of(date) - offset_ns;
    int64_t distance_ns = deadline_ns - coarse_ns;
    bool is_usual = distance_ns > RL_SURELY_LATER_NS && distance_ns <= LONGEST_NS;
    return is_usual ? deadline_ns : unusual_deadline(deadline_ns, coarse_ns);
}

RLAbsoluteTime rl_clock_date_of(int64_t deadline_ns)
{
    int64_t coarse_ns, offset_ns;
    if (RL_UNLIKELY(!read_offset(&coarse_ns, &offset_ns))) {
        offset_ns = wall_ns() - rl_clock_now_ns();
    }
    /* As doubles, as a deadline may be the last moment that there is. */
    double wall_ns_2001 = (double)(offset_ns - SECONDS_TO_2001 * NS_IN_SECOND);
    return (wall_ns_2001 + (double)deadline_ns) / NS_PER_SECOND;
}

#if defined(RL_TESTING)
#include <CRunLoop/RLTesting.h>

void RLTestingSetClock(SInt64 nanoseconds)
{
    thread_clock.is_stopped = true;
    thread_clock.now_ns = nanoseconds;
}

void RLTestingAdvanceClock(SInt64 nanoseconds)
{
    thread_clock.now_ns += nanoseconds;
}

void RLTestingUseRealClock(void)
{
    thread_clock.is_stopped = false;
}

void RLTestingStepWallClock(SInt64 nanoseconds)
{
    thread_clock.step_ns += nanoseconds;
}
#endif
