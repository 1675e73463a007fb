#include "loop/source.h"

#include "base/hint.h"
#include "base/swift_counts.h"
#include "loop/callout.h"
#include "loop/mode.h"
#include "loop/removal.h"
#include "loop/report.h"

#include <stdlib.h>

static struct rl_source *checked_source(RLRunLoopSourceRef source, const char *function)
{
    rl_expect(source, RL_TYPE_SOURCE, function, "source");
    return (struct rl_source *)(void *)source;
}

static size_t context_size(RLIndex version)
{
    switch (version) {
    case 0: return sizeof(RLRunLoopSourceContext);
    case 1: return sizeof(RLRunLoopSourceContext1);
    case 2: return sizeof(RLRunLoopSourceContext2);
    default: return 0;
    }
}

/* A plain source has only an info and `perform`. */
static bool is_plain(const RLRunLoopSourceContext *context)
{
    return context->version == 0 && !context->retain && !context->release &&
           !context->copyDescription && !context->equal && !context->hash && !context->schedule &&
           !context->cancel;
}

RLRunLoopSourceRef RLRunLoopSourceCreate(RLAllocatorRef allocator, RLIndex order,
                                         RLRunLoopSourceContext *context)
{
    (void)allocator;
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    size_t size = context_size(context->version);
    RL_HINT(size == 0, __func__, "`context->version` (%ld) must be 0, 1 or 2; returning NULL",
            context->version);
    if (size == 0) return NULL;
    bool has_more = order != 0 || !is_plain(context);
    struct rl_source *source =
        rl_object_create(RL_TYPE_SOURCE, sizeof *source + (has_more ? sizeof source->more[0] : 0));
    atomic_init(&source->item.is_valid, true);
    source->version = (uint16_t)context->version;
    source->has_more = has_more;
    if (has_more) {
        source->more->order = order;
        memcpy(&source->more->context, context, size);
    }
    if (context->version == 0) source->perform = context->perform;
    source->info = rl_callout_retain(context->retain, context->info);
    return (RLRunLoopSourceRef)(void *)source;
}

RLRunLoopSourceRef rl_source_create_owned(RLIndex order, RLRunLoopSourceContext2 *context,
                                          const struct rl_source_owner *owner)
{
    RLRunLoopSourceRef reference =
        RLRunLoopSourceCreate(NULL, order, (RLRunLoopSourceContext *)(void *)context);
    ((struct rl_source *)(void *)reference)->more->owner = owner;
    return reference;
}

RLIndex RLRunLoopSourceGetOrder(RLRunLoopSourceRef source)
{
    return rl_source_more(checked_source(source, __func__))->order;
}

Boolean RLRunLoopSourceIsValid(RLRunLoopSourceRef source)
{
    return atomic_load(&checked_source(source, __func__)->item.is_valid);
}

void RLRunLoopSourceGetContext(RLRunLoopSourceRef source, RLRunLoopSourceContext *context)
{
    struct rl_source *self = checked_source(source, __func__);
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    if (context->version != rl_source_version(self)) {
        rl_client_error(__func__,
                        "source %p has version %ld, but `context->version` is %ld: set "
                        "`context->version` to the source's version before the call",
                        (void *)source, rl_source_version(self), context->version);
    }
    union rl_source_context own = rl_source_more(self)->context;
    own.v0.info = self->info;
    if (own.v0.version == 0) own.v0.perform = self->perform;
    memcpy(context, &own, context_size(context->version));
}

void RLRunLoopSourceInvalidate(RLRunLoopSourceRef source)
{
    struct rl_source *self = checked_source(source, __func__);
    RLRetain(self);
    rl_lock(&self->item.object.lock);
    bool was_valid = atomic_exchange(&self->item.is_valid, false);
    rl_source_clear_signal(self);
    rl_unlock(&self->item.object.lock);
    if (was_valid) rl_item_leave_all(&self->item);
    void (*invalidated)(void *) = rl_source_more(self)->invalidated;
    if (was_valid && invalidated) invalidated(self->info);
    RLRelease(self);
}

void rl_source_when_invalidated(RLRunLoopSourceRef source, void (*invalidated)(void *info))
{
    checked_source(source, __func__)->more->invalidated = invalidated;
}

bool rl_source_is_equal(const struct rl_item *first, const struct rl_item *second)
{
    if (first == second) return true;
    const struct rl_source *one = rl_source_of(first), *other = rl_source_of(second);
    const struct rl_source_more *one_more = rl_source_more(one), *more = rl_source_more(other);
    const RLRunLoopSourceContext *a = &one_more->context.v0, *b = &more->context.v0;
    if (a->version != b->version || a->hash != b->hash || a->equal != b->equal) return false;
    if (one_more->order != more->order) return false;
    if (atomic_load(&first->is_valid) != atomic_load(&second->is_valid)) return false;
    if (rl_source_perform_address(one) != rl_source_perform_address(other)) return false;
    return a->equal ? RL_CALLOUT(a->equal, one->info, other->info) : one->info == other->info;
}

RLHashCode rl_source_hash(const struct rl_item *item)
{
    const struct rl_source *source = rl_source_of(item);
    RLHashCode (*hash)(const void *) = rl_source_more(source)->context.v0.hash;
    return hash ? RL_CALLOUT(hash, source->info) : (RLHashCode)(uintptr_t)source->info;
}

static void destroy_source(struct rl_object *object)
{
    struct rl_source *source = (struct rl_source *)object;
    RL_ASSERT(!source->item.memberships);
    atomic_store(&source->item.is_valid, false);
    void (*release)(const void *) = rl_source_more(source)->context.v0.release;
    if (release) rl_callout_release(release, source->info);
    rl_object_free(object);
}

static Boolean sources_are_equal(RLTypeRef first, RLTypeRef second)
{
    return rl_source_is_equal(first, second);
}

static RLHashCode hash_source(RLTypeRef object)
{
    return rl_source_hash(object);
}

static const struct rl_class source_class = {
    .name = "RLRunLoopSource",
    .destroy = destroy_source,
    .equal = sources_are_equal,
    .hash = hash_source,
    .copy_description = rl_describe_source,
};

RL_REGISTER_CLASS(RLRunLoopSource, RL_TYPE_SOURCE, source_class)
RL_DEFINE_SWIFT_COUNTS_UNCHECKED(source, RLRunLoopSourceRef)
