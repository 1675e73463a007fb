/*
 * Clocks that tests own, as objects.
 */

#ifndef RL_TEST_CLOCK_H
#define RL_TEST_CLOCK_H

#include "base/clock.h"
#include "loop/loop.h"

#include <CRunLoop/RLTesting.h>

struct RLOpaqueTestClock {
    /* First, so that the clock in a loop's slot is this object. */
    struct rl_clock clock;
    atomic_int_fast64_t now_ns;
    /* The difference between nanoseconds since 1970 and the clock's moments. */
    atomic_int_fast64_t offset_ns;
    struct rl_lock lock;
    /* The loop of the thread that made it, retained. Any thread may read it and `advancer`. */
    _Atomic(struct rl_loop *) owner;
    /* The loop of the thread that advances it; null while nobody does. */
    _Atomic(struct rl_loop *) advancer;
    bool is_automatic;
    /* Since when the passer waits for another loop, by the kernel's clock; 0 if it does not. */
    int64_t waits_since_ns;
    bool has_warned;
    /* A clock that has ended is kept for the next one. */
    struct RLOpaqueTestClock *next;
};

/* Returns the clock of a test by which a loop goes, or null. */
static inline struct RLOpaqueTestClock *rl_test_clock_of(const struct rl_loop *loop)
{
    struct rl_clock *clock = rl_clock_of(&loop->clock);
    return clock == &rl_clock_of_kernel ? NULL : (struct RLOpaqueTestClock *)clock;
}

/* Returns the argument of a public function. Stops with a line if it is no clock any more. */
struct RLOpaqueTestClock *rl_test_clock_checked(RLTestClockRef clock, const char *function);

/* Stops with a line, for an argument `nanoseconds`, if the clock cannot be at a moment. */
void rl_test_clock_expect_moment(struct RLOpaqueTestClock *clock, int64_t moment_ns,
                                 int64_t nanoseconds, const char *function);

/*
 * Has a loop use a clock, or no longer. The first returns false if the loop has been given
 * another clock.
 */
bool rl_test_clock_include(struct RLOpaqueTestClock *clock, struct rl_loop *loop);
void rl_test_clock_exclude(struct RLOpaqueTestClock *clock, struct rl_loop *loop);

#endif
