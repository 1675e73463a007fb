/*
 * Waking other threads' loops, and posting calls to them.
 */

#include "workloads.h"

#include <stdatomic.h>

enum { WARM_UP_TRIPS = 200, TRIPS = 3000, RINGS = 200000, POSTS = 200000, MOST_THREADS = 4 };

/* --- Round trips ------------------------------------------------------------------------------ */

struct trip {
    const struct engine *engine;
    struct samples *samples;
    pthread_barrier_t is_ready;
    void *near_loop, *far_loop, *near_bell, *far_bell;
    int far_processor;
    int left;
    int64_t began_ns;
    atomic_bool is_over;
};

static void begin_trip(struct trip *trip)
{
    trip->began_ns = now_ns();
    trip->engine->ring(trip->far_loop, trip->far_bell);
}

static void answer(void *info)
{
    struct trip *trip = info;
    if (atomic_load(&trip->is_over)) {
        trip->engine->stop(trip->far_loop);
    } else {
        trip->engine->ring(trip->near_loop, trip->near_bell);
    }
}

static void arrive(void *info)
{
    struct trip *trip = info;
    int64_t elapsed_ns = now_ns() - trip->began_ns;
    if (--trip->left < TRIPS) samples_add(trip->samples, (double)elapsed_ns);
    if (trip->left > 0) {
        begin_trip(trip);
        return;
    }
    atomic_store(&trip->is_over, true);
    trip->engine->ring(trip->far_loop, trip->far_bell);
    trip->engine->stop(trip->near_loop);
}

static void *serve_trips(void *info)
{
    struct trip *trip = info;
    bind_to_processor(trip->far_processor);
    trip->far_loop = trip->engine->open();
    trip->far_bell = trip->engine->add_bell(trip->far_loop, answer, trip);
    pthread_barrier_wait(&trip->is_ready);
    trip->engine->run(trip->far_loop);
    trip->engine->remove_bell(trip->far_loop, trip->far_bell);
    trip->engine->close(trip->far_loop);
    return NULL;
}

static void run_round_trip(const struct engine *engine, struct samples *samples, int far_processor)
{
    struct trip trip = {.engine = engine,
                        .samples = samples,
                        .far_processor = far_processor,
                        .left = WARM_UP_TRIPS + TRIPS};
    pthread_barrier_init(&trip.is_ready, NULL, 2);
    pthread_t far;
    EXPECT(pthread_create(&far, NULL, serve_trips, &trip) == 0);
    bind_to_processor(0);
    trip.near_loop = engine->open();
    trip.near_bell = engine->add_bell(trip.near_loop, arrive, &trip);
    pthread_barrier_wait(&trip.is_ready);
    begin_trip(&trip);
    engine->run(trip.near_loop);
    pthread_join(far, NULL);
    engine->remove_bell(trip.near_loop, trip.near_bell);
    engine->close(trip.near_loop);
    pthread_barrier_destroy(&trip.is_ready);
}

DECLARE(run_round_trip_on_one_core)
{
    (void)size;
    run_round_trip(engine, samples, 0);
}

DECLARE(run_round_trip_on_two_cores)
{
    (void)size;
    run_round_trip(engine, samples, 1);
}

/* --- Ringing a loop that is busy -------------------------------------------------------------- */

struct busy {
    const struct engine *engine;
    struct samples *samples;
    void *loop, *bell;
};

static void ring_often(void *info)
{
    struct busy *busy = info;
    busy->engine->ring(busy->loop, busy->bell);
    int64_t began_ns = now_ns();
    for (int i = 0; i < RINGS; i++) busy->engine->ring(busy->loop, busy->bell);
    samples_add(busy->samples, (double)(now_ns() - began_ns) / RINGS);
    busy->engine->stop(busy->loop);
}

DECLARE(run_ring_while_busy)
{
    (void)size;
    struct busy busy = {.engine = engine, .samples = samples, .loop = engine->open()};
    busy.bell = engine->add_bell(busy.loop, do_nothing, NULL);
    void *source = add_source(engine, busy.loop, ring_often, &busy);
    signal_source(engine, busy.loop, source);
    engine->run(busy.loop);
    engine->poll(busy.loop);
    remove_source(engine, busy.loop, source);
    engine->remove_bell(busy.loop, busy.bell);
    engine->close(busy.loop);
}

/* --- Posting ---------------------------------------------------------------------------------- */

struct posting {
    const struct engine *engine;
    struct post_office *office;
    void *loop;
    pthread_barrier_t is_ready;
    size_t left;
    size_t of_each_thread;
};

static void count_down(void *info)
{
    struct posting *posting = info;
    if (--posting->left == 0) posting->engine->stop(posting->loop);
}

static void *post_all(void *info)
{
    struct posting *posting = info;
    pthread_barrier_wait(&posting->is_ready);
    for (size_t i = posting->of_each_thread; i > 0; i--) {
        post_office_post(posting->office, count_down, posting);
    }
    return NULL;
}

DECLARE(run_posts_of_threads)
{
    struct posting posting = {.engine = engine, .loop = engine->open(), .left = POSTS};
    posting.of_each_thread = POSTS / size;
    posting.office = post_office_open(engine, posting.loop);
    pthread_barrier_init(&posting.is_ready, NULL, (unsigned)size + 1);
    pthread_t threads[MOST_THREADS];
    EXPECT(size <= MOST_THREADS);
    for (size_t i = 0; i < size; i++) {
        EXPECT(pthread_create(&threads[i], NULL, post_all, &posting) == 0);
    }
    pthread_barrier_wait(&posting.is_ready);
    int64_t began_ns = now_ns();
    engine->run(posting.loop);
    samples_add(samples, (double)(now_ns() - began_ns) / POSTS);
    for (size_t i = 0; i < size; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&posting.is_ready);
    post_office_close(posting.office);
    engine->close(posting.loop);
}

static void post_again(void *info)
{
    struct posting *posting = info;
    if (--posting->left == 0) {
        posting->engine->stop(posting->loop);
    } else {
        post_office_post(posting->office, post_again, posting);
    }
}

DECLARE(run_posts_to_oneself)
{
    (void)size;
    if (engine->joins_pass) return;
    struct posting posting = {.engine = engine, .loop = engine->open(), .left = POSTS / 4};
    posting.office = post_office_open(engine, posting.loop);
    post_office_post(posting.office, post_again, &posting);
    int64_t began_ns = now_ns();
    engine->run(posting.loop);
    samples_add(samples, (double)(now_ns() - began_ns) / (POSTS / 4));
    post_office_close(posting.office);
    engine->close(posting.loop);
}
