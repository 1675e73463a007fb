/*
 * The child has one thread, whose loop continues with new kernel objects. The child closes its
 * copies of all old descriptors, because their kernel objects are shared with the parent.
 */

#include "run/loop_fork.h"

#include "loop/block.h"
#include "loop/loop.h"
#include "loop/own_loop.h"
#include "loop/report.h"
#include "loop/timer.h"
#include "run/host.h"
#include "run/loop_table.h"
#include "run/main_queue.h"
#include "run/wait.h"

static void lock_loop(struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    rl_lock(&loop->lock);
}

static void lock_signals(struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) rl_lock(&mode->signal_lock);
}

static void unlock_loop(struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) rl_unlock(&mode->signal_lock);
    rl_unlock(&loop->lock);
}

void rl_loop_fork_prepare(void)
{
    rl_loop_table_lock();
    rl_loop_table_visit(lock_loop);
    /*
     * Lock all loops before any signal lock: a thread may hold an item's lock and wait for a signal
     * lock, while another thread holds a loop's lock and waits for the item's lock.
     */
    rl_loop_table_visit(lock_signals);
}

void rl_loop_fork_resume_in_parent(void)
{
    rl_loop_table_visit(unlock_loop);
    rl_loop_table_unlock();
}

static void visit_items(struct rl_loop *loop, void (*visit)(struct rl_membership *))
{
    const struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) rl_mode_visit_members(mode, visit);
    rl_mode_visit_members(&loop->common_items, visit);
}

/* In the parent, another thread may have held the item's lock without the loop's lock. */
static void unlock_item(struct rl_membership *member) RL_UNCHECKED_LOCKING
{
    rl_unlock(&member->item->object.lock);
}

/* Makes a loop usable in the child, and unlocks it. */
static void settle_loop(struct rl_loop *loop)
{
    visit_items(loop, unlock_item);
    rl_host_forget(loop);
    rl_loop_forget_kernel_objects(loop);
    rl_trace_settle_child(loop);
    unlock_loop(loop);
}

static void forget_call(struct rl_membership *member)
{
    struct rl_item *item = member->item;
    if (!item->is_called) return;
    if (rl_item_kind_of(item) == RL_ITEM_TIMER) return rl_timer_mark(rl_timer_of(item), false);
    item->is_called = false;
}

/* Ends the runs of a thread that does not exist in the child. */
static void forget_runs(struct rl_loop *loop)
{
    loop->activation = NULL;
    loop->current_mode = NULL;
    loop->main_queue_depth = 0;
    atomic_store(&loop->wake.word, 0);
    atomic_store(&loop->is_waiting, false);
    atomic_store(&loop->statistics.phase, kRLRunLoopPhaseIdle);
    visit_items(loop, forget_call);
}

/* The parent's main thread may have ended, so this function opens the loop again. */
static void revive_loop(struct rl_loop *loop)
{
    forget_runs(loop);
    loop->is_torn_down = false;
    rl_block_reopen(loop);
}

void rl_loop_fork_settle_child(void)
{
    /* If the parent has used no loop, the child may serve the main queue. */
    if (rl_loop_table_was_used()) rl_main_queue_abandon();
    rl_wait_forget_other_loops();
    rl_loop_table_visit(settle_loop);
    struct rl_loop *own = rl_loop_table_keep_own();
    if (own && own != rl_own_loop) revive_loop(own);
    rl_loop_table_unlock();
}
