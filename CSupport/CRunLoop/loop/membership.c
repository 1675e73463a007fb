/*
 * An observer or timer is only in the modes of one loop. A source may be in several loops, and
 * retains each of them.
 */

#include "loop/membership.h"

#include "loop/loop.h"

#include <stdlib.h>

static void grow_list(struct rl_deferred_calls *calls)
{
    bool was_inline = calls->list == calls->inline_list;
    calls->capacity *= 2;
    calls->list =
        rl_reallocate(was_inline ? NULL : calls->list, calls->capacity * sizeof calls->list[0]);
    if (was_inline) memcpy(calls->list, calls->inline_list, sizeof calls->inline_list);
}

/* Takes over the caller's reference to the item. `notify` may be null. */
static struct rl_deferred_call *
defer_call(struct rl_deferred_calls *calls, struct rl_item *item, const struct rl_mode *mode,
           void (*notify)(struct rl_item *, struct rl_loop *, RLStringRef))
{
    if (calls->count == calls->capacity) grow_list(calls);
    struct rl_deferred_call *call = &calls->list[calls->count++];
    /* The list of common items is not a mode for clients. */
    if (rl_mode_is_common_list(mode)) notify = NULL;
    *call = (struct rl_deferred_call){
        .item = item, .notify = notify, .mode_name = notify ? RLRetain(mode->name) : NULL};
    return call;
}

void rl_deferred_calls_make(struct rl_deferred_calls *calls, struct rl_loop *loop)
{
    size_t surplus = 0;
    for (size_t i = 0; i < calls->count; i++) {
        const struct rl_deferred_call *call = &calls->list[i];
        if (call->notify) call->notify(call->item, loop, call->mode_name);
        if (call->gives_up_loop) surplus++;
        rl_object_release(&call->item->object);
        if (call->mode_name) RLRelease(call->mode_name);
    }
    if (calls->list != calls->inline_list) free(calls->list);
    while (surplus-- > 0) RLRelease(loop);
}

static bool is_source(const struct rl_item *item)
{
    return rl_item_kind_of(item) == RL_ITEM_SOURCE;
}

/* Membership in the list of common items does not count. */
static bool is_in_loop(const struct rl_item *item, const struct rl_loop *loop)
{
    const struct rl_membership *member = item->memberships;
    for (; member; member = member->next_of_item) {
        if (member->mode->loop == loop && !rl_mode_is_common_list(member->mode)) return true;
    }
    return false;
}

bool rl_membership_is_allowed(const struct rl_item *item, const struct rl_loop *loop)
{
    if (!atomic_load(&item->is_valid) || loop->is_torn_down) return false;
    return item->loop == NULL || item->loop == loop;
}

void rl_membership_begin(struct rl_mode *mode, struct rl_item *item,
                         struct rl_deferred_calls *calls)
{
    bool is_mode = !rl_mode_is_common_list(mode);
    bool is_first = is_source(item) && is_mode && !is_in_loop(item, mode->loop);
    if (!rl_mode_insert(mode, item) || !is_mode) return;
    if (!is_source(item)) {
        atomic_store_explicit(&item->loop, mode->loop, memory_order_relaxed);
        return;
    }
    if (is_first) RLRetain(mode->loop);
    rl_object_retain(&item->object);
    defer_call(calls, item, mode, rl_item_functions[RL_ITEM_SOURCE]->entered);
}

void rl_membership_end(struct rl_membership *membership, struct rl_deferred_calls *calls)
{
    struct rl_mode *mode = membership->mode;
    struct rl_item *item = membership->item;
    rl_mode_erase(membership);
    struct rl_deferred_call *call =
        defer_call(calls, item, mode, rl_item_functions[rl_item_kind_of(item)]->left);
    if (rl_mode_is_common_list(mode) || is_in_loop(item, mode->loop)) return;
    if (is_source(item)) {
        call->gives_up_loop = true;
    } else {
        atomic_store_explicit(&item->loop, NULL, memory_order_relaxed);
    }
}
