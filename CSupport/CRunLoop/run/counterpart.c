/* The counterpart is an object that a wrapping library stores in a loop. */

#include "loop/callout.h"
#include "loop/loop.h"
#include "loop/own_loop.h"
#include "run/thread_end.h"

#include <CRunLoop/RLRunLoopWrapping.h>

void *RLRunLoopGetCounterpart(RLRunLoopRef loop)
{
    return atomic_load(&rl_loop_checked(loop, __func__)->counterpart);
}

void *RLRunLoopGetCurrentCounterpart(void)
{
    struct rl_loop *loop = rl_own_loop;
    return loop ? atomic_load(&loop->counterpart) : NULL;
}

void *RLRunLoopSetCounterpart(RLRunLoopRef loop, void *counterpart,
                              void (*release)(void *counterpart))
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_lock(&self->lock);
    if (!self->is_torn_down && !atomic_load(&self->counterpart)) {
        self->release_counterpart = release;
        atomic_store(&self->counterpart, counterpart);
    }
    void *kept = atomic_load(&self->counterpart);
    rl_unlock(&self->lock);
    return kept;
}

static void release_counterpart(struct rl_loop *loop)
{
    /* The main loop keeps its counterpart, because other threads may still use it. */
    if (loop->is_main) return;
    rl_lock(&loop->lock);
    void *counterpart = atomic_exchange(&loop->counterpart, NULL);
    rl_unlock(&loop->lock);
    if (counterpart && loop->release_counterpart) {
        rl_callout_release_variable(loop->release_counterpart, counterpart);
    }
}

RL_REGISTER_THREAD_END(RL_END_COUNTERPART, release_counterpart)
