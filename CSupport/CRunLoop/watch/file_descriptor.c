#include "base/hint.h"
#include "base/kernel.h"
#include "base/swift_counts.h"
#include "loop/callout.h"
#include "loop/report.h"
#include "report/describe.h"
#include "watch/client.h"
#include "watch/watch.h"

#include <CRunLoop/RLFileDescriptor.h>

struct rl_file_descriptor {
    struct rl_object object;
    struct rl_watch watch;
    bool closes;
    RLFileDescriptorCallBack callout;
    /* Guarded by the watch's lock. */
    struct rl_client client;
};

static struct rl_file_descriptor *checked_file_descriptor(RLFileDescriptorRef descriptor,
                                                          const char *function)
{
    rl_expect(descriptor, RL_TYPE_FILE_DESCRIPTOR, function, "descriptor");
    return (struct rl_file_descriptor *)(void *)descriptor;
}

RL_CALLOUT_FUNCTION void rl_callout_file_descriptor(RLFileDescriptorCallBack function,
                                                    RLFileDescriptorRef descriptor,
                                                    RLOptionFlags types, void *info)
{
    rl_trace_function((const void *)(uintptr_t)function);
    function(descriptor, types, info);
    RL_STAY_ON_THE_STACK;
}

static void call_descriptor_client(struct rl_watch *watch, RLRunLoopDescriptorEvents events)
{
    struct rl_file_descriptor *self = (struct rl_file_descriptor *)watch->owner;
    rl_lock(&watch->lock);
    bool is_called = watch->fd >= 0 && self->callout;
    void *info = is_called ? rl_client_pin(&self->client) : NULL;
    rl_unlock(&watch->lock);
    if (!is_called) return;
    info = rl_client_retain_pinned(&self->client, info);
    /* The callback types have the same values as the events. */
    events &= kRLRunLoopDescriptorRead | kRLRunLoopDescriptorWrite;
    rl_callout_file_descriptor(self->callout, (RLFileDescriptorRef)(void *)self, events, info);
    rl_client_release_retained(&self->client, info);
}

static const struct rl_watch_class watch_class = {.happened = call_descriptor_client};

RLFileDescriptorRef RLFileDescriptorCreate(RLAllocatorRef allocator,
                                           RLFileDescriptorNativeDescriptor descriptor,
                                           Boolean closeOnInvalidate,
                                           RLFileDescriptorCallBack callout,
                                           const RLFileDescriptorContext *context)
{
    (void)allocator;
    RL_HINT(
        descriptor < 0, __func__,
        "argument `descriptor` is %d: check the result of the call that opened it; returning NULL",
        descriptor);
    if (descriptor < 0) return NULL;
    struct rl_file_descriptor *self = rl_object_create(RL_TYPE_FILE_DESCRIPTOR, sizeof *self);
    rl_watch_init(&self->watch, &watch_class, &self->object, descriptor);
    self->closes = closeOnInvalidate;
    self->callout = callout;
    rl_client_begin_variable(&self->client, context);
    return (RLFileDescriptorRef)(void *)self;
}

RLFileDescriptorNativeDescriptor RLFileDescriptorGetNativeDescriptor(RLFileDescriptorRef descriptor)
{
    return rl_watch_descriptor(&checked_file_descriptor(descriptor, __func__)->watch);
}

Boolean RLFileDescriptorIsValid(RLFileDescriptorRef descriptor)
{
    return rl_watch_descriptor(&checked_file_descriptor(descriptor, __func__)->watch) >= 0;
}

void RLFileDescriptorGetContext(RLFileDescriptorRef descriptor, RLFileDescriptorContext *context)
{
    struct rl_file_descriptor *self = checked_file_descriptor(descriptor, __func__);
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    rl_lock(&self->watch.lock);
    *context = self->client.variable;
    context->version = 0;
    context->info = self->client.info;
    rl_unlock(&self->watch.lock);
}

static RLRunLoopDescriptorEvents events_of_types(RLOptionFlags types)
{
    return types & (kRLFileDescriptorReadCallBack | kRLFileDescriptorWriteCallBack);
}

void RLFileDescriptorEnableCallBacks(RLFileDescriptorRef descriptor, RLOptionFlags callBackTypes)
{
    rl_watch_want(&checked_file_descriptor(descriptor, __func__)->watch,
                  events_of_types(callBackTypes));
}

void RLFileDescriptorDisableCallBacks(RLFileDescriptorRef descriptor, RLOptionFlags callBackTypes)
{
    rl_watch_want_no_more(&checked_file_descriptor(descriptor, __func__)->watch,
                          events_of_types(callBackTypes));
}

static void invalidate_file_descriptor(struct rl_file_descriptor *self)
{
    int fd = rl_watch_end(&self->watch);
    if (self->closes) rl_kernel_close(&fd);
    rl_client_end(&self->client, &self->watch.lock);
}

void RLFileDescriptorInvalidate(RLFileDescriptorRef descriptor)
{
    struct rl_file_descriptor *self = checked_file_descriptor(descriptor, __func__);
    RLRetain(self);
    invalidate_file_descriptor(self);
    RLRelease(self);
}

RLRunLoopSourceRef RLFileDescriptorCreateRunLoopSource(RLAllocatorRef allocator,
                                                       RLFileDescriptorRef descriptor,
                                                       RLIndex order)
{
    (void)allocator;
    RLRunLoopSourceRef source =
        rl_watch_copy_source(&checked_file_descriptor(descriptor, __func__)->watch, order);
    RL_HINT(!source, __func__,
            "argument `descriptor` (%p) is invalid: create the source before you invalidate the "
            "object; returning NULL",
            (void *)descriptor);
    return source;
}

static void destroy_file_descriptor(struct rl_object *object)
{
    invalidate_file_descriptor((struct rl_file_descriptor *)object);
    rl_object_free(object);
}

static RLStringRef describe_file_descriptor(RLTypeRef object)
{
    struct rl_file_descriptor *self = (struct rl_file_descriptor *)(uintptr_t)object;
    struct rl_text text = {0};
    rl_watch_describe(&self->watch, &text, "RLFileDescriptor");
    rl_text_add(&text, ", closes = %s, ", self->closes ? "Yes" : "No");
    rl_describe_callout(&text, (const void *)(uintptr_t)self->callout);
    rl_text_add(&text, ", context = ");
    rl_client_describe(&self->client, &self->watch.lock, &text, "RLFileDescriptor");
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

static const struct rl_class file_descriptor_class = {
    .name = "RLFileDescriptor",
    .destroy = destroy_file_descriptor,
    .copy_description = describe_file_descriptor,
};

RL_REGISTER_CLASS(RLFileDescriptor, RL_TYPE_FILE_DESCRIPTOR, file_descriptor_class)
RL_DEFINE_SWIFT_COUNTS(file_descriptor, RLFileDescriptorRef)
