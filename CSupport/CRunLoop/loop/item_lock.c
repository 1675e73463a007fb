#include "loop/item_lock.h"

#include "base/kernel.h"
#include "loop/loop.h"
#include "loop/own_loop.h"

#include <stdlib.h>

/* Returns false, and locks neither the loop nor the item, if the item is not in the loop. */
static bool try_lock_with(struct rl_item *item, struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    rl_lock(&loop->lock);
    rl_lock(&item->object.lock);
    if (RL_LIKELY(atomic_load_explicit(&item->loop, memory_order_relaxed) == loop)) return true;
    rl_unlock(&item->object.lock);
    rl_unlock(&loop->lock);
    return false;
}

/* Not inlined, because nearly all items are in the calling thread's own loop. */
static __attribute__((noinline)) struct rl_loop *
lock_with_any_loop(struct rl_item *item) RL_UNCHECKED_LOCKING
{
    for (;;) {
        rl_lock(&item->object.lock);
        struct rl_loop *loop = atomic_load(&item->loop);
        if (!loop) return NULL;
        bool is_own = loop == rl_own_loop;
        if (!is_own) rl_object_retain(&loop->object);
        rl_unlock(&item->object.lock);
        if (try_lock_with(item, loop)) return loop;
        if (!is_own) RLRelease(loop);
    }
}

struct rl_loop *rl_item_lock_with_loop(struct rl_item *item)
{
    /* The calling thread's loop cannot end during this call. Other loops must be retained. */
    struct rl_loop *own = rl_own_loop;
    if (own && atomic_load(&item->loop) == own && try_lock_with(item, own)) return own;
    return lock_with_any_loop(item);
}

void rl_item_unlock_with_loop(struct rl_item *item, struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    rl_unlock(&item->object.lock);
    if (!loop) return;
    rl_unlock(&loop->lock);
    if (loop != rl_own_loop) RLRelease(loop);
}

/* Returns the item's loop with the next address after `address`, retained, or null. */
static struct rl_loop *copy_next_loop(struct rl_item *item, uintptr_t address)
{
    struct rl_loop *next = NULL;
    rl_lock(&item->object.lock);
    for (struct rl_membership *each = item->memberships; each; each = each->next_of_item) {
        struct rl_loop *loop = each->mode->loop;
        if ((uintptr_t)loop <= address) continue;
        if (!next || (uintptr_t)loop < (uintptr_t)next) next = loop;
    }
    if (next) rl_object_retain(&next->object);
    rl_unlock(&item->object.lock);
    return next;
}

void rl_item_for_each_membership(struct rl_item *item, void (*visit)(struct rl_membership *))
{
    /* The lock order forbids locking a loop after an item, so the loops are visited in turn. */
    struct rl_loop *loop = copy_next_loop(item, 0);
    while (loop) {
        rl_lock(&loop->lock);
        rl_lock(&item->object.lock);
        for (struct rl_membership *each = item->memberships; each; each = each->next_of_item) {
            if (each->mode->loop == loop) visit(each);
        }
        rl_unlock(&item->object.lock);
        rl_unlock(&loop->lock);
        uintptr_t address = (uintptr_t)loop;
        RLRelease(loop);
        loop = copy_next_loop(item, address);
    }
}

static bool is_callers_loop(const struct rl_loop *loop)
{
    /* If only other threads have used the main loop, the main thread's rl_own_loop is null. */
    return rl_loop_is_current(loop) || (loop->is_main && rl_kernel_is_main_thread());
}

pid_t rl_item_foreign_thread(struct rl_item *item)
{
    pid_t thread = 0;
    bool is_here = false;
    rl_lock(&item->object.lock);
    for (struct rl_membership *each = item->memberships; each; each = each->next_of_item) {
        const struct rl_loop *loop = each->mode->loop;
        bool is_callers = is_callers_loop(loop);
        is_here |= is_callers;
        if (!is_callers && !atomic_load(&loop->is_torn_down)) thread = loop->thread_id;
    }
    rl_unlock(&item->object.lock);
    return is_here ? 0 : thread;
}

size_t rl_item_copy_places(struct rl_item *item, struct rl_place **ret_places)
{
    struct rl_place *places = NULL;
    size_t count = 0;
    rl_lock(&item->object.lock);
    for (struct rl_membership *each = item->memberships; each; each = each->next_of_item) {
        const struct rl_mode *mode = each->mode;
        if (rl_mode_is_common_list(mode)) continue;
        places = rl_reallocate(places, (count + 1) * sizeof places[0]);
        rl_object_retain(&mode->loop->object);
        places[count++] = (struct rl_place){mode->loop, RLRetain(mode->name)};
    }
    rl_unlock(&item->object.lock);
    *ret_places = places;
    return count;
}

void rl_item_free_places(struct rl_place *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        RLRelease(places[i].loop);
        RLRelease(places[i].mode);
    }
    free(places);
}
