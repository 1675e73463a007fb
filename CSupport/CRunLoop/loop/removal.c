#include "loop/removal.h"

#include "loop/callout.h"
#include "loop/item_lock.h"
#include "loop/loop.h"
#include "loop/membership.h"
#include "loop/source.h"

#include <stdlib.h>

/* Call this with the loop and the item locked. */
static void leave_loop(struct rl_item *item, const struct rl_loop *loop,
                       struct rl_deferred_calls *calls)
{
    struct rl_membership *member = item->memberships, *next;
    for (; member; member = next) {
        next = member->next_of_item;
        if (member->mode->loop == loop) rl_membership_end(member, calls);
    }
}

/* Returns any loop of the item, retained, or null. */
static struct rl_loop *copy_a_loop(struct rl_item *item)
{
    rl_lock(&item->object.lock);
    struct rl_loop *loop = item->memberships ? item->memberships->mode->loop : NULL;
    if (loop) rl_object_retain(&loop->object);
    rl_unlock(&item->object.lock);
    return loop;
}

void rl_item_leave_all(struct rl_item *item)
{
    struct rl_loop *loop;
    while ((loop = copy_a_loop(item))) {
        struct rl_deferred_calls calls;
        rl_deferred_calls_init(&calls);
        rl_lock(&loop->lock);
        rl_lock(&item->object.lock);
        leave_loop(item, loop, &calls);
        rl_unlock(&item->object.lock);
        rl_unlock(&loop->lock);
        rl_deferred_calls_make(&calls, loop);
        RLRelease(loop);
    }
}

/* Removes an observer or timer without notification. Call this with loop and item locked. */
static void leave_quietly(struct rl_item *item, const struct rl_loop *loop)
{
    struct rl_membership *member = item->memberships, *next;
    for (; member; member = next) {
        next = member->next_of_item;
        if (member->mode->loop != loop) continue;
        rl_mode_erase(member);
        /* This is not the last reference: the caller of rl_item_invalidate holds another. */
        rl_object_release(&item->object);
    }
    atomic_store_explicit(&item->loop, NULL, memory_order_relaxed);
}

void rl_item_invalidate(struct rl_item *item, void **info,
                        const struct rl_client_functions *functions)
{
    void *given_up = NULL;
    bool is_owed = false;
    struct rl_loop *loop = rl_item_lock_with_loop(item);
    bool was_valid = atomic_load_explicit(&item->is_valid, memory_order_relaxed);
    if (was_valid) {
        atomic_store_explicit(&item->is_valid, false, memory_order_release);
        if (loop) leave_quietly(item, loop);
        is_owed = rl_info_give_up(&item->pins, info, &given_up);
    }
    /* The item may still be a common item of any loop. */
    bool is_left = !was_valid || !item->memberships;
    rl_item_unlock_with_loop(item, loop);
    if (RL_UNLIKELY(!is_left)) rl_item_leave_all(item);
    if (is_owed && functions->release) rl_callout_release(functions->release, given_up);
}

static void order_by_version(struct rl_mode *mode)
{
    struct rl_source_list others = TAILQ_HEAD_INITIALIZER(others);
    struct rl_source_membership *member = TAILQ_FIRST(&mode->sources), *next;
    for (; member; member = next) {
        next = TAILQ_NEXT(member, link);
        if (rl_source_version(rl_source_of(member->common.item)) == 0) continue;
        TAILQ_REMOVE(&mode->sources, member, link);
        TAILQ_INSERT_TAIL(&others, member, link);
    }
    TAILQ_CONCAT(&mode->sources, &others, link);
}

static bool purge_one(struct rl_mode *mode, struct rl_deferred_calls *calls)
{
    struct rl_source_membership *member = TAILQ_FIRST(&mode->sources);
    if (!member) return false;
    struct rl_item *item = member->common.item;
    rl_lock(&item->object.lock);
    rl_membership_end(&member->common, calls);
    rl_unlock(&item->object.lock);
    return true;
}

static void purge_mode(struct rl_loop *loop, struct rl_mode *mode)
{
    /* The loop accepts no more sources, so this needs no lock. */
    if (mode->member_counts[RL_ITEM_SOURCE] == 0) return;
    rl_lock(&loop->lock);
    order_by_version(mode);
    rl_unlock(&loop->lock);
    bool is_more = true;
    while (is_more) {
        struct rl_deferred_calls calls;
        rl_deferred_calls_init(&calls);
        rl_lock(&loop->lock);
        is_more = purge_one(mode, &calls);
        rl_unlock(&loop->lock);
        rl_deferred_calls_make(&calls, loop);
    }
}

void rl_item_purge_sources(struct rl_loop *loop)
{
    purge_mode(loop, &loop->common_items);
    /* Modes are never removed. If a mode is added now, it stays without sources. */
    rl_lock(&loop->lock);
    struct rl_mode *mode = TAILQ_FIRST(&loop->modes);
    rl_unlock(&loop->lock);
    while (mode) {
        purge_mode(loop, mode);
        rl_lock(&loop->lock);
        mode = TAILQ_NEXT(mode, link);
        rl_unlock(&loop->lock);
    }
}

static void remove_members(struct rl_mode *mode, enum rl_item_kind kind,
                           struct rl_deferred_calls *calls)
{
    size_t count;
    struct rl_membership **members = rl_mode_copy_members(mode, kind, &count);
    for (size_t i = 0; i < count; i++) {
        struct rl_item *item = members[i]->item;
        rl_lock(&item->object.lock);
        rl_membership_end(members[i], calls);
        rl_unlock(&item->object.lock);
    }
    free(members);
}

void rl_item_purge_observers_and_timers(struct rl_loop *loop)
{
    struct rl_deferred_calls calls;
    rl_deferred_calls_init(&calls);
    rl_lock(&loop->lock);
    for (int kind = RL_ITEM_OBSERVER; kind < RL_ITEM_KINDS; kind++) {
        remove_members(&loop->common_items, kind, &calls);
        struct rl_mode *mode;
        TAILQ_FOREACH(mode, &loop->modes, link) remove_members(mode, kind, &calls);
    }
    rl_unlock(&loop->lock);
    rl_deferred_calls_make(&calls, loop);
}
