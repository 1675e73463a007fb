#ifndef RL_TEST_CLOCK_H
#define RL_TEST_CLOCK_H

#include "base/clock.h"
#include "loop/loop.h"

#include <CRunLoop/RLTesting.h>

struct RLOpaqueTestClock {
    /* The first field, so that the pointer converts to the object. */
    struct rl_clock clock;
    atomic_int_fast64_t now_ns;
    /* `now_ns` plus this offset is the time in nanoseconds since 1970. */
    atomic_int_fast64_t offset_ns;
    struct rl_lock lock;
    /* The creating thread's loop, retained. Any thread may read `owner` and `advancer`. */
    _Atomic(struct rl_loop *) owner;
    _Atomic(struct rl_loop *) advancer;
    bool is_automatic;
    /* When the passer began to wait for another loop, by the kernel's clock; otherwise 0. */
    int64_t waits_since_ns;
    bool has_warned;
    struct RLOpaqueTestClock *next;
};

static inline struct RLOpaqueTestClock *rl_test_clock_of(const struct rl_loop *loop)
{
    struct rl_clock *clock = rl_clock_of(&loop->clock);
    return clock == &rl_clock_of_kernel ? NULL : (struct RLOpaqueTestClock *)clock;
}

/* Aborts if the clock has ended. */
struct RLOpaqueTestClock *rl_test_clock_checked(RLTestClockRef clock, const char *function);

/* Aborts if the clock cannot represent the moment. The message has `nanoseconds`. */
void rl_test_clock_expect_moment(struct RLOpaqueTestClock *clock, int64_t moment_ns,
                                 int64_t nanoseconds, const char *function);

/* rl_test_clock_include returns false if the loop uses another clock. */
bool rl_test_clock_include(struct RLOpaqueTestClock *clock, struct rl_loop *loop);
void rl_test_clock_exclude(struct RLOpaqueTestClock *clock, struct rl_loop *loop);

#endif
