#include "loop/loop.h"
#include "loop/membership.h"
#include "loop/source.h"

#include <stdlib.h>

static void enter_common_modes(struct rl_loop *loop, struct rl_item *item,
                               struct rl_deferred_calls *calls)
{
    rl_membership_begin(&loop->common_items, item, calls);
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->common_modes, common_link) {
        rl_membership_begin(mode, item, calls);
    }
}

static void add_item(RLRunLoopRef reference, RLTypeRef object, RLRunLoopMode mode_name,
                     const char *function)
{
    struct rl_loop *loop = rl_loop_checked(reference, function);
    struct rl_item *item = (struct rl_item *)(uintptr_t)object;
    rl_expect_string(mode_name, function, "mode");
    if (rl_loop_refuses_main(loop, function)) return;
    struct rl_deferred_calls calls;
    rl_deferred_calls_init(&calls);
    rl_lock(&loop->lock);
    rl_lock(&item->object.lock);
    if (rl_membership_is_allowed(item, loop)) {
        struct rl_mode *mode = rl_loop_make_named(loop, mode_name);
        if (mode) {
            rl_membership_begin(mode, item, &calls);
        } else {
            enter_common_modes(loop, item, &calls);
        }
    }
    rl_unlock(&item->object.lock);
    rl_unlock(&loop->lock);
    rl_deferred_calls_make(&calls, loop);
}

/*
 * Returns the membership of the item, otherwise the membership of an equal source, otherwise null.
 * Locks the item of this membership; if the result is null, locks the given item.
 */
static struct rl_membership *find_and_lock(struct rl_mode *mode,
                                           struct rl_item *item) RL_UNCHECKED_LOCKING
{
    rl_lock(&item->object.lock);
    struct rl_membership *member = rl_mode_find_own(mode, item);
    if (member || rl_item_kind_of(item) != RL_ITEM_SOURCE) return member;
    rl_unlock(&item->object.lock);
    member = rl_mode_find(mode, item);
    rl_lock(member ? &member->item->object.lock : &item->object.lock);
    return member;
}

static bool leave_mode(struct rl_mode *mode, struct rl_item *item,
                       struct rl_deferred_calls *calls) RL_UNCHECKED_LOCKING
{
    struct rl_membership *member = find_and_lock(mode, item);
    struct rl_item *locked = member ? member->item : item;
    /* Unlocking is safe: the list of calls has a reference to the item that contains the lock. */
    if (member) rl_membership_end(member, calls);
    rl_unlock(&locked->object.lock);
    return member != NULL;
}

static void leave_common_modes(struct rl_loop *loop, struct rl_item *item,
                               struct rl_deferred_calls *calls)
{
    if (!leave_mode(&loop->common_items, item, calls)) return;
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->common_modes, common_link) {
        leave_mode(mode, item, calls);
    }
}

static void remove_item(RLRunLoopRef reference, RLTypeRef object, RLRunLoopMode mode_name,
                        const char *function)
{
    struct rl_loop *loop = rl_loop_checked(reference, function);
    struct rl_item *item = (struct rl_item *)(uintptr_t)object;
    rl_expect_string(mode_name, function, "mode");
    struct rl_deferred_calls calls;
    rl_deferred_calls_init(&calls);
    rl_lock(&loop->lock);
    if (rl_loop_is_common_name(mode_name)) {
        leave_common_modes(loop, item, &calls);
    } else {
        struct rl_mode *mode = rl_loop_find_mode(loop, mode_name);
        if (mode) leave_mode(mode, item, &calls);
    }
    rl_unlock(&loop->lock);
    rl_deferred_calls_make(&calls, loop);
}

/* A timer in no mode of the loop is not contained, even if it is a common item (MODE-13). */
static bool may_be_contained(struct rl_item *item, const struct rl_loop *loop)
{
    if (rl_item_kind_of(item) != RL_ITEM_TIMER) return true;
    rl_lock(&item->object.lock);
    bool is_here = item->loop == loop;
    rl_unlock(&item->object.lock);
    return is_here;
}

