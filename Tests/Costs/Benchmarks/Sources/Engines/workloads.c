/*
 * The list of workloads, and how one is run.
 */

#define _GNU_SOURCE

#include "workloads.h"

#include <sched.h>
#include <sys/resource.h>

enum { ENOUGH_NS = 30000000, CALLS_BETWEEN_LOOKS = 32 };

#define FROM_100_TO_MILLION {100, 10000, 100000, 1000000}

static const struct workload workloads[] = {
    {"wake round trip, one core", "ns", true, NEEDS_NOTHING, {1}, run_round_trip_on_one_core},
    {"wake round trip, two cores", "ns", true, NEEDS_NOTHING, {1}, run_round_trip_on_two_cores},
    {"ring while busy", "ns", false, NEEDS_NOTHING, {1}, run_ring_while_busy},
    {"hot source among idle ones", "ns", false, NEEDS_NOTHING, {1, 100, 10000}, run_hot_source},
    {"signal and run once", "ns", false, NEEDS_NOTHING, {1, 100, 10000}, run_signal_and_poll},
    {"empty poll pass", "ns", false, NEEDS_NOTHING, {1}, run_empty_poll},
    {"run of 100 us, overshoot", "ns", true, NEEDS_NOTHING, {1}, run_short_limit},
    {"run of 100 us, processor time", "ns", false, NEEDS_NOTHING, {1}, run_short_limit_cpu},
    {"add a timer", "ns", false, NEEDS_NOTHING, FROM_100_TO_MILLION, run_add_timers},
    {"fire a due timer", "ns", false, NEEDS_NOTHING, FROM_100_TO_MILLION, run_fire_timers},
    {"timers in 100 ms, last late by", "ns", false, NEEDS_NOTHING, {100000}, run_spread_timers},
    {"churn one of the timers", "ns", false, NEEDS_NOTHING, FROM_100_TO_MILLION, run_churn_timers},
    {"move one of the timers", "ns", false, NEEDS_NOTHING, FROM_100_TO_MILLION, run_move_timers},
    {"1 ms timer, lateness", "ns", true, NEEDS_NOTHING, {1}, run_timer_lateness},
    {"100 ready descriptors, each",
     "ns",
     false,
     NEEDS_DESCRIPTORS,
     {100, 1000, 8000},
     run_ready_descriptors},
    {"closures posted by threads", "ns", false, NEEDS_NOTHING, {1, 4}, run_posts_of_threads},
    {"closure posted to oneself", "ns", false, NEEDS_NOTHING, {1}, run_posts_to_oneself},
    {"bytes of a loop", "B", false, NEEDS_NOTHING, {1}, run_loop_bytes},
    {"bytes of a source", "B", false, NEEDS_NOTHING, {1000}, run_source_bytes},
    {"bytes of a timer", "B", false, NEEDS_NOTHING, {1000}, run_timer_bytes},
    {"descriptors of a loop", "", false, NEEDS_NOTHING, {1}, run_loop_descriptors},
    {"wake round trip, two cores, looking first",
     "ns",
     true,
     NEEDS_LOOKING,
     {1},
     run_round_trip_looking},
};

const struct workload *workload_at(size_t index)
{
    return index < sizeof workloads / sizeof workloads[0] ? &workloads[index] : NULL;
}

void samples_add(struct samples *samples, double value)
{
    if (samples->count == samples->capacity) {
        samples->capacity = samples->capacity ? samples->capacity * 2 : 64;
        samples->values = realloc(samples->values, samples->capacity * sizeof samples->values[0]);
        EXPECT(samples->values != NULL);
    }
    samples->values[samples->count++] = value;
}

void samples_free(struct samples *samples)
{
    free(samples->values);
    *samples = (struct samples){0};
}

bool workload_fits(const struct workload *workload, const struct engine *engine)
{
    return workload->need != NEEDS_LOOKING || engine->look_before_sleeping;
}

struct order {
    const struct workload *workload;
    const struct engine *engine;
    size_t size;
    struct samples *samples;
};

static void *carry_out(void *info)
{
    const struct order *order = info;
    order->workload->run(order->engine, order->size, order->samples);
    return NULL;
}

