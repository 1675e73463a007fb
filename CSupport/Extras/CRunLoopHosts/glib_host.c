/* A GLib context as the host. A GSource is ready when the run loop's descriptor is ready. */

#include "adapter.h"
#include "glib.h"

enum { GLIB_READ = 1, GLIB_CONTINUE = 1, GLIB_REMOVE = 0 };

struct glib_host {
    struct RLHostAdapter adapter;
    struct rl_glib glib;
    struct hosted_source *source;
};

struct hosted_source {
    struct rl_glib_source base;
    RLHostAdapterRef adapter;
};

static int dispatch_source(struct rl_glib_source *source, int (*callback)(void *), void *data)
{
    (void)callback, (void)data;
    RLHostAdapterRef adapter = RLHostAdapterRetain(((struct hosted_source *)source)->adapter);
    RLHostAdapterServe(adapter);
    bool continues = RLHostAdapterIsValid(adapter);
    RLHostAdapterRelease(adapter);
    /*
     * In a forked child, the descriptor is closed, and poll(2) would report it forever, so the
     * source is removed.
     */
    return continues ? GLIB_CONTINUE : GLIB_REMOVE;
}

static const struct rl_glib_source_functions functions = {.dispatch = dispatch_source};

static void detach_glib_host(RLHostAdapterRef adapter, bool is_thread_ending)
{
    /* The source is retained, so it exists even if its context ends with the thread. */
    (void)is_thread_ending;
    struct glib_host *self = (struct glib_host *)adapter;
    self->glib.source_destroy(&self->source->base);
    self->glib.source_unref(&self->source->base);
}

static void attach_glib_host(struct glib_host *self, struct _GMainContext *context, int priority)
{
    const struct rl_glib *glib = &self->glib;
    struct rl_glib_source *source = glib->source_new(&functions, sizeof *self->source);
    self->source = (struct hosted_source *)source;
    self->source->adapter = &self->adapter;
    glib->source_set_name(source, "CoreRunLoop");
    glib->source_set_priority(source, priority);
    glib->source_set_can_recurse(source, true);
    glib->source_add_unix_fd(source, self->adapter.descriptor, GLIB_READ);
    context = rl_glib_retain_context(glib, context);
    glib->source_attach(source, context);
    glib->main_context_unref(context);
}

RLHostAdapterRef RLHostAdapterCreateWithGLib(struct _GMainContext *context,
                                             const RLHostAdapterOptions *options)
{
    struct rl_glib glib;
    if (!rl_glib_find(&glib, __func__)) return NULL;
    struct glib_host *self = rl_adapter_begin(sizeof *self, options, detach_glib_host, __func__);
    if (!self) return NULL;
    self->glib = glib;
    attach_glib_host(self, context, options ? options->priority : 0);
    return &self->adapter;
}
