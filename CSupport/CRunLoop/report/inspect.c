/* For monitors: copies the items with the loop locked, and visits the copies without the lock. */

#include "loop/loop.h"
#include "loop/observer.h"
#include "loop/source.h"
#include "loop/timer.h"

#include <CRunLoop/RLRunLoopStatistics.h>

#include <stdlib.h>

static RLRunLoopItemState state_of_source(const struct rl_membership *member)
{
    const struct rl_source *source = rl_source_of(member->item);
    uint32_t slot = ((const struct rl_source_membership *)member)->slot;
    if (rl_source_version(source) == 0) slot = RL_NO_SLOT;
    struct rl_wait_slot_state watched = rl_wait_set_slot_state(&member->mode->wait_set, slot);
    return (RLRunLoopItemState){
        .descriptor = watched.fd,
        .events = rl_source_events(watched.interest),
        .isSignalled = atomic_load(&source->signal_state) != RL_NOT_SIGNALLED,
        .callout = rl_source_perform_address(source),
    };
}

static RLRunLoopItemKind public_kind_of(const struct rl_item *item)
{
    switch (rl_item_kind_of(item)) {
    case RL_ITEM_SOURCE:
        return (RLRunLoopItemKind)(kRLRunLoopItemSource0 + rl_source_version(rl_source_of(item)));
    case RL_ITEM_OBSERVER: return kRLRunLoopItemObserver;
    default: return kRLRunLoopItemTimer;
    }
}

static RLRunLoopItemState item_state_of(const struct rl_membership *member)
{
    struct rl_item *item = member->item;
    RLRunLoopItemState state = {.descriptor = -1};
    switch (rl_item_kind_of(item)) {
    case RL_ITEM_SOURCE: state = state_of_source(member); break;
    case RL_ITEM_OBSERVER:
        state.callout = (const void *)(uintptr_t)rl_observer_of(item)->callout;
        break;
    default: state.callout = (const void *)(uintptr_t)rl_timer_of(item)->callout; break;
    }
    state.kind = public_kind_of(item);
    state.item = RLRetain(item);
    state.callouts = atomic_load_explicit(&item->callouts, memory_order_relaxed);
    return state;
}

RLIndex RLRunLoopCountItems(RLRunLoopRef loop, RLRunLoopMode mode, RLRunLoopItemKind kind)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_expect_string(mode, __func__, "mode");
    RLIndex count = 0;
    rl_lock(&self->lock);
    struct rl_mode *found = rl_loop_find_mode(self, mode);
    for (int list = 0; found && list < RL_ITEM_KINDS; list++) {
        size_t members_count;
        struct rl_membership **members = rl_mode_copy_members(found, list, &members_count);
        for (size_t i = 0; i < members_count; i++) {
            count += public_kind_of(members[i]->item) == kind;
        }
        free(members);
    }
    rl_unlock(&self->lock);
    return count;
}

static size_t count_all(const struct rl_mode *mode)
{
    size_t count = 0;
    for (int kind = 0; kind < RL_ITEM_KINDS; kind++) count += mode->member_counts[kind];
    return count;
}

/* Copies the state of each item, and retains the item. */
static RLRunLoopItemState *copy_states(struct rl_loop *loop, RLRunLoopMode name, size_t *ret_count)
{
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_find_mode(loop, name);
    size_t capacity = mode ? count_all(mode) : 0;
    RLRunLoopItemState *states = rl_allocate_list(capacity, sizeof states[0]);
    *ret_count = 0;
    for (int kind = 0; mode && kind < RL_ITEM_KINDS; kind++) {
        size_t members_count;
        struct rl_membership **members = rl_mode_copy_members(mode, kind, &members_count);
        for (size_t i = 0; i < members_count; i++) {
            states[(*ret_count)++] = item_state_of(members[i]);
        }
        free(members);
    }
    rl_unlock(&loop->lock);
    return states;
}

void RLRunLoopVisitItems(RLRunLoopRef loop, RLRunLoopMode mode,
                         void (*visit)(const RLRunLoopItemState *state, void *info), void *info)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_expect_string(mode, __func__, "mode");
    if (!visit) rl_client_error(__func__, "argument `visit` must not be null");
    size_t count;
    RLRunLoopItemState *states = copy_states(self, mode, &count);
    for (size_t i = 0; i < count; i++) {
        visit(&states[i], info);
        RLRelease(states[i].item);
    }
    free(states);
}
