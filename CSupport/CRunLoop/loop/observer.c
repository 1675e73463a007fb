#include "loop/observer.h"

#include "base/swift_counts.h"
#include "loop/block_layout.h"
#include "loop/callout.h"
#include "loop/item_info.h"
#include "loop/loop.h"
#include "loop/mode.h"
#include "loop/pass_callout.h"
#include "loop/removal.h"
#include "loop/report.h"

#include <CRunLoop/RLRunLoopWrapping.h>

static struct rl_observer *checked_observer(RLRunLoopObserverRef observer, const char *function)
{
    rl_expect(observer, RL_TYPE_OBSERVER, function, "observer");
    return (struct rl_observer *)(void *)observer;
}

RLRunLoopObserverRef RLRunLoopObserverCreate(RLAllocatorRef allocator, RLOptionFlags activities,
                                             Boolean repeats, RLIndex order,
                                             RLRunLoopObserverCallBack callout,
                                             RLRunLoopObserverContext *context)
{
    (void)allocator;
    struct rl_observer *observer = rl_object_create(RL_TYPE_OBSERVER, sizeof *observer);
    atomic_init(&observer->item.is_valid, true);
    observer->activities = activities;
    observer->repeats = repeats;
    observer->order = order;
    observer->callout = callout;
    if (context) {
        observer->info = rl_callout_retain(context->retain, context->info);
        observer->functions = (struct rl_client_functions){context->retain, context->release,
                                                           context->copyDescription};
    }
    return (RLRunLoopObserverRef)(void *)observer;
}

static void call_observer_block(RLRunLoopObserverRef observer, RLRunLoopActivity activity,
                                void *info)
{
    rl_trace_block(info);
    ((void (^)(RLRunLoopObserverRef, RLRunLoopActivity))info)(observer, activity);
}

RLRunLoopObserverRef RLRunLoopObserverCreateWithHandler(
    RLAllocatorRef allocator, RLOptionFlags activities, Boolean repeats, RLIndex order,
    void (^block)(RLRunLoopObserverRef observer, RLRunLoopActivity activity))
{
    if (!block) rl_client_error(__func__, "argument `block` must not be null");
    RLRunLoopObserverContext context = {
        .info = (void *)block, .retain = rl_block_copy, .release = rl_block_release};
    return RLRunLoopObserverCreate(allocator, activities, repeats, order, call_observer_block,
                                   &context);
}

RLOptionFlags RLRunLoopObserverGetActivities(RLRunLoopObserverRef observer)
{
    return checked_observer(observer, __func__)->activities;
}

Boolean RLRunLoopObserverDoesRepeat(RLRunLoopObserverRef observer)
{
    return checked_observer(observer, __func__)->repeats;
}

RLIndex RLRunLoopObserverGetOrder(RLRunLoopObserverRef observer)
{
    return checked_observer(observer, __func__)->order;
}

Boolean RLRunLoopObserverIsValid(RLRunLoopObserverRef observer)
{
    return atomic_load(&checked_observer(observer, __func__)->item.is_valid);
}

void RLRunLoopObserverGetContext(RLRunLoopObserverRef observer, RLRunLoopObserverContext *context)
{
    struct rl_observer *self = checked_observer(observer, __func__);
    if (!context) rl_client_error(__func__, "argument `context` must not be null");
    rl_lock(&self->item.object.lock);
    *context =
        (RLRunLoopObserverContext){0, self->info, self->functions.retain, self->functions.release,
                                   self->functions.copy_description};
    rl_unlock(&self->item.object.lock);
}

void RLRunLoopObserverAllowNesting(RLRunLoopObserverRef observer)
{
    checked_observer(observer, __func__)->may_nest = true;
}

static void invalidate_observer(struct rl_observer *observer)
{
    RLRetain(observer);
    rl_item_invalidate(&observer->item, &observer->info, &observer->functions);
    RLRelease(observer);
}

void RLRunLoopObserverInvalidate(RLRunLoopObserverRef observer)
{
    invalidate_observer(checked_observer(observer, __func__));
}

/*
 * Pins the info of an observer that is about to be called. Returns false if the observer is invalid
 * or being called.
 */
static bool claim_observer(struct rl_observer *observer, void **ret_info)
{
    rl_lock(&observer->item.object.lock);
    bool is_claimed =
        atomic_load(&observer->item.is_valid) && (!observer->item.is_called || observer->may_nest);
    if (is_claimed) {
        observer->item.is_called = true;
        *ret_info = rl_item_pin_info(&observer->item, observer->info, &observer->functions);
    }
    rl_unlock(&observer->item.object.lock);
    return is_claimed;
}

