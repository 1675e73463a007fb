#include "events/event_source.h"

#include "base/check.h"
#include "base/kernel.h"
#include "base/uncanceled.h"
#include "loop/callout.h"
#include "loop/source.h"
#include "values/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void close_descriptor(void *info)
{
    struct rl_event_source *self = info;
    rl_lock(&self->lock);
    int descriptor = atomic_exchange(&self->descriptor, -1);
    rl_kernel_close(&descriptor);
    rl_unlock(&self->lock);
}

static void destroy_event_source(const void *info)
{
    struct rl_event_source *self = (struct rl_event_source *)(uintptr_t)info;
    close_descriptor(self);
    if (self->client.release) rl_callout_release(self->client.release, self->client.info);
    free(self);
}

static RLStringRef describe_event_source(const void *info)
{
    const struct rl_event_source *self = info;
    int descriptor = atomic_load(&self->descriptor);
    if (!self->client.copyDescription) {
        return rl_string_format("<%s descriptor = %d, info = %p>", self->kind, descriptor,
                                self->client.info);
    }
    struct rl_text text = {0};
    rl_text_add(&text, "<%s descriptor = %d, info = ", self->kind, descriptor);
    rl_text_add_string(
        &text, rl_callout_copy_description(self->client.copyDescription, self->client.info));
    rl_text_add(&text, ">");
    return rl_text_finish(&text);
}

static int get_event_descriptor(void *info)
{
    return atomic_load(&((struct rl_event_source *)info)->descriptor);
}

RLRunLoopSourceRef rl_event_source_create(const struct rl_event_source *what,
                                          const struct rl_event_source_kind *kind, RLIndex order,
                                          const RLEventSourceContext *context)
{
    struct rl_event_source *made = rl_allocate(sizeof *made);
    atomic_init(&made->descriptor, atomic_load(&what->descriptor));
    made->kind = kind->name;
    made->callback = what->callback;
    made->process = what->process;
    made->reaps = what->reaps;
    if (context) {
        made->client = *context;
        made->client.info = rl_callout_retain(context->retain, context->info);
    }
    RLRunLoopSourceContext2 own = {
        .version = 2,
        .info = made,
        .release = destroy_event_source,
        .copyDescription = describe_event_source,
        .getDescriptor = get_event_descriptor,
        .perform = kind->perform,
    };
    made->source = RLRunLoopSourceCreate(NULL, order, (RLRunLoopSourceContext *)&own);
    rl_source_when_invalidated(made->source, close_descriptor);
    return made->source;
}

/* A source that cannot be read stays ready, so its loops would never sleep. */
static void give_up_source(struct rl_event_source *self, int error)
{
    rl_warn(
        self->kind,
        "reading from source %p failed (%s), and the source was invalidated: create another source",
        (void *)self->source, strerror(-error));
    RLRunLoopSourceInvalidate(self->source);
}

ssize_t rl_event_source_read(struct rl_event_source *self, void *buffer, size_t size)
{
    rl_lock(&self->lock);
    int descriptor = atomic_load(&self->descriptor);
    ssize_t length = 0;
    do {
        length = descriptor < 0 ? 0 : RL_UNCANCELED(read(descriptor, buffer, size));
    } while (length < 0 && errno == EINTR);
    int error = length < 0 ? -errno : 0;
    rl_unlock(&self->lock);
    /* inotify returns EINVAL if the buffer is too small, which is not a failure. */
    if (error < 0 && error != -EAGAIN && error != -EINVAL) give_up_source(self, error);
    return error < 0 ? error : length;
}

void rl_event_source_expect_callback(const void *callback, const char *function)
{
    if (!callback) rl_client_error(function, "argument `callback` must not be null");
}

struct rl_event_source *rl_event_source_checked(RLRunLoopSourceRef source,
                                                const struct rl_event_source_kind *kind,
                                                const char *function)
{
    rl_expect(source, RL_TYPE_SOURCE, function, "source");
    const struct rl_source *self = (const struct rl_source *)(void *)source;
    if (rl_source_version(self) != 2 || self->more->context.v2.perform != kind->perform) {
        rl_client_error(function,
                        "argument `source` (%p) is not an %s: pass a source that %sCreate returned",
                        (void *)source, kind->name, kind->name);
    }
    return self->info;
}
