/*
 * Readings and conversions of time. Owns the stopped clocks of tests.
 */

#include "clock.h"

#include <math.h>

#define NS_PER_SECOND 1.0e9

const RLTimeInterval kRLAbsoluteTimeIntervalSince1970 = 978307200.0;

#if defined(RL_TESTING)
static _Thread_local struct {
    bool is_stopped;
    int64_t now_ns;
} thread_clock;

int64_t *rl_clock_stopped(void)
{
    return thread_clock.is_stopped ? &thread_clock.now_ns : NULL;
}
#else
int64_t *rl_clock_stopped(void)
{
    return NULL;
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

RLAbsoluteTime RLAbsoluteTimeGetCurrent(void)
{
    return (double)rl_kernel_wall_ns() / NS_PER_SECOND - kRLAbsoluteTimeIntervalSince1970;
}

int64_t rl_clock_ns_of(RLTimeInterval seconds)
{
    double ns = seconds * NS_PER_SECOND;
    if (!(ns > 0)) return 0;
    return ns >= (double)(INT64_MAX / 2) ? INT64_MAX / 2 : (int64_t)ns;
}

int64_t rl_clock_deadline_of(RLAbsoluteTime date, int64_t now_ns)
{
    double distance = date - RLAbsoluteTimeGetCurrent();
    if (distance < 0) return now_ns;
    return now_ns + rl_clock_ns_of(fmin(distance, RL_LONGEST_INTERVAL));
}

RLAbsoluteTime rl_clock_date_of(int64_t deadline_ns, int64_t now_ns)
{
    return RLAbsoluteTimeGetCurrent() + (double)(deadline_ns - now_ns) / NS_PER_SECOND;
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
#endif
