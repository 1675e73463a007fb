/*
 * GLib's main context. Bells, timers and descriptors are sources of our own kind, which GLib's
 * ready time makes cheaper than its stock ones.
 */

#include "support.h"

#if __has_include(<glib.h>)

#include <glib.h>

struct loop {
    GMainContext *context;
    GMainLoop *main_loop;
};

struct source {
    GSource base;
    struct thunk thunk;
    gint64 interval_us;
};

static gboolean dispatch(GSource *base, GSourceFunc callback, gpointer data)
{
    (void)callback;
    (void)data;
    struct source *source = (struct source *)(void *)base;
    gint64 next = source->interval_us;
    if (next > 0) next += g_source_get_ready_time(base);
    if (g_source_get_ready_time(base) >= 0) g_source_set_ready_time(base, next > 0 ? next : -1);
    thunk_call(&source->thunk);
    return G_SOURCE_CONTINUE;
}

static GSourceFuncs functions = {.dispatch = dispatch};

static void *open_loop(void)
{
    struct loop *loop = allocate(sizeof *loop);
    loop->context = g_main_context_new();
    loop->main_loop = g_main_loop_new(loop->context, FALSE);
    return loop;
}

static void close_loop(void *opaque)
{
    struct loop *loop = opaque;
    g_main_loop_unref(loop->main_loop);
    g_main_context_unref(loop->context);
    free(loop);
}

static void run(void *opaque)
{
    struct loop *loop = opaque;
    g_main_loop_run(loop->main_loop);
}

static void stop(void *opaque)
{
    struct loop *loop = opaque;
    g_main_loop_quit(loop->main_loop);
}

static void poll_once(void *opaque)
{
    struct loop *loop = opaque;
    g_main_context_iteration(loop->context, FALSE);
}

static struct source *new_source(void *opaque, engine_call call, void *info)
{
    struct loop *loop = opaque;
    GSource *base = g_source_new(&functions, sizeof(struct source));
    struct source *source = (struct source *)(void *)base;
    source->thunk = (struct thunk){call, info};
    g_source_attach(base, loop->context);
    return source;
}

static void remove_source(void *loop, void *source)
{
    (void)loop;
    g_source_destroy(source);
    g_source_unref(source);
}

static void run_once(void *opaque)
{
    struct loop *loop = opaque;
    g_main_context_iteration(loop->context, TRUE);
}

static void *add_bell(void *loop, engine_call call, void *info)
{
    return new_source(loop, call, info);
}

static void ring(void *loop, void *bell)
{
    (void)loop;
    g_source_set_ready_time(bell, 0);
}

static void *add_timer(void *loop, int64_t delay_ns, int64_t interval_ns, const struct thunk *thunk)
{
    struct source *source = new_source(loop, thunk->call, thunk->info);
    source->interval_us = interval_ns / 1000;
    g_source_set_ready_time(&source->base, g_get_monotonic_time() + delay_ns / 1000);
    return source;
}

static void move_timer(void *loop, void *timer, int64_t delay_ns)
{
    (void)loop;
    g_source_set_ready_time(timer, g_get_monotonic_time() + delay_ns / 1000);
}

static void *add_descriptor(void *loop, int fd, engine_call call, void *info)
{
    struct source *source = new_source(loop, call, info);
    g_source_add_unix_fd(&source->base, fd, G_IO_IN);
    return source;
}

const struct engine engine_glib = {
    .open = open_loop,
    .close = close_loop,
    .run = run,
    .stop = stop,
    .poll = poll_once,
    .run_once = run_once,
    .add_bell = add_bell,
    .ring = ring,
    .remove_bell = remove_source,
    .add_timer = add_timer,
    .move_timer = move_timer,
    .remove_timer = remove_source,
    .add_descriptor = add_descriptor,
    .remove_descriptor = remove_source,
};

#else
const struct engine engine_glib;
#endif