size_t workload_descriptors(const struct workload *workload, size_t size)
{
    enum { OF_TWO_LOOPS = 8 };
    size_t own = workload->need == NEEDS_DESCRIPTORS ? size : 0;
    return (size_t)open_descriptors() + OF_TWO_LOOPS + own;
}

size_t raise_descriptor_limit(void)
{
    struct rlimit files;
    EXPECT(getrlimit(RLIMIT_NOFILE, &files) == 0);
    files.rlim_cur = files.rlim_max;
    EXPECT(setrlimit(RLIMIT_NOFILE, &files) == 0);
    return files.rlim_cur;
}

/* On the main thread the loop outlives the workload, and would call what is gone with its frame. */
static void carry_out_here(const struct order *order)
{
    const struct engine *engine = order->engine;
    bool is_checked = engine->is_used_again && engine->count_items;
    size_t before = is_checked ? engine->count_items(engine->open()) : 0;
    /* A workload may bind its thread to one processor. */
    cpu_set_t allowed;
    EXPECT(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    carry_out((void *)order);
    EXPECT(sched_setaffinity(0, sizeof allowed, &allowed) == 0);
    size_t left = is_checked ? engine->count_items(engine->open()) - before : 0;
    if (left == 0) return;
    fprintf(stderr, "benchmarks: '%s' has left %zu items on the main loop\n", order->workload->name,
            left);
    abort();
}

void workload_run(const struct workload *workload, const struct engine *engine, size_t size,
                  struct samples *samples)
{
    raise_descriptor_limit();
    struct order order = {workload, engine, size, samples};
    if (engine->is_on_main) {
        carry_out_here(&order);
        return;
    }
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, carry_out, &order) == 0);
    pthread_join(thread, NULL);
}

void do_nothing(void *info)
{
}

const struct thunk nothing = {do_nothing, NULL};

int64_t processor_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

bool is_enough(int64_t began_ns)
{
    return now_ns() - began_ns >= ENOUGH_NS;
}

double time_each(int64_t (*clock_ns)(void), void (*operation)(void *context), void *context)
{
    /* Once before, for what is made at the first use. */
    operation(context);
    int64_t began_ns = now_ns(), from_ns = clock_ns();
    size_t count = 0;
    do {
        for (int i = 0; i < CALLS_BETWEEN_LOOKS; i++) operation(context);
        count += CALLS_BETWEEN_LOOKS;
    } while (!is_enough(began_ns));
    return (double)(clock_ns() - from_ns) / (double)count;
}

void run_for(const struct engine *engine, void *loop, double seconds)
{
    if (engine->run_for) {
        engine->run_for(loop, seconds);
        return;
    }
    void *limit = engine->add_timer(loop, (int64_t)(seconds * 1.0e9), 0, &nothing);
    unsigned before = calls_served;
    while (calls_served == before) engine->run_once(loop);
    engine->remove_timer(loop, limit);
}

void *add_source(const struct engine *engine, void *loop, engine_call call, void *info)
{
    if (engine->add_source) return engine->add_source(loop, call, info);
    return engine->add_bell(loop, call, info);
}

void signal_source(const struct engine *engine, void *loop, void *source)
{
    (engine->add_source ? engine->signal : engine->ring)(loop, source);
}

void remove_source(const struct engine *engine, void *loop, void *source)
{
    if (engine->add_source) {
        engine->remove_source(loop, source);
    } else {
        engine->remove_bell(loop, source);
    }
}

void **add_idle_sources(const struct engine *engine, void *loop, size_t count)
{
    void **sources = allocate((count + 1) * sizeof sources[0]);
    for (size_t i = 0; i < count; i++) {
        sources[i] = add_source(engine, loop, do_nothing, &sources[i]);
    }
    return sources;
}

void remove_sources(const struct engine *engine, void *loop, void **sources, size_t count)
{
    for (size_t i = count; i > 0; i--) remove_source(engine, loop, sources[i - 1]);
    free(sources);
}

int processor_count(void)
{
    cpu_set_t allowed;
    EXPECT(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    return CPU_COUNT(&allowed);
}

void bind_to_processor(int number)
{
    EXPECT(number < processor_count());
    cpu_set_t allowed, one;
    EXPECT(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &allowed) || number-- > 0) continue;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        EXPECT(sched_setaffinity(0, sizeof one, &one) == 0);
        return;
    }
}
