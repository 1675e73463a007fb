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

LOOP_CALL(close_loop, ev_loop_destroy(loop))
LOOP_CALL(run, ev_run(loop, 0))
LOOP_CALL(stop, ev_break(loop, EVBREAK_ONE))
LOOP_CALL(poll_once, ev_run(loop, EVRUN_NOWAIT))
LOOP_CALL(refresh, ev_now_update(loop))

static struct watcher *new_watcher(engine_call call, void *info)
{
    struct watcher *watcher = allocate(sizeof *watcher);
    watcher->thunk = (struct thunk){call, info};
    return watcher;
}

/* The callback of a kind of watchers, and the function that removes one. */
#define KIND(kind)                                                                                 \
    static void on_##kind(struct ev_loop *loop, ev_##kind *watcher, int events)                    \
    {                                                                                              \
        thunk_call(&((const struct watcher *)(void *)watcher)->thunk);                             \
    }                                                                                              \
    static void remove_##kind(void *loop, void *watcher)                                           \
    {                                                                                              \
        ev_##kind##_stop(loop, watcher);                                                           \
        free(watcher);                                                                             \
    }

KIND(async)
KIND(timer)
KIND(io)

static void *add_bell(void *loop, engine_call call, void *info)
{
    struct watcher *watcher = new_watcher(call, info);
    ev_async_init(&watcher->async, on_async);
    ev_async_start(loop, &watcher->async);
    return watcher;
}

static void ring(void *loop, void *bell)
{
    ev_async_send(loop, bell);
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

LOOP_CALL(run_once, ev_run(loop, EVRUN_ONCE))

static void *add_descriptor(void *loop, int fd, engine_call call, void *info)
{
    struct watcher *watcher = new_watcher(call, info);
    ev_io_init(&watcher->io, on_io, fd, EV_READ);
    ev_io_start(loop, &watcher->io);
    return watcher;
}

const struct engine engine_libev = {ENGINE_FUNCTIONS,
                                    .run_once = run_once,
                                    .refresh = refresh,
                                    .remove_bell = remove_async,
                                    .remove_timer = remove_timer,
                                    .remove_descriptor = remove_io};

#else
const struct engine engine_libev;
#endif
