/* Only the loop's thread writes the counters; any thread may read them. */

#ifndef RL_STATISTICS_H
#define RL_STATISTICS_H

#include <CRunLoop/RLRunLoopStatistics.h>

#include <stdatomic.h>
#include <stdint.h>

struct rl_statistics {
    atomic_uint_fast64_t runs, passes, sleeps;
    /* Indexed by rl_event_kind; RL_EVENT_NONE counts time-outs. */
    atomic_uint_fast64_t wake_ups[5];
    /* Indexed by RLRunLoopPhase. */
    atomic_uint_fast64_t callouts[9];
    atomic_uint_fast64_t asleep_ns, running_ns;
    /* The beginning of the outermost run; 0 if the loop is not running. */
    atomic_uint_fast64_t run_began_ns;
    /* The beginning of the current sleep; 0 if the loop is awake. */
    atomic_uint_fast64_t sleep_began_ns;
    atomic_int phase;
    _Atomic(const void *) callout;
    /* During callbacks, a moment of the coarse clock. */
    atomic_uint_fast64_t phase_began_ns;
};

/* A load and a store instead of an atomic addition, because only the loop's thread counts. */
static inline void rl_statistics_add(atomic_uint_fast64_t *counter, uint64_t amount)
{
    uint64_t sum = atomic_load_explicit(counter, memory_order_relaxed) + amount;
    atomic_store_explicit(counter, sum, memory_order_relaxed);
}

static inline void rl_statistics_set_phase(struct rl_statistics *statistics, RLRunLoopPhase phase,
                                           uint64_t now_ns)
{
    atomic_store_explicit(&statistics->phase_began_ns, now_ns, memory_order_relaxed);
    atomic_store_explicit(&statistics->phase, phase, memory_order_relaxed);
}

#endif
