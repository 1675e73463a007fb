/*
 * libuv. Its timers count milliseconds, rounded up; handles are freed once the loop has closed
 * them.
 */

#include "support.h"

#if __has_include(<uv.h>)

#include <uv.h>

struct handle {
    union {
        uv_handle_t any;
        uv_async_t async;
        uv_timer_t timer;
        uv_poll_t poll;
    };
    struct thunk thunk;
};

static void *open_loop(void)
{
    uv_loop_t *loop = allocate(sizeof *loop);
    EXPECT(uv_loop_init(loop) == 0);
    return loop;
}

static void close_loop(void *loop)
{
    uv_run(loop, UV_RUN_NOWAIT);
    EXPECT(uv_loop_close(loop) == 0);
    free(loop);
}

LOOP_CALL(run, uv_run(loop, UV_RUN_DEFAULT))
LOOP_CALL(stop, uv_stop(loop))
LOOP_CALL(poll_once, uv_run(loop, UV_RUN_NOWAIT))

static void free_handle(uv_handle_t *handle)
{
    free(handle->data);
}

static void remove_item(void *loop, void *handle)
{
    uv_close(handle, free_handle);
}

static struct handle *new_handle(engine_call call, void *info)
{
    struct handle *handle = allocate(sizeof *handle);
    handle->thunk = (struct thunk){call, info};
    handle->any.data = handle;
    return handle;
}

/* The callback of a kind of handles, with its parameters. */
#define CALLBACK(name, ...)                                                                        \
    static void name(__VA_ARGS__)                                                                  \
    {                                                                                              \
        thunk_call(&((const struct handle *)handle->data)->thunk);                                 \
    }

CALLBACK(on_async, uv_async_t *handle)
CALLBACK(on_timer, uv_timer_t *handle)
CALLBACK(on_poll, uv_poll_t *handle, int status, int events)

static uint64_t milliseconds(int64_t ns)
{
    return (uint64_t)(ns + 999999) / 1000000;
}

static void *add_timer(void *loop, int64_t delay_ns, int64_t interval_ns, const struct thunk *thunk)
{
    struct handle *handle = new_handle(thunk->call, thunk->info);
    uv_timer_init(loop, &handle->timer);
    uv_timer_start(&handle->timer, on_timer, milliseconds(delay_ns), milliseconds(interval_ns));
    return handle;
}

static void move_timer(void *loop, void *timer, int64_t delay_ns)
{
    uv_timer_start(timer, on_timer, milliseconds(delay_ns), 0);
}

LOOP_CALL(run_once, uv_run(loop, UV_RUN_ONCE))
LOOP_CALL(refresh, uv_update_time(loop))

static void *add_bell(void *loop, engine_call call, void *info)
{
    struct handle *handle = new_handle(call, info);
    EXPECT(uv_async_init(loop, &handle->async, on_async) == 0);
    return handle;
}

static void ring(void *loop, void *bell)
{
    uv_async_send(bell);
}

static void *add_descriptor(void *loop, int fd, engine_call call, void *info)
{
    struct handle *handle = new_handle(call, info);
    EXPECT(uv_poll_init(loop, &handle->poll, fd) == 0);
    uv_poll_start(&handle->poll, UV_READABLE, on_poll);
    return handle;
}

const struct engine engine_libuv = {ENGINE_FUNCTIONS, ONE_REMOVE_FUNCTION(remove_item),
                                    .run_once = run_once, .refresh = refresh};

#else
const struct engine engine_libuv;
#endif
