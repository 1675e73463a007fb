/*
 * What the files of workloads share.
 */

#ifndef WORKLOADS_H
#define WORKLOADS_H

#include "support.h"

#include <pthread.h>

/* A callback whose calls do not matter. */
void do_nothing(void *info);
extern const struct thunk nothing;

/* The nanoseconds of one call of many, by a clock, made until enough time has passed. */
double time_each(int64_t (*clock_ns)(void), void (*operation)(void *context), void *context);

/* Whether a workload that calls this between rounds has run for long enough. */
bool is_enough(int64_t began_ns);

/* Serves once, sleeping so long at most. */
void run_for(const struct engine *engine, void *loop, double seconds);

/*
 * Sources that the loop's own thread signals: the engine's own, or its bells.
 */
void *add_source(const struct engine *engine, void *loop, engine_call call, void *info);
void signal_source(const struct engine *engine, void *loop, void *source);
void remove_source(const struct engine *engine, void *loop, void *source);
void **add_idle_sources(const struct engine *engine, void *loop, size_t count);
void remove_sources(const struct engine *engine, void *loop, void **sources, size_t count);

#define DECLARE(name) void name(const struct engine *engine, size_t size, struct samples *samples)

/* Defines one that makes a single call. */
#define DEFINE(name, call)                                                                         \
    DECLARE(name)                                                                                  \
    {                                                                                              \
        call;                                                                                      \
    }

typedef DECLARE(workload_function);
workload_function run_round_trip_on_one_core, run_round_trip_on_two_cores, run_round_trip_looking,
    run_ring_while_busy, run_hot_source, run_signal_and_poll, run_empty_poll, run_short_limit,
    run_short_limit_cpu, run_add_timers, run_fire_timers, run_spread_timers, run_churn_timers,
    run_move_timers, run_timer_lateness, run_ready_descriptors, run_posts_of_threads,
    run_posts_to_oneself, run_loop_bytes, run_source_bytes, run_timer_bytes, run_loop_descriptors;

#endif
