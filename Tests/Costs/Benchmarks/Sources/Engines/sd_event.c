/*
 * systemd's sd-event. It knows no other threads: a bell is an eventfd that it waits for.
 */

#include "support.h"

#if __has_include(<systemd/sd-event.h>)

#include <sys/epoll.h>
#include <systemd/sd-event.h>
#include <unistd.h>

struct loop {
    sd_event *event;
    bool is_stopped;
};

struct item {
    sd_event_source *source;
    struct thunk thunk;
    uint64_t interval_us;
    int fd;
};

static void *open_loop(void)
{
    struct loop *loop = allocate(sizeof *loop);
    EXPECT(sd_event_new(&loop->event) >= 0);
    return loop;
}

static void close_loop(void *opaque)
{
    struct loop *loop = opaque;
    sd_event_unref(loop->event);
    free(loop);
}

static void run(void *opaque)
{
    struct loop *loop = opaque;
    loop->is_stopped = false;
    while (!loop->is_stopped) EXPECT(sd_event_run(loop->event, UINT64_MAX) >= 0);
}

LOOP_CALL(stop, ((struct loop *)loop)->is_stopped = true)
LOOP_CALL(poll_once, sd_event_run(((struct loop *)loop)->event, 0))

static void run_for(void *opaque, double seconds)
{
    const struct loop *loop = opaque;
    int64_t end_us = now_ns() / 1000 + (int64_t)(seconds * 1.0e6);
    unsigned before = calls_served;
    /* It makes passes that serve nothing. */
    for (int64_t now_us = now_ns() / 1000; calls_served == before && now_us < end_us;
         now_us = now_ns() / 1000) {
        sd_event_run(loop->event, (uint64_t)(end_us - now_us));
    }
}

static struct item *new_item(engine_call call, void *info)
{
    struct item *item = allocate(sizeof *item);
    item->thunk = (struct thunk){call, info};
    item->fd = -1;
    return item;
}

static void remove_item(void *loop, void *opaque)
{
    struct item *item = opaque;
    sd_event_source_disable_unref(item->source);
    if (item->fd >= 0) close(item->fd);
    free(item);
}

static int on_deferred(sd_event_source *source, void *info)
{
    const struct item *item = info;
    thunk_call(&item->thunk);
    return 0;
}

static int on_bell(sd_event_source *source, int fd, uint32_t events, void *info)
{
    uint64_t count;
    EXPECT(read(fd, &count, sizeof count) == sizeof count);
    return on_deferred(source, info);
}

static int on_descriptor(sd_event_source *source, int fd, uint32_t events, void *info)
{
    return on_deferred(source, info);
}

static int on_timer(sd_event_source *source, uint64_t due_us, void *info)
{
    const struct item *item = info;
    if (item->interval_us > 0) {
        sd_event_source_set_time(source, due_us + item->interval_us);
        sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
    }
    return on_deferred(source, info);
}

static void *add_bell(void *opaque, engine_call call, void *info)
{
    const struct loop *loop = opaque;
    struct item *item = new_item(call, info);
    item->fd = make_event_descriptor();
    EXPECT(sd_event_add_io(loop->event, &item->source, item->fd, EPOLLIN, on_bell, item) >= 0);
    return item;
}

static void ring(void *loop, void *bell)
{
    const struct item *item = bell;
    ring_event_descriptor(item->fd);
}

static void *add_source(void *opaque, engine_call call, void *info)
{
    const struct loop *loop = opaque;
    struct item *item = new_item(call, info);
    EXPECT(sd_event_add_defer(loop->event, &item->source, on_deferred, item) >= 0);
    sd_event_source_set_enabled(item->source, SD_EVENT_OFF);
    return item;
}

static void signal_source(void *loop, void *source)
{
    const struct item *item = source;
    sd_event_source_set_enabled(item->source, SD_EVENT_ONESHOT);
}

static void *add_timer(void *opaque, int64_t delay_ns, int64_t interval_ns,
                       const struct thunk *thunk)
{
    const struct loop *loop = opaque;
    struct item *item = new_item(thunk->call, thunk->info);
    item->interval_us = (uint64_t)interval_ns / 1000;
    uint64_t due_us = (uint64_t)(now_ns() + delay_ns) / 1000;
    /* By default it is up to 250 ms late. */
    EXPECT(sd_event_add_time(loop->event, &item->source, CLOCK_MONOTONIC, due_us, 1, on_timer,
                             item) >= 0);
    return item;
}

static void move_timer(void *loop, void *timer, int64_t delay_ns)
{
    const struct item *item = timer;
    sd_event_source_set_time(item->source, (uint64_t)(now_ns() + delay_ns) / 1000);
    sd_event_source_set_enabled(item->source, SD_EVENT_ONESHOT);
}

static void *add_descriptor(void *opaque, int fd, engine_call call, void *info)
{
    const struct loop *loop = opaque;
    struct item *item = new_item(call, info);
    EXPECT(sd_event_add_io(loop->event, &item->source, fd, EPOLLIN, on_descriptor, item) >= 0);
    return item;
}

const struct engine engine_sd_event = {ENGINE_FUNCTIONS,        ONE_REMOVE_FUNCTION(remove_item),
                                       .run_for = run_for,      .add_source = add_source,
                                       .signal = signal_source, .remove_source = remove_item};

#else
const struct engine engine_sd_event;
#endif
