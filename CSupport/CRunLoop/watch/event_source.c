/*
 * Making and ending sources that own their descriptor.
 */

#include "watch/event_source.h"

#include "base/kernel.h"
#include "loop/callout.h"
#include "loop/source.h"
#include "values/value.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static void close_descriptor(void *info)
{
    struct rl_event_source *record = info;
    rl_lock(&record->lock);
    int descriptor = atomic_exchange(&record->descriptor, -1);
    rl_kernel_close(&descriptor);
    rl_unlock(&record->lock);
}

static void destroy_event_source(const void *info)
{
    struct rl_event_source *record = (struct rl_event_source *)(uintptr_t)info;
    close_descriptor(record);
    if (record->client.release) rl_callout_release(record->client.release, record->client.info);
    free(record);
}

static RLStringRef copy_description(const void *info)
{
    const struct rl_event_source *record = info;
    int descriptor = atomic_load(&record->descriptor);
    if (!record->client.copyDescription) {
        return rl_string_format("<%s descriptor = %d, info = %p>", record->kind, descriptor,
                                record->client.info);
    }
    RLStringRef text =
        rl_callout_copy_description(record->client.copyDescription, record->client.info);
    RLStringRef whole = rl_string_format("<%s descriptor = %d, info = %s>", record->kind,
                                         descriptor, text ? rl_string_characters(text) : "(null)");
    if (text) RLRelease(text);
    return whole;
}

static int get_event_descriptor(void *info)
{
    return atomic_load(&((struct rl_event_source *)info)->descriptor);
}

RLRunLoopSourceRef rl_event_source_create(const struct rl_event_source *record,
                                          const struct rl_event_source_kind *kind, RLIndex order,
                                          const RLEventSourceContext *context)
{
    struct rl_event_source *made = rl_allocate(sizeof *made);
    atomic_init(&made->descriptor, atomic_load(&record->descriptor));
    made->kind = kind->name;
    made->callback = record->callback;
    made->process = record->process;
    made->reaps = record->reaps;
    if (context) {
        made->client = *context;
        made->client.info = rl_callout_retain(context->retain, context->info);
    }
    RLRunLoopSourceContext2 own = {
        .version = 2,
        .info = made,
        .release = destroy_event_source,
        .copyDescription = copy_description,
        .getDescriptor = get_event_descriptor,
        .perform = kind->perform,
    };
    made->source = RLRunLoopSourceCreate(NULL, order, (RLRunLoopSourceContext *)&own);
    rl_source_when_invalidated(made->source, close_descriptor);
    return made->source;
}

ssize_t rl_event_source_read(struct rl_event_source *record, void *buffer, size_t size)
{
    rl_lock(&record->lock);
    int descriptor = atomic_load(&record->descriptor);
    ssize_t length = 0;
    do {
        length = descriptor < 0 ? 0 : read(descriptor, buffer, size);
    } while (length < 0 && errno == EINTR);
    int error = length < 0 ? -errno : 0;
    rl_unlock(&record->lock);
    return error < 0 ? error : length;
}

void rl_event_source_expect_callback(const void *callback, const char *function)
{
    if (!callback) rl_client_error(function, "argument `callback` is null");
}

struct rl_event_source *rl_event_source_checked(RLRunLoopSourceRef source,
                                                const struct rl_event_source_kind *kind,
                                                const char *function)
{
    rl_expect(source, RL_TYPE_SOURCE, function, "source");
    const struct rl_source *self = (const struct rl_source *)(void *)source;
    if (rl_source_version(self) != 2 || self->more->context.v2.perform != kind->perform) {
        rl_client_error(function, "source %p is no %s", (void *)source, kind->name);
    }
    return self->info;
}
