/*
 * libev, on epoll.
 */

#include "support.h"

#if __has_include(<ev.h>)

/* Without its version-3 compatibility, whose macros some compilers warn of. */
#define EV_COMPAT3 0
#include <ev.h>

struct watcher {
    union {
        ev_async async;
        ev_timer timer;
        ev_io io;
    };
    struct thunk thunk;
};

static void *open_loop(void)
{
    struct ev_loop *loop = ev_loop_new(EVBACKEND_EPOLL);
    EXPECT(loop != NULL);
    return loop;
}

static void close_loop(void *loop)
{
    ev_loop_destroy(loop);
}

static void run(void *loop)
{
    ev_run(loop, 0);
}

static void stop(void *loop)
{
    ev_break(loop, EVBREAK_ONE);
}

static void poll_once(void *loop)
{
    ev_run(loop, EVRUN_NOWAIT);
}

static void refresh(void *loop)
{
    ev_now_update(loop);
}

static struct watcher *new_watcher(engine_call call, void *info)
{
    struct watcher *watcher = allocate(sizeof *watcher);
    watcher->thunk = (struct thunk){call, info};
    return watcher;
}

static void call_thunk(void *opaque)
{
    const struct watcher *watcher = opaque;
    thunk_call(&watcher->thunk);
}

static void on_async(struct ev_loop *loop, ev_async *async, int events)
{
    (void)loop;
    (void)events;
    call_thunk(async);
}

static void on_timer(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop;
    (void)events;
    call_thunk(timer);
}

static void on_io(struct ev_loop *loop, ev_io *io, int events)
{
    (void)loop;
    (void)events;
    call_thunk(io);
}

static void *add_bell(void *loop, engine_call call, void *info)
{
    struct watcher *watcher = new_watcher(call, info);
    ev_async_init(&watcher->async, on_async);
    ev_async_start(loop, &watcher->async);
    return watcher;
}

static void ring(void *loop, void *bell)
{
    struct watcher *watcher = bell;
    ev_async_send(loop, &watcher->async);
}

static void remove_bell(void *loop, void *bell)
{
    struct watcher *watcher = bell;
    ev_async_stop(loop, &watcher->async);
    free(watcher);
}

static void *add_timer(void *loop, int64_t delay_ns, int64_t interval_ns, const struct thunk *thunk)
{
    struct watcher *watcher = new_watcher(thunk->call, thunk->info);
    ev_timer_init(&watcher->timer, on_timer, (double)delay_ns / 1.0e9, (double)interval_ns / 1.0e9);
    ev_timer_start(loop, &watcher->timer);
    return watcher;
}

/* One that is active and has an interval moves in place. */
static void move_timer(void *loop, void *timer, int64_t delay_ns)
{
    struct watcher *watcher = timer;
    double interval = watcher->timer.repeat;
    watcher->timer.repeat = (double)delay_ns / 1.0e9;
    ev_timer_again(loop, &watcher->timer);
    watcher->timer.repeat = interval;
}

static void remove_timer(void *loop, void *timer)
{
    struct watcher *watcher = timer;
    ev_timer_stop(loop, &watcher->timer);
    free(watcher);
}

static void run_once(void *loop)
{
    ev_run(loop, EVRUN_ONCE);
}

static void *add_descriptor(void *loop, int fd, engine_call call, void *info)
{
    struct watcher *watcher = new_watcher(call, info);
    ev_io_init(&watcher->io, on_io, fd, EV_READ);
    ev_io_start(loop, &watcher->io);
    return watcher;
}

static void remove_descriptor(void *loop, void *descriptor)
{
    struct watcher *watcher = descriptor;
    ev_io_stop(loop, &watcher->io);
    free(watcher);
}

const struct engine engine_libev = {
    .open = open_loop,
    .close = close_loop,
    .run = run,
    .stop = stop,
    .poll = poll_once,
    .run_once = run_once,
    .refresh = refresh,
    .add_bell = add_bell,
    .ring = ring,
    .remove_bell = remove_bell,
    .add_timer = add_timer,
    .move_timer = move_timer,
    .remove_timer = remove_timer,
    .add_descriptor = add_descriptor,
    .remove_descriptor = remove_descriptor,
};

#else
const struct engine engine_libev;
#endif
