
#ifndef RL_TEST_CLOCK_H
#define RL_TEST_CLOCK_H

#include "base/clock.h"
#include "loop/loop.h"

#include <CRunLoop/RLTesting.h>

struct RLOpaqueTestClock {
    /* First, so that a pointer to the clock in a loop's slot is a pointer to this object. */
    struct rl_clock clock;
    atomic_int_fast64_t now_ns;
    /* Added to the clock's time, this is nanoseconds since 1970. */
    atomic_int_fast64_t offset_ns;
    struct rl_lock lock;
    /* The loop of the creating thread, retained. Any thread may read it and `advancer`. */
    _Atomic(struct rl_loop *) owner;
    _Atomic(struct rl_loop *) advancer;
    bool is_automatic;
    /*
     * The time since which the passer waits for another loop, by the kernel's clock; 0 if it does
     * not.
     */
    int64_t waits_since_ns;
    bool has_warned;
    struct RLOpaqueTestClock *next;
};

static inline struct RLOpaqueTestClock *rl_test_clock_of(const struct rl_loop *loop)
{
    struct rl_clock *clock = rl_clock_of(&loop->clock);
    return clock == &rl_clock_of_kernel ? NULL : (struct RLOpaqueTestClock *)clock;
}

/* Returns the argument of a public function. Stops the process if the clock has ended. */
struct RLOpaqueTestClock *rl_test_clock_checked(RLTestClockRef clock, const char *function);

/*
 * Stops the process because of an argument `nanoseconds` if the clock cannot represent the moment.
 */
void rl_test_clock_expect_moment(struct RLOpaqueTestClock *clock, int64_t moment_ns,
                                 int64_t nanoseconds, const char *function);

/*
 * Makes a loop use a clock, or not use it. The first returns false if the loop uses another clock.
 */
bool rl_test_clock_include(struct RLOpaqueTestClock *clock, struct rl_loop *loop);
void rl_test_clock_exclude(struct RLOpaqueTestClock *clock, struct rl_loop *loop);

#endif
