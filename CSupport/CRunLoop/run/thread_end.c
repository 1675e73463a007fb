/*
 * The end of a thread. The thread itself releases here what was in its loop, even if others keep
 * the loop. Client code is called without locks, while the loop is still the thread's own
 * (LIFE-14).
 */

#include "run/thread_end.h"

#include "loop/block.h"
#include "loop/loop.h"
#include "loop/removal.h"
#include "run/host.h"
#include "run/tracer.h"
#include "run/wrapping.h"

/*
 * From here on the loop takes nothing. The thread's frames are gone, even if it left a callback by
 * pthread_exit: whatever run was under way is over.
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

/* What was about to be called, or being called by a callback that left, is so no longer. */
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
    close_loop(loop);
    rl_trace_loop_ended(loop);
    release_held_items(loop);
    empty_loop(loop);
    rl_loop_release_counterpart(loop);
    /* After all callbacks, as any of them may have run the loop. */
    rl_loop_close_wait_sets(loop);
}
