/*
 * A signal must be cheap and must not wait for the loop. It takes the source's lock and then, for
 * each mode, the lock of the mode's list, which is an innermost lock. Signalling a signalled source
 * costs one atomic operation.
 */

#include "loop/loop.h"
#include "loop/mode.h"
#include "loop/source.h"

#include <CRunLoop/RLRunLoopWrapping.h>

static atomic_uint_fast64_t signal_count;

void rl_source_link_signalled(struct rl_source_membership *member)
{
    struct rl_mode *mode = member->common.mode;
    if (rl_mode_is_common_list(mode)) return;
    rl_lock(&mode->signal_lock);
    if (!member->is_signalled) {
        member->is_signalled = true;
        LIST_INSERT_HEAD(&mode->signalled, member, signalled_link);
        /* Sequentially consistent: the count must be visible before the wake-up (see wake.c). */
        atomic_fetch_add(&mode->signalled_count, 1);
    }
    rl_unlock(&mode->signal_lock);
    rl_loop_call_host(mode->loop);
}

/* Call this with the signal lock held and the item locked. */
static void take_off_list(struct rl_source_membership *member)
{
    struct rl_mode *mode = member->common.mode;
    member->is_signalled = false;
    LIST_REMOVE(member, signalled_link);
    /* A relaxed store is enough: a thread that reads the old count checks the list in vain. */
    unsigned count = atomic_load_explicit(&mode->signalled_count, memory_order_relaxed);
    atomic_store_explicit(&mode->signalled_count, count - 1, memory_order_relaxed);
}

void rl_source_unlink_signalled(struct rl_source_membership *member)
{
    if (!member->is_signalled) return;
    struct rl_mode *mode = member->common.mode;
    rl_lock(&mode->signal_lock);
    take_off_list(member);
    rl_unlock(&mode->signal_lock);
}

static __attribute__((noinline)) void mark_and_link(struct rl_source *source)
{
    rl_lock(&source->item.object.lock);
    if (atomic_load(&source->item.is_valid)) {
        if (atomic_load(&source->signal_state) == RL_NOT_SIGNALLED) {
            source->signal_number =
                atomic_fetch_add_explicit(&signal_count, 1, memory_order_relaxed);
            rl_hint_set_moment(&source->signalled);
            atomic_store_explicit(&source->signal_state, RL_SIGNALLING, memory_order_relaxed);
        }
        struct rl_membership *member = source->item.memberships;
        if (rl_source_version(source) != 0) member = NULL;
        for (; member; member = member->next_of_item) {
            rl_source_link_signalled((struct rl_source_membership *)member);
        }
        atomic_store_explicit(&source->signal_state, RL_SIGNALLED, memory_order_release);
    }
    rl_unlock(&source->item.object.lock);
}

static inline struct rl_source *source_to_signal(RLRunLoopSourceRef source, const char *function)
{
    rl_expect(source, RL_TYPE_SOURCE, function, "source");
    return (struct rl_source *)(void *)source;
}

/*
 * Returns whether the source is signalled. The exchange writes the same state again. So the thread
 * that claims the signal next sees all earlier stores of this thread.
 */
static inline bool confirm_signal(struct rl_source *source)
{
    unsigned state = RL_SIGNALLED;
    return atomic_compare_exchange_strong(&source->signal_state, &state, RL_SIGNALLED);
}

void RLRunLoopSourceSignal(RLRunLoopSourceRef source)
{
    struct rl_source *self = source_to_signal(source, __func__);
    /* The source is rarely signalled already here, and a load is cheaper than an exchange. */
    bool seems_signalled =
        atomic_load_explicit(&self->signal_state, memory_order_relaxed) == RL_SIGNALLED;
    if (!seems_signalled || !confirm_signal(self)) mark_and_link(self);
}

/* Busy clients signal repeatedly, so here the source is usually signalled already. */
void RLRunLoopSourceSignalAndWakeUp(RLRunLoopSourceRef source, RLRunLoopRef loop)
{
    struct rl_source *self = source_to_signal(source, __func__);
    struct rl_loop *woken = rl_loop_checked(loop, __func__);
    if (!confirm_signal(self)) mark_and_link(self);
    rl_wake_up_for_signal(&woken->wake);
}

Boolean RLRunLoopSourceIsSignalled(RLRunLoopSourceRef source)
{
    RL_EXPECT(source, RL_TYPE_SOURCE);
    const struct rl_source *self = (const void *)source;
    return atomic_load(&self->signal_state) != RL_NOT_SIGNALLED;
}

bool rl_source_clear_signal(struct rl_source *source)
{
    unsigned state = atomic_exchange(&source->signal_state, RL_NOT_SIGNALLED);
    if (state == RL_NOT_SIGNALLED) return false;
    struct rl_membership *member = source->item.memberships;
    for (; member; member = member->next_of_item) {
        rl_source_unlink_signalled((struct rl_source_membership *)member);
    }
    return true;
}

bool rl_source_claim(struct rl_source *source)
{
    rl_lock(&source->item.object.lock);
    bool was_signalled = rl_source_clear_signal(source);
    bool is_claimed = was_signalled && atomic_load(&source->item.is_valid);
    rl_unlock(&source->item.object.lock);
    return is_claimed;
}

static int compare_ages(const void *first, const void *second)
{
    const struct rl_source *a = *(struct rl_source *const *)first;
    const struct rl_source *b = *(struct rl_source *const *)second;
    return a->signal_number < b->signal_number ? -1 : a->signal_number > b->signal_number;
}

static int compare_orders(const void *first, const void *second)
{
    RLIndex order = rl_source_more(*(struct rl_source *const *)first)->order;
    RLIndex other = rl_source_more(*(struct rl_source *const *)second)->order;
    if (order != other) return order < other ? -1 : 1;
    return compare_ages(first, second);
}

/*
 * Reserves space for all signalled sources; allocates without the lock. Returns the number of
 * sources, with the signal lock held.
 */
static size_t lock_with_space(struct rl_loop *loop, struct rl_mode *mode)
    RL_ACQUIRES(mode->signal_lock) RL_UNCHECKED_LOCKING
{
    for (size_t capacity = 1;;) {
        rl_held_reserve(&loop->held, capacity);
        rl_lock(&mode->signal_lock);
        size_t count = atomic_load(&mode->signalled_count);
        if (count <= rl_held_space(&loop->held)) return count;
        rl_unlock(&mode->signal_lock);
        capacity = count;
    }
}

struct rl_held rl_source_collect(struct rl_mode *mode, bool is_by_age)
{
    struct rl_loop *loop = mode->loop;
    size_t count = lock_with_space(loop, mode);
    struct rl_held batch = rl_held_begin(&loop->held, count);
    struct rl_source_membership *member;
    LIST_FOREACH(member, &mode->signalled, signalled_link) {
        rl_held_add(&loop->held, &batch, member->common.item);
    }
    rl_held_sort(&loop->held, &batch, is_by_age ? compare_ages : compare_orders);
    rl_unlock(&mode->signal_lock);
    return batch;
}
