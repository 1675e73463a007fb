/*
 * Waking other threads' loops, and posting calls to them.
 */

#include "workloads.h"

#include <stdatomic.h>

enum { WARM_UP_TRIPS = 200, TRIPS = 3000, RINGS = 320000, POSTS = 200000, MOST_THREADS = 4 };

/* --- Round trips ------------------------------------------------------------------------------ */

struct trip {
    const struct engine *engine;
    pthread_barrier_t is_ready;
    void *near_loop, *far_loop, *near_bell, *far_bell;
    int far_processor;
    double looking_seconds;
    atomic_bool is_over;
    /*
     * Written by the near thread on every trip; on their own cache line, to avoid false sharing
     * with the far thread.
     */
    _Alignas(64) struct samples *samples;
    int64_t began_ns;
    int left;
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

/* A loop of the calling thread, with its bell. */
static void *open_end(const struct trip *trip, engine_call call, void **ret_bell)
{
    const struct engine *engine = trip->engine;
    void *loop = engine->open();
    *ret_bell = engine->add_bell(loop, call, (void *)trip);
    if (trip->looking_seconds > 0) engine->look_before_sleeping(loop, trip->looking_seconds);
    return loop;
}

static void close_end(const struct engine *engine, void *loop, void *bell)
{
    engine->remove_bell(loop, bell);
    engine->close(loop);
}

static void *serve_trips(void *info)
{
    struct trip *trip = info;
    bind_to_processor(trip->far_processor);
    trip->far_loop = open_end(trip, answer, &trip->far_bell);
    pthread_barrier_wait(&trip->is_ready);
    trip->engine->run(trip->far_loop);
    close_end(trip->engine, trip->far_loop, trip->far_bell);
    return NULL;
}

static void run_round_trip(const struct engine *engine, struct samples *samples, int far_processor,
                           double looking_seconds)
{
    if (processor_count() <= far_processor) return;
    struct trip trip = {.engine = engine,
                        .samples = samples,
                        .far_processor = far_processor,
                        .looking_seconds = looking_seconds,
                        .left = WARM_UP_TRIPS + TRIPS};
    pthread_barrier_init(&trip.is_ready, NULL, 2);
    pthread_t far;
    EXPECT(pthread_create(&far, NULL, serve_trips, &trip) == 0);
    bind_to_processor(0);
    trip.near_loop = open_end(&trip, arrive, &trip.near_bell);
    pthread_barrier_wait(&trip.is_ready);
    begin_trip(&trip);
    engine->run(trip.near_loop);
    pthread_join(far, NULL);
    close_end(engine, trip.near_loop, trip.near_bell);
    pthread_barrier_destroy(&trip.is_ready);
}

DEFINE(run_round_trip_on_one_core, run_round_trip(engine, samples, 0, 0))
DEFINE(run_round_trip_on_two_cores, run_round_trip(engine, samples, 1, 0))

/* Both loops look for longer than an answer takes. */
DEFINE(run_round_trip_looking, run_round_trip(engine, samples, 1, 0.001))

/* --- Ringing a loop that is busy -------------------------------------------------------------- */

/*
 * The mean of several bells: one that lies at the same offset in its page as the caller's
 * variables takes twice as long to ring, whichever loop it belongs to.
 */
#define BELLS 32

struct busy {
    const struct engine *engine;
    struct samples *samples;
    void *loop, *bells[BELLS];
};

static void ring_often(void *info)
{
    struct busy *busy = info;
    for (int i = 0; i < BELLS; i++) busy->engine->ring(busy->loop, busy->bells[i]);
    int64_t began_ns = processor_ns();
    for (int i = 0; i < BELLS; i++) {
        for (int j = 0; j < RINGS / BELLS; j++) busy->engine->ring(busy->loop, busy->bells[i]);
    }
    samples_add(busy->samples, (double)(processor_ns() - began_ns) / RINGS);
    busy->engine->stop(busy->loop);
}

DECLARE(run_ring_while_busy)
{
    struct busy busy = {.engine = engine, .samples = samples, .loop = engine->open()};
    for (int i = 0; i < BELLS; i++) busy.bells[i] = engine->add_bell(busy.loop, do_nothing, NULL);
    void *source = add_source(engine, busy.loop, ring_often, &busy);
    signal_source(engine, busy.loop, source);
    engine->run(busy.loop);
    engine->poll(busy.loop);
    remove_source(engine, busy.loop, source);
    for (int i = 0; i < BELLS; i++) engine->remove_bell(busy.loop, busy.bells[i]);
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
    if (engine->joins_pass) return;
    struct posting posting = {.engine = engine, .loop = engine->open(), .left = POSTS / 4};
    posting.office = post_office_open(engine, posting.loop);
    post_office_post(posting.office, post_again, &posting);
    int64_t began_ns = processor_ns();
    engine->run(posting.loop);
    samples_add(samples, (double)(processor_ns() - began_ns) / (POSTS / 4));
    post_office_close(posting.office);
    engine->close(posting.loop);
}
