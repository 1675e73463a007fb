#include "loop/callout.h"
#include "loop/loop.h"
#include "run/thread_end.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <stdlib.h>

struct rl_end_watch {
    /* The watch is in the loop's list until the callback is called. */
    TAILQ_ENTRY(rl_end_watch) link;
    void (*callback)(void *info);
    void *info;
    bool is_listed;
};

RLRunLoopEndWatch RLRunLoopWatchEnd(RLRunLoopRef loop, void (*callback)(void *info), void *info)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    if (!callback) rl_client_error(__func__, "argument `callback` must not be null");
    struct rl_end_watch *watch = rl_allocate(sizeof *watch);
    watch->callback = callback;
    watch->info = info;
    rl_lock(&self->lock);
    /* After the unlock, the loop may end, and the callback may free the watch. */
    bool is_listed = watch->is_listed = !self->is_torn_down;
    if (is_listed) TAILQ_INSERT_TAIL(&self->end_watches, watch, link);
    rl_unlock(&self->lock);
    if (is_listed) return watch;
    free(watch);
    return NULL;
}

Boolean RLRunLoopForgetEnd(RLRunLoopRef loop, RLRunLoopEndWatch watch)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    if (!watch) rl_client_error(__func__, "argument `watch` must not be null");
    rl_lock(&self->lock);
    bool was_listed = watch->is_listed;
    if (was_listed) TAILQ_REMOVE(&self->end_watches, watch, link);
    rl_unlock(&self->lock);
    free(watch);
    return was_listed;
}

Boolean RLRunLoopHasEnded(RLRunLoopRef loop)
{
    return atomic_load(&rl_loop_checked(loop, __func__)->is_torn_down);
}

static void report_end(struct rl_loop *loop)
{
    bool is_more = true;
    while (is_more) {
        rl_lock(&loop->lock);
        struct rl_end_watch *first = TAILQ_FIRST(&loop->end_watches);
        struct rl_end_watch ended = first ? *first : (struct rl_end_watch){0};
        if (first) {
            TAILQ_REMOVE(&loop->end_watches, first, link);
            first->is_listed = false;
        }
        rl_unlock(&loop->lock);
        is_more = first != NULL;
        /* Calls the copy, because another thread may have freed the watch. */
        if (is_more) rl_callout_end(ended.callback, ended.info);
    }
}

RL_REGISTER_THREAD_END(RL_END_WATCHES, report_end)
