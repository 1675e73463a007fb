/*
 * Timers: many of them, and one that is to be on time.
 */

#include "workloads.h"

static const int64_t second_ns = 1000000000, millisecond_ns = 1000000;

enum { TICKS = 300, CHANGES_BETWEEN_LOOKS = 16 };

struct timers {
    const struct engine *engine;
    void *loop;
    void *source;
    void **all;
    size_t count;
    size_t left;
    uint64_t random;
    int64_t last_due_ns;
    struct samples *samples;
};

/* Numbers without a pattern, the same in every run: Marsaglia's xorshift. */
static uint64_t next_random(struct timers *timers)
{
    timers->random ^= timers->random << 13;
    timers->random ^= timers->random >> 7;
    timers->random ^= timers->random << 17;
    return timers->random;
}

static int64_t far_delay(struct timers *timers)
{
    return 1000 * second_ns + (int64_t)(next_random(timers) % (uint64_t)(1000 * second_ns));
}

/* A loop with an idle source, which keeps it from running out of work, and no timers yet. */
static struct timers begin(const struct engine *engine, size_t count, struct samples *samples)
{
    struct timers timers = {.engine = engine,
                            .loop = engine->open(),
                            .count = count,
                            .left = count,
                            .random = UINT64_C(0x9E3779B97F4A7C15),
                            .samples = samples};
    timers.all = allocate(count * sizeof timers.all[0]);
    timers.source = add_source(engine, timers.loop, do_nothing, NULL);
    return timers;
}

static void add_far_timers(struct timers *timers)
{
    for (size_t i = 0; i < timers->count; i++) {
        timers->all[i] = timers->engine->add_timer(timers->loop, far_delay(timers), 0, &nothing);
    }
}

/* A million removals take minutes in some engines: only a loop that is used again is emptied. */
static void end(struct timers *timers)
{
    const struct engine *engine = timers->engine;
    if (engine->is_used_again) {
        for (size_t i = 0; i < timers->count; i++) {
            engine->remove_timer(timers->loop, timers->all[i]);
        }
        remove_source(engine, timers->loop, timers->source);
        engine->close(timers->loop);
    }
    free(timers->all);
}

DECLARE(run_add_timers)
{
    struct timers timers = begin(engine, size, samples);
    int64_t began_ns = processor_ns();
    add_far_timers(&timers);
    samples_add(samples, (double)(processor_ns() - began_ns) / (double)size);
    end(&timers);
}

static void churn(struct timers *timers)
{
    size_t index = next_random(timers) % timers->count;
    timers->engine->remove_timer(timers->loop, timers->all[index]);
    timers->all[index] = timers->engine->add_timer(timers->loop, far_delay(timers), 0, &nothing);
}

static void move(struct timers *timers)
{
    size_t index = next_random(timers) % timers->count;
    timers->engine->move_timer(timers->loop, timers->all[index], far_delay(timers));
}

static void run_changes(const struct engine *engine, size_t size, void (*change)(struct timers *),
                        struct samples *samples)
{
    struct timers timers = begin(engine, size, samples);
    add_far_timers(&timers);
    engine->poll(timers.loop);
    int64_t began_ns = now_ns(), from_ns = processor_ns();
    size_t count = 0;
    do {
        for (int i = 0; i < CHANGES_BETWEEN_LOOKS; i++) change(&timers);
        count += CHANGES_BETWEEN_LOOKS;
    } while (!is_enough(began_ns));
    samples_add(samples, (double)(processor_ns() - from_ns) / (double)count);
    end(&timers);
}

DEFINE(run_churn_timers, run_changes(engine, size, churn, samples))
DEFINE(run_move_timers, run_changes(engine, size, move, samples))

static void count_down(void *info)
{
    struct timers *timers = info;
    if (--timers->left == 0) timers->engine->stop(timers->loop);
}

DECLARE(run_fire_timers)
{
    struct timers timers = begin(engine, size, samples);
    struct thunk thunk = {count_down, &timers};
    for (size_t i = 0; i < size; i++) {
        timers.all[i] = engine->add_timer(timers.loop, 0, 0, &thunk);
    }
    int64_t began_ns = processor_ns();
    engine->run(timers.loop);
    samples_add(samples, (double)(processor_ns() - began_ns) / (double)size);
    end(&timers);
}

static void note_last(void *info)
{
    struct timers *timers = info;
    if (--timers->left > 0) return;
    int64_t late_ns = now_ns() - timers->last_due_ns;
    samples_add(timers->samples, late_ns > 0 ? (double)late_ns : 0);
    timers->engine->stop(timers->loop);
}

DECLARE(run_spread_timers)
{
    struct timers timers = begin(engine, size, samples);
    struct thunk thunk = {note_last, &timers};
    if (engine->refresh) engine->refresh(timers.loop);
    int64_t began_ns = now_ns();
    int64_t first_ns = began_ns + second_ns;
    timers.last_due_ns = first_ns + 100 * millisecond_ns;
    for (size_t i = 0; i < size; i++) {
        int64_t due_ns = first_ns + (int64_t)(i + 1) * 100 * millisecond_ns / (int64_t)size;
        /* Engines that keep the time of their last pass count from there. */
        int64_t from_ns = engine->refresh ? began_ns : now_ns();
        timers.all[i] = engine->add_timer(timers.loop, due_ns - from_ns, 0, &thunk);
    }
    engine->run(timers.loop);
    end(&timers);
}

static void aim(struct timers *timers)
{
    if (timers->engine->refresh) timers->engine->refresh(timers->loop);
    timers->last_due_ns = now_ns() + millisecond_ns;
    timers->engine->move_timer(timers->loop, timers->all[0], millisecond_ns);
}

static void tick(void *info)
{
    struct timers *timers = info;
    int64_t late_ns = now_ns() - timers->last_due_ns;
    samples_add(timers->samples, late_ns > 0 ? (double)late_ns : 0);
    if (timers->samples->count == TICKS) {
        timers->engine->stop(timers->loop);
    } else {
        aim(timers);
    }
}

DECLARE(run_timer_lateness)
{
    struct timers timers = begin(engine, size, samples);
    struct thunk thunk = {tick, &timers};
    /* With an interval, so that it is still there to be moved when it has fired. */
    timers.all[0] = engine->add_timer(timers.loop, millisecond_ns, second_ns, &thunk);
    aim(&timers);
    engine->run(timers.loop);
    end(&timers);
}
