/*
 * Passes: with nothing to do, with a source among many, with a limit, with descriptors.
 */

#include "workloads.h"

#include <sys/eventfd.h>
#include <unistd.h>

enum { LIMITED_RUNS = 300, LIMIT_NS = 100000, READY = 100 };

struct place {
    const struct engine *engine;
    void *loop;
    void *source;
    size_t count;
    int64_t began_ns;
};

static void poll_once(void *info)
{
    const struct place *place = info;
    place->engine->poll(place->loop);
}

static void count_served(void *info)
{
    struct place *place = info;
    place->count++;
}

/* A loop that leaves the source for later has not done the work. */
static void signal_and_poll(void *info)
{
    const struct place *place = info;
    size_t before = place->count;
    signal_source(place->engine, place->loop, place->source);
    place->engine->poll(place->loop);
    EXPECT(place->count == before + 1);
}

/* Times an operation in a loop with one source of its own and as many idle ones. */
static void run_among(const struct engine *engine, size_t idle_count, void (*operation)(void *),
                      struct samples *samples)
{
    struct place place = {.engine = engine, .loop = engine->open()};
    void **idle = add_idle_sources(engine, place.loop, idle_count);
    place.source = add_source(engine, place.loop, count_served, &place);
    samples_add(samples, time_each(processor_ns, operation, &place));
    remove_source(engine, place.loop, place.source);
    remove_sources(engine, place.loop, idle, idle_count);
    engine->close(place.loop);
}

DEFINE(run_empty_poll, run_among(engine, 0, poll_once, samples))
DEFINE(run_signal_and_poll, run_among(engine, size, signal_and_poll, samples))

static void signal_again(void *info)
{
    struct place *place = info;
    if (++place->count % 32 == 0 && is_enough(place->began_ns)) {
        place->engine->stop(place->loop);
    } else {
        signal_source(place->engine, place->loop, place->source);
    }
}

DECLARE(run_hot_source)
{
    if (engine->joins_pass) return;
    struct place place = {.engine = engine, .loop = engine->open()};
    void **idle = add_idle_sources(engine, place.loop, size);
    place.source = add_source(engine, place.loop, signal_again, &place);
    engine->poll(place.loop);
    signal_source(engine, place.loop, place.source);
    place.began_ns = now_ns();
    int64_t from_ns = processor_ns();
    engine->run(place.loop);
    samples_add(samples, (double)(processor_ns() - from_ns) / (double)place.count);
    remove_source(engine, place.loop, place.source);
    remove_sources(engine, place.loop, idle, size);
    engine->close(place.loop);
}

/* --- Limits ----------------------------------------------------------------------------------- */

static void run_limited(const struct engine *engine, struct samples *overshoots,
                        struct samples *processor_times)
{
    void *loop = engine->open();
    void *source = add_source(engine, loop, do_nothing, NULL);
    run_for(engine, loop, LIMIT_NS / 1.0e9);
    int64_t used_ns = processor_ns();
    for (int i = 0; i < LIMITED_RUNS; i++) {
        if (engine->refresh) engine->refresh(loop);
        int64_t began_ns = now_ns();
        run_for(engine, loop, LIMIT_NS / 1.0e9);
        int64_t over_ns = now_ns() - began_ns - LIMIT_NS;
        if (overshoots) samples_add(overshoots, over_ns > 0 ? (double)over_ns : 0);
    }
    used_ns = processor_ns() - used_ns;
    if (processor_times) samples_add(processor_times, (double)used_ns / LIMITED_RUNS);
    remove_source(engine, loop, source);
    engine->close(loop);
}

DEFINE(run_short_limit, run_limited(engine, samples, NULL))
DEFINE(run_short_limit_cpu, run_limited(engine, NULL, samples))

/* --- Descriptors ------------------------------------------------------------------------------ */

struct port {
    struct ports *ports;
    void *descriptor;
    int fd;
};

struct ports {
    const struct engine *engine;
    void *loop;
    size_t left;
    struct port *all;
};

static void take(void *info)
{
    const struct port *port = info;
    struct ports *ports = port->ports;
    uint64_t count;
    if (!ports->engine->empties_descriptors) {
        EXPECT(read(port->fd, &count, sizeof count) == sizeof count);
    }
    if (--ports->left == 0) ports->engine->stop(ports->loop);
}

int make_event_descriptor(void)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    EXPECT(fd >= 0);
    return fd;
}

void ring_event_descriptor(int fd)
{
    uint64_t one = 1;
    EXPECT(write(fd, &one, sizeof one) == sizeof one);
}

static void open_port(struct ports *ports, size_t index)
{
    struct port *port = &ports->all[index];
    port->ports = ports;
    port->fd = make_event_descriptor();
    port->descriptor = ports->engine->add_descriptor(ports->loop, port->fd, take, port);
}

/* One round: makes some of the ports ready, every so many, and serves them. */
static int64_t serve_ready(struct ports *ports, size_t size)
{
    ports->left = READY;
    for (size_t i = 0; i < READY; i++) ring_event_descriptor(ports->all[i * (size / READY)].fd);
    int64_t began_ns = processor_ns();
    ports->engine->run(ports->loop);
    return processor_ns() - began_ns;
}

DECLARE(run_ready_descriptors)
{
    struct ports ports = {.engine = engine, .loop = engine->open()};
    ports.all = allocate(size * sizeof ports.all[0]);
    for (size_t i = 0; i < size; i++) open_port(&ports, i);
    serve_ready(&ports, size);
    int64_t began_ns = now_ns(), served_ns = 0;
    size_t rounds = 0;
    do {
        served_ns += serve_ready(&ports, size);
        rounds++;
    } while (!is_enough(began_ns));
    samples_add(samples, (double)served_ns / (double)(rounds * READY));
    for (size_t i = size; i > 0; i--) {
        engine->remove_descriptor(ports.loop, ports.all[i - 1].descriptor);
        close(ports.all[i - 1].fd);
    }
    free(ports.all);
    engine->close(ports.loop);
}
