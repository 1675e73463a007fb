/*
 * The end of a thread. The thread itself releases here what was in its loop, even if others keep
 * the loop. Client code is called without locks, while the loop is still the thread's own
 * (LIFE-14).
 */

#include "run/thread_end.h"

#include "base/hint.h"
#include "loop/block.h"
#include "loop/loop.h"
#include "loop/removal.h"
#include "run/host.h"
#include "run/passage.h"
#include "run/tracer.h"
#include "run/wrapping.h"

#include <stdlib.h>

/*
 * Has the loop take nothing from here on, and ends its runs: the thread's frames are gone, even if
 * it left a callback by pthread_exit.
 */
static void close_loop(struct rl_loop *loop)
{
    rl_lock(&loop->lock);
    loop->activation = NULL;
    loop->current_mode = NULL;
    loop->is_torn_down = true;
    rl_block_close(loop);
    rl_unlock(&loop->lock);
    rl_wake_end_run(&loop->wake, 0);
    atomic_store(&loop->is_waiting, false);
    atomic_store(&loop->statistics.phase, kRLRunLoopPhaseIdle);
    atomic_store(&loop->statistics.callout, NULL);
}

#if RL_HAS_HINTS

/*
 * Returns whether an item was to be called yet. A version-0 source that is not signalled was not:
 * some are there only to be told of the end of the loop.
 */
static bool awaits_call(const struct rl_item *item)
{
    if (rl_item_kind_of(item) != RL_ITEM_SOURCE || item->version > 0) return true;
    return atomic_load(&item->signal_state) != 0;
}

/*
 * Returns how many items of a kind wait in modes of the loop, each counted once. With the loop
 * locked.
 */
static size_t count_items(struct rl_loop *loop, enum rl_item_kind kind)
{
    size_t count = 0, members_count;
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) {
        struct rl_membership **members = rl_mode_copy_members(mode, kind, &members_count);
        for (size_t i = 0; i < members_count; i++) {
            const struct rl_item *item = rl_membership_item(members[i]);
            count += item->memberships == members[i] && awaits_call(item);
        }
        free(members);
    }
    return count;
}

/* Gives a hint at the commonest mistake: the thread set something up, and did not run its loop. */
void rl_thread_end_hint(struct rl_loop *loop, const char *what_ends)
{
    if (loop->host_mode || atomic_load(&loop->statistics.runs) > 0) return;
    rl_lock(&loop->lock);
    size_t timers = count_items(loop, RL_ITEM_TIMER), sources = count_items(loop, RL_ITEM_SOURCE);
    size_t blocks = loop->blocks.count;
    rl_unlock(&loop->lock);
    const char *function = timers > 0    ? "RLRunLoopAddTimer"
                           : sources > 0 ? "RLRunLoopAddSource"
                                         : "RLRunLoopPerformBlock";
    RL_HINT(timers + sources + blocks > 0, function,
            "%s %d ends with %zu timer(s), %zu source(s) and %zu block(s) in run loop %p, which "
            "never ran, so that nothing was called: run it, by RLRunLoopRun() or another call, or "
            "use the loop of a thread that does",
            what_ends, (int)loop->thread_id, timers, sources, blocks, (void *)loop);
}

#else

void rl_thread_end_hint(struct rl_loop *loop, const char *what_ends)
{
    (void)loop;
    (void)what_ends;
}

#endif

/*
 * Releases the items that rounds of callbacks still hold. They count as being called no longer,
 * whatever callback was left by pthread_exit.
 */
static void release_held_items(struct rl_loop *loop)
{
    for (size_t i = 0; i < loop->held.count; i++) {
        struct rl_item *item = (struct rl_item *)loop->held.objects[i];
        if (!item) continue;
        rl_lock(&loop->lock);
        rl_lock(&item->object.lock);
        item->is_called = false;
        rl_unlock(&item->object.lock);
        rl_unlock(&loop->lock);
    }
    rl_held_clear(&loop->held);
}

/*
 * In the order of LIFE-12. A source's `cancel` may still run the loop (LIFE-14). When the sources
 * are gone all else leaves at once, before anything of it is released, so that no release runs a
 * part of it.
 */
static void empty_loop(struct rl_loop *loop)
{
    struct rl_block_list blocks = STAILQ_HEAD_INITIALIZER(blocks);
    rl_item_purge_sources(loop);
    rl_block_take_all(loop, &blocks);
    rl_item_purge_observers_and_timers(loop);
    rl_block_discard(&blocks);
}

void rl_thread_end_empty(struct rl_loop *loop)
{
    rl_host_end(loop, true);
    rl_passage_forget_all(loop);
    close_loop(loop);
    rl_thread_end_hint(loop, "thread");
    rl_trace_loop_ended(loop);
    release_held_items(loop);
    empty_loop(loop);
    rl_loop_release_counterpart(loop);
    /* After all callbacks, as any of them may have run the loop. */
    rl_loop_close_wait_sets(loop);
}
