/*
 * An ending thread releases the items of its loop, even if other code retains the loop. Client code
 * is called without locks, and RLRunLoopGetCurrent still returns the loop (LIFE-14).
 */

#include "run/thread_end.h"

#include "loop/block.h"
#include "loop/loop.h"
#include "loop/removal.h"
#include "loop/report.h"

static void end_runs(struct rl_loop *loop)
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

static void release_held(struct rl_loop *loop)
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

static void empty_loop(struct rl_loop *loop)
{
    struct rl_block_list blocks = STAILQ_HEAD_INITIALIZER(blocks);
    rl_item_purge_sources(loop);
    rl_block_take_all(loop, &blocks);
    rl_item_purge_observers_and_timers(loop);
    rl_block_discard(&blocks);
}

static void give_hint(struct rl_loop *loop)
{
    rl_loop_hint_at_end(loop, "thread");
}

void (*rl_thread_end_steps[RL_END_STEPS])(struct rl_loop *loop) = {
    [RL_END_RUNS] = end_runs,
    [RL_END_HINT] = give_hint,
    [RL_END_ROUNDS] = release_held,
    [RL_END_ITEMS] = empty_loop,
    [RL_END_WAIT_SETS] = rl_loop_close_wait_sets,
};

void rl_thread_end(struct rl_loop *loop)
{
    for (int i = 0; i < RL_END_STEPS; i++) {
        if (rl_thread_end_steps[i]) rl_thread_end_steps[i](loop);
    }
}
