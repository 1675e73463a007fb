/*
 * What loops and their items take: memory, descriptors, and the time of a thread's life.
 */

#include "workloads.h"

#include <dirent.h>
#include <malloc.h>

static const struct thunk nothing = {do_nothing, NULL};

double bytes_in_use(void)
{
    return (double)mallinfo2().uordblks;
}

static void *open_and_close(void *info)
{
    const struct engine *engine = info;
    engine->close(engine->open());
    return NULL;
}

/* What only the first loop, and the first allocation of a thread, takes is no loop's. */
DECLARE(run_loop_bytes)
{
    (void)size;
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, open_and_close, (void *)engine) == 0);
    pthread_join(thread, NULL);
    /* Volatile, or the compiler leaves both calls out. */
    void *volatile first = allocate(1);
    free(first);
    double before = bytes_in_use();
    void *loop = engine->open();
    samples_add(samples, bytes_in_use() - before);
    engine->close(loop);
}

DECLARE(run_source_bytes)
{
    void *loop = engine->open();
    void **sources = add_idle_sources(engine, loop, size);
    double before = bytes_in_use();
    void **more = add_idle_sources(engine, loop, size);
    samples_add(samples, (bytes_in_use() - before) / (double)size - sizeof more[0]);
    remove_sources(engine, loop, more, size);
    remove_sources(engine, loop, sources, size);
    engine->close(loop);
}

DECLARE(run_timer_bytes)
{
    void *loop = engine->open();
    void **timers = allocate(size * sizeof timers[0]);
    double before = bytes_in_use();
    for (size_t i = 0; i < size; i++) {
        timers[i] = engine->add_timer(loop, INT64_C(1000000000000), 0, &nothing);
    }
    samples_add(samples, (bytes_in_use() - before) / (double)size);
    for (size_t i = 0; i < size; i++) engine->remove_timer(loop, timers[i]);
    free(timers);
    engine->close(loop);
}

int open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    EXPECT(folder != NULL);
    int count = 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

/* Modes with one timer in all of them, in which the loop has slept once each. */
static void add_modes(const struct engine *engine, void *loop, void *timer, const char *kind,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s mode %zu", kind, i);
        engine->add_mode(loop, timer, name);
    }
}

/* What each of a number of modes takes once there are as many already. */
static double measure_modes(const struct engine *engine, size_t count, double (*measure)(void))
{
    void *loop = engine->open();
    void *timer = engine->add_timer(loop, INT64_C(1000000000000), 0, &nothing);
    add_modes(engine, loop, timer, "first", count);
    double before = measure();
    add_modes(engine, loop, timer, "second", count);
    double taken = measure() - before;
    engine->remove_timer(loop, timer);
    engine->close(loop);
    return taken / (double)count;
}

DECLARE(run_mode_bytes)
{
    samples_add(samples, measure_modes(engine, size, bytes_in_use));
}

static double count_descriptors(void)
{
    return open_descriptors();
}

DECLARE(run_mode_descriptors)
{
    samples_add(samples, measure_modes(engine, size, count_descriptors));
}

/* A loop that has slept once, in which there is one source. */
DECLARE(run_loop_descriptors)
{
    (void)size;
    int before = open_descriptors();
    void *loop = engine->open();
    void *source = add_source(engine, loop, do_nothing, NULL);
    engine->run_for(loop, 0.001);
    samples_add(samples, open_descriptors() - before);
    remove_source(engine, loop, source);
    engine->close(loop);
}

struct life {
    const struct engine *engine;
    unsigned served;
};

static void serve(void *info)
{
    struct life *life = info;
    life->served++;
}

/* A loop that makes one pass with one call: of a source, or of a closure where it has none. */
static void live(void *info)
{
    struct life *life = info;
    const struct engine *engine = life->engine;
    void *loop = engine->open();
    bool has_source = engine->add_source || engine->add_bell;
    void *source = add_source(engine, loop, serve, life);
    if (has_source) {
        signal_source(engine, loop, source);
    } else {
        (engine->post_here ? engine->post_here : engine->post)(loop, serve, life);
    }
    engine->poll(loop);
    remove_source(engine, loop, source);
    engine->close(loop);
}

static void *live_on_thread(void *info)
{
    live(info);
    return NULL;
}

static void live_and_die(void *info)
{
    struct life life = {.engine = info};
    pthread_t thread;
    if (life.engine->live) {
        life.engine->live(live, &life);
    } else {
        EXPECT(pthread_create(&thread, NULL, live_on_thread, &life) == 0);
        pthread_join(thread, NULL);
    }
    EXPECT(life.served == 1);
}

static int64_t now(void)
{
    return now_ns();
}

/* On one processor: else most of it is how long an idle one takes to wake up for the new thread. */
DECLARE(run_threads)
{
    (void)size;
    bind_to_processor(0);
    samples_add(samples, time_each(now, live_and_die, (void *)engine));
}