static void call_observer(struct rl_loop *loop, struct rl_observer *observer,
                          RLRunLoopActivity activity)
{
    void *info;
    if (!claim_observer(observer, &info)) return;
    info = rl_item_retain_pinned_info(&observer->item, info, &observer->functions);
    if (observer->callout) {
        rl_callout_observer(loop, observer->callout, (RLRunLoopObserverRef)(void *)observer,
                            activity, info);
    }
    rl_item_release_retained_info(info, &observer->functions);
    if (!observer->repeats) invalidate_observer(observer);
    rl_lock(&observer->item.object.lock);
    observer->item.is_called = false;
    rl_unlock(&observer->item.object.lock);
}

static const struct rl_observer *observer_of(const struct rl_observer_membership *member)
{
    return rl_observer_of(member->common.item);
}

static bool wants_activity(const struct rl_observer *observer, RLRunLoopActivity activity)
{
    return (observer->activities & activity) && atomic_load(&observer->item.is_valid) &&
           (!observer->item.is_called || observer->may_nest);
}

/* A callback may change any item, so the round first retains the observers that it will call. */
static void call_observers(struct rl_mode *mode, RLRunLoopActivity activity)
{
    struct rl_loop *loop = mode->loop;
    rl_lock(&loop->lock);
    struct rl_held round = rl_held_begin(&loop->held, mode->member_counts[RL_ITEM_OBSERVER]);
    struct rl_observer_membership *member;
    TAILQ_FOREACH(member, &mode->observers, link) {
        struct rl_item *item = member->common.item;
        rl_lock(&item->object.lock);
        if (wants_activity(observer_of(member), activity)) rl_held_add(&loop->held, &round, item);
        rl_unlock(&item->object.lock);
    }
    rl_unlock(&loop->lock);

    for (size_t i = 0; i < round.count; i++) {
        call_observer(loop, rl_held_at(&loop->held, &round, i), activity);
        rl_held_release(&loop->held, &round, i);
    }
    rl_held_end(&loop->held, &round);
}

void rl_observer_notify(struct rl_mode *mode, RLRunLoopActivity activity)
{
    rl_trace_begin_activity(mode->loop, activity);
    if (atomic_load(&mode->observed) & activity) call_observers(mode, activity);
    rl_trace_end_activity(mode->loop, activity);
}

static const RLOptionFlags of_tracers = RL_OBSERVED_BY_TRACER | RL_RUNS_OBSERVED_BY_TRACER;

/* The client's mask may have undefined bits. */
static RLOptionFlags wanted_by(const struct rl_observer *observer)
{
    return observer->activities & ~of_tracers;
}

static void link_observer(struct rl_membership *membership)
{
    struct rl_observer_membership *member = (struct rl_observer_membership *)membership;
    struct rl_observer_list *list = &membership->mode->observers;
    const struct rl_observer *observer = observer_of(member);
    struct rl_observer_membership *before = TAILQ_LAST(list, rl_observer_list);
    while (before && observer_of(before)->order > observer->order) {
        before = TAILQ_PREV(before, rl_observer_list, link);
    }
    if (before) {
        TAILQ_INSERT_AFTER(list, before, member, link);
    } else {
        TAILQ_INSERT_HEAD(list, member, link);
    }
    atomic_fetch_or(&membership->mode->observed, wanted_by(observer));
}

static void unlink_observer(struct rl_membership *membership)
{
    struct rl_mode *mode = membership->mode;
    TAILQ_REMOVE(&mode->observers, (struct rl_observer_membership *)membership, link);
    RLOptionFlags before = atomic_load(&mode->observed);
    RLOptionFlags observed = before & of_tracers;
    const struct rl_observer_membership *other;
    TAILQ_FOREACH(other, &mode->observers, link) {
        /* The remaining observers cannot add bits. */
        if (observed == before) break;
        observed |= wanted_by(observer_of(other));
    }
    atomic_store(&mode->observed, observed);
}

static const struct rl_item_functions observer_functions = {
    .membership_size = sizeof(struct rl_observer_membership),
    .embedded_offset = offsetof(struct rl_observer, embedded),
    .link = link_observer,
    .unlink = unlink_observer,
};

RL_REGISTER_ITEM_FUNCTIONS(RL_ITEM_OBSERVER, observer_functions)

static void destroy_observer(struct rl_object *object)
{
    struct rl_observer *observer = (struct rl_observer *)object;
    RL_ASSERT(!observer->item.memberships);
    if (atomic_exchange(&observer->item.is_valid, false)) {
        rl_item_give_up_info(&observer->item, &observer->info, &observer->functions);
    }
    rl_object_free(object);
}

static const struct rl_class observer_class = {
    .name = "RLRunLoopObserver",
    .destroy = destroy_observer,
    .copy_description = rl_describe_observer,
};

RL_REGISTER_CLASS(RLRunLoopObserver, RL_TYPE_OBSERVER, observer_class)
RL_DEFINE_SWIFT_COUNTS_UNCHECKED(observer, RLRunLoopObserverRef)