static Boolean contains_item(RLRunLoopRef reference, RLTypeRef object, RLRunLoopMode mode_name,
                             const char *function) RL_UNCHECKED_LOCKING
{
    struct rl_loop *loop = rl_loop_checked(reference, function);
    struct rl_item *item = (struct rl_item *)(uintptr_t)object;
    rl_expect_string(mode_name, function, "mode");
    bool is_contained = false;
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_is_common_name(mode_name) ? &loop->common_items
                                                             : rl_loop_find_mode(loop, mode_name);
    if (mode && may_be_contained(item, loop)) {
        struct rl_membership *member = find_and_lock(mode, item);
        is_contained = member != NULL;
        rl_unlock(member ? &member->item->object.lock : &item->object.lock);
    }
    rl_unlock(&loop->lock);
    return is_contained;
}

/* Registered in this file, because every program that adds a source links it. */
RL_REGISTER_ITEM_FUNCTIONS(RL_ITEM_SOURCE, rl_source_functions)

void RLRunLoopAddSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode)
{
    RL_EXPECT(source, RL_TYPE_SOURCE);
    add_item(loop, source, mode, __func__);
}

void RLRunLoopRemoveSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode)
{
    RL_EXPECT(source, RL_TYPE_SOURCE);
    remove_item(loop, source, mode, __func__);
}

Boolean RLRunLoopContainsSource(RLRunLoopRef loop, RLRunLoopSourceRef source, RLRunLoopMode mode)
{
    RL_EXPECT(source, RL_TYPE_SOURCE);
    return contains_item(loop, source, mode, __func__);
}

void RLRunLoopAddObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer, RLRunLoopMode mode)
{
    RL_EXPECT(observer, RL_TYPE_OBSERVER);
    add_item(loop, observer, mode, __func__);
}

void RLRunLoopRemoveObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer, RLRunLoopMode mode)
{
    RL_EXPECT(observer, RL_TYPE_OBSERVER);
    remove_item(loop, observer, mode, __func__);
}

Boolean RLRunLoopContainsObserver(RLRunLoopRef loop, RLRunLoopObserverRef observer,
                                  RLRunLoopMode mode)
{
    RL_EXPECT(observer, RL_TYPE_OBSERVER);
    return contains_item(loop, observer, mode, __func__);
}

void RLRunLoopAddTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode)
{
    RL_EXPECT(timer, RL_TYPE_TIMER);
    add_item(loop, timer, mode, __func__);
}

void RLRunLoopRemoveTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode)
{
    RL_EXPECT(timer, RL_TYPE_TIMER);
    remove_item(loop, timer, mode, __func__);
}

Boolean RLRunLoopContainsTimer(RLRunLoopRef loop, RLRunLoopTimerRef timer, RLRunLoopMode mode)
{
    RL_EXPECT(timer, RL_TYPE_TIMER);
    return contains_item(loop, timer, mode, __func__);
}

static void enter_with_common_items(struct rl_loop *loop, struct rl_mode *mode)
{
    struct rl_deferred_calls calls;
    rl_deferred_calls_init(&calls);
    rl_lock(&loop->lock);
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) {
        size_t count;
        struct rl_membership **members = rl_mode_copy_members(&loop->common_items, kind, &count);
        for (size_t i = 0; i < count; i++) {
            struct rl_item *item = members[i]->item;
            rl_lock(&item->object.lock);
            if (rl_membership_is_allowed(item, loop)) rl_membership_begin(mode, item, &calls);
            rl_unlock(&item->object.lock);
        }
        free(members);
    }
    rl_unlock(&loop->lock);
    rl_deferred_calls_make(&calls, loop);
}

void RLRunLoopAddCommonMode(RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_expect_string(mode, __func__, "mode");
    if (rl_loop_is_common_name(mode)) return;
    rl_lock(&self->lock);
    struct rl_mode *named = rl_loop_make_entry(self, mode);
    bool is_new = rl_loop_make_common(self, named);
    rl_unlock(&self->lock);
    if (is_new) enter_with_common_items(self, named);
}
