/*
 * Clocks that tests own: which loops go by them, and how they are set. base/clock.h has what a loop
 * reads, and with what it arms its timer port; advance.h how time passes.
 */

#ifndef RL_TEST_CLOCK_H
#define RL_TEST_CLOCK_H

#include "base/clock.h"
#include "loop/loop.h"

#include <CRunLoop/RLTesting.h>

struct RLOpaqueTestClock {
    /* First, so that a loop's slot leads to the clock. */
    struct rl_test_time time;
    struct rl_lock lock;
    /* The loops, retained, of a clock that is not for all. */
    struct rl_loop **loops;
    size_t count, capacity;
    /* Any thread may look at these three; the lock guards what changes them. */
    atomic_bool is_for_all;
    /* The loop of the thread that made it, retained. */
    _Atomic(struct rl_loop *) owner;
    /* The loop of the thread that advances it; null while nobody does. */
    _Atomic(struct rl_loop *) advancer;
    bool is_automatic;
    /* Since when the passer waits for another loop, by the kernel's clock; 0 if it does not. */
    int64_t waits_since_ns;
    bool was_told;
    /* A clock that has ended is kept for the next one. */
    struct RLOpaqueTestClock *next;
};

static inline struct RLOpaqueTestClock *rl_test_clock_of(const struct rl_loop *loop)
{
    return (struct RLOpaqueTestClock *)rl_clock_of(&loop->clock);
}

static inline int64_t rl_test_clock_now(const struct RLOpaqueTestClock *clock)
{
    return atomic_load(&clock->time.now_ns);
}

/* Returns the argument of a public function. Stops with a line if it is no clock any more. */
struct RLOpaqueTestClock *rl_test_clock_checked(RLTestClockRef clock, const char *function);

/* Returns the loop whose runs let time pass; null if no run does. Clock locked. */
struct rl_loop *rl_test_clock_passer(const struct RLOpaqueTestClock *clock);

/* Calls a function with each loop, locked, and with the clock locked. */
void rl_test_clock_visit(struct RLOpaqueTestClock *clock,
                         void (*visit)(struct rl_loop *loop, void *info), void *info);

/* Has a loop go by a clock, or by it no longer. Clock locked. */
void rl_test_clock_include(struct RLOpaqueTestClock *clock, struct rl_loop *loop);
void rl_test_clock_exclude(struct RLOpaqueTestClock *clock, struct rl_loop *loop);

/* Has the clock say something else, and loops that sleep look at it. */
void rl_test_clock_move(struct RLOpaqueTestClock *clock, int64_t now_ns);

/* Has a loop that sleeps look around and sleep on. Loop locked. */
void rl_test_clock_nudge(struct rl_loop *loop);

#endif
