/*
 * Loops around a fork. The child has one thread: its loop goes on with kernel objects of its own,
 * and those of the threads that it does not have are closed, as they are the parent's.
 */

#include "run/loop_fork.h"

#include "loop/block.h"
#include "loop/loop.h"
#include "loop/trace.h"
#include "run/host.h"

/*
 * After all loops: a thread that has locked an item may want a signal lock, while a thread that
 * has locked a loop waits for that item.
 */
void rl_loop_fork_lock_signals(struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) rl_lock(&mode->signal_lock);
}

void rl_loop_fork_unlock(struct rl_loop *loop) RL_UNCHECKED_LOCKING
{
    struct rl_mode *mode;
    TAILQ_FOREACH(mode, &loop->modes, link) rl_unlock(&mode->signal_lock);
    rl_unlock(&loop->lock);
}

void rl_loop_fork_settle_child(struct rl_loop *loop)
{
    rl_host_forget(loop);
    rl_loop_forget_kernel_objects(loop);
    rl_trace_settle_child(loop);
    rl_loop_fork_unlock(loop);
}

/* Forgets the runs of a thread that the child does not have. */
static void forget_runs(struct rl_loop *loop)
{
    loop->activation = NULL;
    loop->current_mode = NULL;
    loop->main_queue_depth = 0;
    atomic_store(&loop->wake.word, 0);
    atomic_store(&loop->is_waiting, false);
    atomic_store(&loop->statistics.phase, kRLRunLoopPhaseIdle);
}

void rl_loop_fork_revive(struct rl_loop *loop)
{
    forget_runs(loop);
    loop->is_torn_down = false;
    rl_block_reopen(loop);
    loop->is_held_by_thread = true;
}
