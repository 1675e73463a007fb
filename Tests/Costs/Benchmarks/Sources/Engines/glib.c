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

LOOP_CALL(run, g_main_loop_run(((struct loop *)loop)->main_loop))
LOOP_CALL(stop, g_main_loop_quit(((struct loop *)loop)->main_loop))
LOOP_CALL(poll_once, g_main_context_iteration(((struct loop *)loop)->context, FALSE))
LOOP_CALL(run_once, g_main_context_iteration(((struct loop *)loop)->context, TRUE))

static void *add_bell(void *opaque, engine_call call, void *info)
{
    struct loop *loop = opaque;
    GSource *base = g_source_new(&functions, sizeof(struct source));
    struct source *source = (struct source *)(void *)base;
    source->thunk = (struct thunk){call, info};
    g_source_attach(base, loop->context);
    return source;
}

static void remove_item(void *loop, void *source)
{
    g_source_destroy(source);
    g_source_unref(source);
}

static void ring(void *loop, void *bell)
{
    g_source_set_ready_time(bell, 0);
}

static void *add_timer(void *loop, int64_t delay_ns, int64_t interval_ns, const struct thunk *thunk)
{
    struct source *source = add_bell(loop, thunk->call, thunk->info);
    source->interval_us = interval_ns / 1000;
    g_source_set_ready_time(&source->base, g_get_monotonic_time() + delay_ns / 1000);
    return source;
}

static void move_timer(void *loop, void *timer, int64_t delay_ns)
{
    g_source_set_ready_time(timer, g_get_monotonic_time() + delay_ns / 1000);
}

static void *add_descriptor(void *loop, int fd, engine_call call, void *info)
{
    struct source *source = add_bell(loop, call, info);
    g_source_add_unix_fd(&source->base, fd, G_IO_IN);
    return source;
}

const struct engine engine_glib = {ENGINE_FUNCTIONS, ONE_REMOVE_FUNCTION(remove_item),
                                   .run_once = run_once};

#else
const struct engine engine_glib;
#endif
