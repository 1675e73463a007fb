#include "watch/weak_source.h"

#include "loop/item_lock.h"
#include "loop/loop.h"
#include "loop/mode.h"

struct rl_source *rl_weak_source_hold(const struct rl_weak_source *weak, struct rl_lock *lock)
{
    rl_lock(lock);
    struct rl_source *source = weak->source;
    if (source && !rl_object_try_retain(&source->item.object)) source = NULL;
    rl_unlock(lock);
    return source;
}

struct rl_source *rl_weak_source_hold_or_make(struct rl_weak_source *weak,
                                              struct rl_source *(*make)(void *object), void *object)
{
    struct rl_source *source = weak->source;
    bool is_valid = source && atomic_load(&source->item.is_valid);
    if (!is_valid || !rl_object_try_retain(&source->item.object)) weak->source = make(object);
    return weak->source;
}

void rl_weak_source_forget(struct rl_weak_source *weak, struct rl_lock *lock)
{
    rl_lock(lock);
    const struct rl_source *source = weak->source;
    if (source && atomic_load(&source->item.object.references) == 0) weak->source = NULL;
    rl_unlock(lock);
}

void rl_weak_source_drop(const struct rl_weak_source *weak, struct rl_lock *lock)
{
    struct rl_source *source = rl_weak_source_hold(weak, lock);
    if (!source) return;
    RLRunLoopSourceInvalidate((RLRunLoopSourceRef)(void *)source);
    RLRelease(source);
}

static void wake_loop(struct rl_membership *member)
{
    if (!rl_mode_is_common_list(member->mode)) rl_loop_wake_up(member->mode->loop);
}

void rl_weak_source_signal(const struct rl_weak_source *weak, struct rl_lock *lock)
{
    struct rl_source *source = rl_weak_source_hold(weak, lock);
    if (!source) return;
    RLRunLoopSourceSignal((RLRunLoopSourceRef)(void *)source);
    rl_item_for_each_membership(&source->item, wake_loop);
    RLRelease(source);
}
