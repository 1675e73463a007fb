/*
 * Sources: making, signalling, comparing.
 *
 * A signal must be cheap and must not wait for the loop: it takes the source's lock and, for each
 * mode, the leaf lock of its list. A source that is on the lists already is
 * left alone, with one atomic operation.
 */

#include "loop/source.h"

#include "base/kernel.h"
#include "loop/callout.h"
#include "loop/describe.h"
#include "loop/loop.h"
#include "loop/mode.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdlib.h>

const struct rl_source_more rl_source_plain;

static atomic_uint_fast64_t signal_count;

static struct rl_source *checked(RLRunLoopSourceRef source, const char *function)
{
    rl_expect(source, RL_TYPE_SOURCE, function, "source");
    return (struct rl_source *)(void *)source;
}

RLTypeID RLRunLoopSourceGetTypeID(void)
{
    return RL_TYPE_SOURCE;
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

/* Whether there is nothing to keep of a context but its info and what performs it. */
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
    if (!context) rl_client_error(__func__, "argument `context` is null");
    size_t size = context_size(context->version);
    if (size == 0) return NULL;
    bool has_more = order != 0 || !is_plain(context);
    struct rl_source *source =
        rl_object_create(RL_TYPE_SOURCE, sizeof *source + (has_more ? sizeof source->more[0] : 0));
    rl_item_init(&source->item);
    source->item.version = (unsigned)context->version;
    source->home.common.has_more = has_more;
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

bool rl_source_is_shared(struct rl_source *source)
{
    rl_lock(&source->item.object.lock);
    const struct rl_membership *first = source->item.memberships, *member = first;
    while (member && member->mode->loop == first->mode->loop) member = member->next_of_item;
    rl_unlock(&source->item.object.lock);
    return member != NULL;
}

RLIndex RLRunLoopSourceGetOrder(RLRunLoopSourceRef source)
{
    return rl_source_more(checked(source, __func__))->order;
}

Boolean RLRunLoopSourceIsValid(RLRunLoopSourceRef source)
{
    return atomic_load(&checked(source, __func__)->item.is_valid);
}

void RLRunLoopSourceGetContext(RLRunLoopSourceRef source, RLRunLoopSourceContext *context)
{
    struct rl_source *self = checked(source, __func__);
    if (!context) rl_client_error(__func__, "argument `context` is null");
    if (context->version != rl_source_version(self)) {
        rl_client_error(__func__, "source %p has version %ld, `context->version` says %ld",
                        (void *)source, rl_source_version(self), context->version);
    }
    union rl_source_context own = rl_source_more(self)->context;
    own.v0.info = self->info;
    if (own.v0.version == 0) own.v0.perform = self->perform;
    memcpy(context, &own, context_size(context->version));
}

static void link_signalled(struct rl_source_membership *member)
{
    struct rl_mode *mode = member->common.mode;
    if (rl_mode_is_record(mode)) return;
    rl_lock(&mode->signal_lock);
    if (!member->common.is_signalled) {
        member->common.is_signalled = true;
        LIST_INSERT_HEAD(&mode->signalled, member, signalled_link);
        rl_mode_count_signalled(mode);
    }
    rl_unlock(&mode->signal_lock);
    rl_loop_call_host(mode->loop);
}

/* With the signal lock, and the item locked: a member comes and goes only with both. */
static void take_off_list(struct rl_source_membership *member)
{
    struct rl_mode *mode = member->common.mode;
    member->common.is_signalled = false;
    LIST_REMOVE(member, signalled_link);
    rl_mode_uncount_signalled(mode);
}

static void unlink_signalled(struct rl_source_membership *member)
{
    if (!member->common.is_signalled) return;
    struct rl_mode *mode = member->common.mode;
    rl_lock(&mode->signal_lock);
    take_off_list(member);
    rl_unlock(&mode->signal_lock);
}

static __attribute__((noinline)) void mark_and_link(struct rl_source *source)
{
    rl_lock(&source->item.object.lock);
    if (atomic_load(&source->item.is_valid)) {
        if (atomic_load(&source->item.signal_state) == RL_NOT_SIGNALLED) {
            source->signal_number =
                atomic_fetch_add_explicit(&signal_count, 1, memory_order_relaxed);
            atomic_store_explicit(&source->item.signal_state, RL_SIGNALLING, memory_order_relaxed);
        }
        struct rl_membership *member = source->item.memberships;
        if (rl_source_version(source) != 0) member = NULL;
        for (; member; member = member->next_of_item) {
            link_signalled(rl_source_membership_of(member));
        }
        atomic_store_explicit(&source->item.signal_state, RL_SIGNALLED, memory_order_release);
    }
    rl_unlock(&source->item.object.lock);
}

/* Writing the state back, unchanged, orders what this thread wrote before the next claim. */
static inline bool confirm_signal(struct rl_source *source)
{
    unsigned state = RL_SIGNALLED;
    return atomic_compare_exchange_strong(&source->item.signal_state, &state, RL_SIGNALLED);
}

static inline bool seems_signalled(struct rl_source *source)
{
    return atomic_load_explicit(&source->item.signal_state, memory_order_relaxed) == RL_SIGNALLED;
}

void RLRunLoopSourceSignal(RLRunLoopSourceRef source)
{
    struct rl_source *self = checked(source, __func__);
    if (!seems_signalled(self) || !confirm_signal(self)) mark_and_link(self);
}

void RLRunLoopSourceSignalAndWakeUp(RLRunLoopSourceRef source, RLRunLoopRef loop)
{
    struct rl_source *self = checked(source, __func__);
    struct rl_loop *woken = rl_loop_checked(loop, __func__);
    if (!seems_signalled(self) || !confirm_signal(self)) mark_and_link(self);
    rl_wake_up(&woken->wake);
}

Boolean RLRunLoopSourceIsSignalled(RLRunLoopSourceRef source)
{
    return atomic_load(&checked(source, __func__)->item.signal_state) != RL_NOT_SIGNALLED;
}

/* Takes the mark off, with the item locked; whether there was one. */
static bool clear_signal(struct rl_source *source)
{
    unsigned state = atomic_exchange(&source->item.signal_state, RL_NOT_SIGNALLED);
    if (state == RL_NOT_SIGNALLED) return false;
    struct rl_membership *member = source->item.memberships;
    for (; member; member = member->next_of_item) {
        unlink_signalled(rl_source_membership_of(member));
    }
    return true;
}

bool rl_source_claim(struct rl_source *source)
{
    rl_lock(&source->item.object.lock);
    bool was_signalled = clear_signal(source);
    bool is_claimed = was_signalled && atomic_load(&source->item.is_valid);
    rl_unlock(&source->item.object.lock);
    return is_claimed;
}

void RLRunLoopSourceInvalidate(RLRunLoopSourceRef source)
{
    struct rl_source *self = checked(source, __func__);
    RLRetain(self);
    rl_lock(&self->item.object.lock);
    bool was_valid = atomic_exchange(&self->item.is_valid, false);
    clear_signal(self);
    rl_unlock(&self->item.object.lock);
    if (was_valid) rl_item_leave_all(&self->item);
    void (*invalidated)(void *) = rl_source_more(self)->invalidated;
    if (was_valid && invalidated) invalidated(self->info);
    RLRelease(self);
}

void rl_source_when_invalidated(RLRunLoopSourceRef source, void (*invalidated)(void *info))
{
    checked(source, __func__)->more->invalidated = invalidated;
}

static int compare_in_batch(const void *first, const void *second)
{
    const struct rl_source *a = *(struct rl_source *const *)first;
    const struct rl_source *b = *(struct rl_source *const *)second;
    RLIndex order = rl_source_more(a)->order, other = rl_source_more(b)->order;
    if (order != other) return order < other ? -1 : 1;
    return a->signal_number < b->signal_number ? -1 : a->signal_number > b->signal_number;
}

/* Takes the signal lock with room for all that are signalled, made without the lock. */
static size_t lock_with_room(struct rl_loop *loop, struct rl_mode *mode)
    RL_ACQUIRES(mode->signal_lock) RL_UNCHECKED_LOCKING
{
    for (size_t room = 1;;) {
        rl_held_reserve(&loop->held, room);
        rl_lock(&mode->signal_lock);
        size_t count = atomic_load(&mode->signalled_count);
        if (count <= rl_held_room(&loop->held)) return count;
        rl_unlock(&mode->signal_lock);
        room = count;
    }
}

struct rl_held rl_source_collect(struct rl_mode *mode)
{
    struct rl_loop *loop = mode->loop;
    size_t count = lock_with_room(loop, mode);
    struct rl_held batch = rl_held_begin(&loop->held, count);
    struct rl_source_membership *member;
    LIST_FOREACH(member, &mode->signalled, signalled_link) {
        rl_held_add(&loop->held, &batch, rl_membership_item(&member->common));
    }
    /* Signal numbers change under the items' locks only while a source is on no list. */
    rl_held_sort(&loop->held, &batch, compare_in_batch);
    rl_unlock(&mode->signal_lock);
    return batch;
}

const void *rl_source_perform_address(const struct rl_source *source)
{
    switch (rl_source_version(source)) {
    case 0: return (const void *)(uintptr_t)source->perform;
    case 1: return (const void *)(uintptr_t)source->more->context.v1.perform;
    default: return (const void *)(uintptr_t)source->more->context.v2.perform;
    }
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
    return a->equal ? rl_callout_equal(a->equal, one->info, other->info) : one->info == other->info;
}

RLHashCode rl_source_hash(const struct rl_item *item)
{
    const struct rl_source *source = rl_source_of(item);
    RLHashCode (*hash)(const void *) = rl_source_more(source)->context.v0.hash;
    return hash ? rl_callout_hash(hash, source->info) : (RLHashCode)(uintptr_t)source->info;
}

static uint32_t kernel_interest(RLRunLoopDescriptorEvents events)
{
    uint32_t interest = 0;
    if (events & kRLRunLoopDescriptorRead) interest |= RL_KERNEL_READ;
    if (events & kRLRunLoopDescriptorWrite) interest |= RL_KERNEL_WRITE;
    if (events & kRLRunLoopDescriptorPriority) interest |= RL_KERNEL_PRIORITY;
    return interest;
}

static uint32_t interest_of(const struct rl_source *source)
{
    if (rl_source_version(source) == 1) return RL_KERNEL_READ;
    RLRunLoopDescriptorEvents (*get_events)(void *) = source->more->context.v2.getEvents;
    if (!get_events) return RL_KERNEL_READ;
    RLRunLoopDescriptorEvents events = rl_callout_get_events(get_events, source->info);
    return source->more->owner && events == 0 ? RL_KERNEL_NOTHING : kernel_interest(events);
}

static int descriptor_of(const struct rl_source *source)
{
    int (*get)(void *) = rl_source_version(source) == 1 ? source->more->context.v1.getPort
                                                        : source->more->context.v2.getDescriptor;
    return get ? rl_callout_get_port(get, source->info) : -1;
}

void rl_source_entered(struct rl_source_membership *member)
{
    struct rl_source *source = rl_source_of(rl_membership_item(&member->common));
    struct rl_mode *mode = member->common.mode;
    if (rl_source_version(source) == 0) {
        if (atomic_load(&source->item.signal_state) == RL_SIGNALLED) link_signalled(member);
        return;
    }
    int fd = descriptor_of(source);
    if (fd >= 0 && mode->wait_set.descriptors == 0) rl_mode_arm_overdue(mode);
    member->common.place = rl_wait_set_add(&mode->wait_set, source, fd, interest_of(source),
                                           rl_source_version(source) == 1);
}

void rl_source_left(struct rl_source_membership *member)
{
    struct rl_source *source = rl_source_of(rl_membership_item(&member->common));
    unlink_signalled(member);
    if (rl_source_version(source) == 0) return;
    /* CF asks for the port on the way out too, and clients count on being asked (PORT-1). */
    (void)descriptor_of(source);
    rl_wait_set_remove(&member->common.mode->wait_set, source, member->common.place);
}

static void update_interest(struct rl_membership *member)
{
    struct rl_source *source = rl_source_of(rl_membership_item(member));
    if (rl_mode_is_record(member->mode)) return;
    rl_wait_set_change(&member->mode->wait_set, member->place, interest_of(source));
}

void RLRunLoopSourceUpdateEvents(RLRunLoopSourceRef source)
{
    struct rl_source *self = checked(source, __func__);
    if (rl_source_version(self) != 2) return;
    rl_item_for_each_membership(&self->item, update_interest);
}

void rl_source_schedule(struct rl_source *source, struct rl_loop *loop, RLStringRef mode_name)
{
    const struct rl_source_more *more = rl_source_more(source);
    if (more->owner) more->owner->entered(source->info, loop);
    if (rl_source_version(source) != 0 || !more->context.v0.schedule) return;
    rl_callout_schedule(more->context.v0.schedule, source->info, loop, mode_name);
}

void rl_source_cancel(struct rl_source *source, struct rl_loop *loop, RLStringRef mode_name)
{
    const struct rl_source_more *more = rl_source_more(source);
    if (more->owner) more->owner->left(source->info, loop);
    if (rl_source_version(source) != 0 || !more->context.v0.cancel) return;
    rl_callout_schedule(more->context.v0.cancel, source->info, loop, mode_name);
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

static RLStringRef describe_source(RLTypeRef object)
{
    const struct rl_source *source = object;
    struct rl_text text = {0};
    rl_describe_head(&text, "RLRunLoopSource", object);
    rl_text_add(&text, "{signalled = %s, valid = %s, order = %ld, context = ",
                rl_describe_bool(atomic_load(&source->item.signal_state) != RL_NOT_SIGNALLED),
                rl_describe_bool(atomic_load(&source->item.is_valid)),
                rl_source_more(source)->order);
    RLStringRef (*copy_description)(const void *) =
        rl_source_more(source)->context.v0.copyDescription;
    if (copy_description) {
        rl_text_add_string(&text, rl_callout_copy_description(copy_description, source->info));
    } else {
        rl_text_add(&text, "<RLRunLoopSource context>{version = %ld, info = %p, ",
                    rl_source_version(source), source->info);
        rl_describe_callout(&text, rl_source_perform_address(source));
        rl_text_add(&text, "}");
    }
    rl_text_add(&text, "}");
    return rl_text_finish(&text);
}

const struct rl_class rl_source_class = {
    .name = "RLRunLoopSource",
    .destroy = destroy_source,
    .equal = sources_are_equal,
    .hash = hash_source,
    .copy_description = describe_source,
};
