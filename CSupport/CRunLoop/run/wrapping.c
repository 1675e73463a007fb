/* Functions for libraries that wrap run loops. */

#include "base/system.h"

#include "base/clock.h"
#include "base/dispatch.h"
#include "base/kernel.h"
#include "base/thread.h"
#include "base/write_signals.h"
#include "loop/callout.h"
#include "loop/item_lock.h"
#include "loop/loop.h"
#include "loop/own_loop.h"
#include "run/main_queue.h"
#include "run/thread_end.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>
#include <stdlib.h>

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
    /* Other threads may be about to use the main loop's counterpart. */
    if (loop->is_main) return;
    rl_lock(&loop->lock);
    void *counterpart = atomic_exchange(&loop->counterpart, NULL);
    rl_unlock(&loop->lock);
    if (counterpart && loop->release_counterpart) {
        rl_callout_release_variable(loop->release_counterpart, counterpart);
    }
}

RL_REGISTER_THREAD_END(RL_END_COUNTERPART, release_counterpart)

struct rl_end_watch {
    /* In the loop's list until the function is called. */
    TAILQ_ENTRY(rl_end_watch) link;
    void (*callback)(void *info);
    void *info;
    bool is_listed;
};

RLRunLoopEndWatch RLRunLoopWatchEnd(RLRunLoopRef loop, void (*callback)(void *info), void *info)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    if (!callback) rl_client_error(__func__, "argument `callback` is null");
    struct rl_end_watch *watch = rl_allocate(sizeof *watch);
    watch->callback = callback;
    watch->info = info;
    rl_lock(&self->lock);
    /* Once the lock is given up, the loop may end and call the function. */
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
    if (!watch) rl_client_error(__func__, "argument `watch` is null");
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

static void tell_end(struct rl_loop *loop)
{
    bool is_more = true;
    while (is_more) {
        rl_lock(&loop->lock);
        struct rl_end_watch *first = TAILQ_FIRST(&loop->end_watches);
        struct rl_end_watch told = first ? *first : (struct rl_end_watch){0};
        if (first) {
            TAILQ_REMOVE(&loop->end_watches, first, link);
            first->is_listed = false;
        }
        rl_unlock(&loop->lock);
        is_more = first != NULL;
        /* The call uses a copy, as another thread may have freed the watch. */
        if (is_more) rl_callout_end(told.callback, told.info);
    }
}

RL_REGISTER_THREAD_END(RL_END_WATCHES, tell_end)

RLRunLoopRef RLRunLoopGetRunningOrMain(void)
{
    struct rl_loop *own = rl_own_loop;
    return own && (own->activation || own->host_mode) ? rl_loop_ref(own) : RLRunLoopGetMain();
}

Boolean RLRunLoopIsCurrent(RLRunLoopRef loop)
{
    /* The thread's own loop needs no check: wrappers call this before all that they do. */
    if (loop && rl_own_loop == (const void *)loop) return true;
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    /* The main thread may never have asked for its loop, which other threads have made. */
    return self->is_main && rl_kernel_is_main_thread() && RLRunLoopGetCurrent() == loop;
}

void RLRunLoopWakeUpForQueued(RLRunLoopRef loop)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    if (!RLRunLoopIsCurrent(loop)) rl_wake_up(&self->wake);
}

RLHashCode RLRunLoopModeGetHash(RLRunLoopMode mode)
{
    rl_expect_string(mode, "RLRunLoopMode.init(rawValue:)", "rawValue");
    return RLHash(mode);
}

Boolean RLRunLoopModeIsEmpty(RLRunLoopRef loop, RLRunLoopMode mode)
{
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    rl_expect_string(mode, __func__, "mode");
    if (rl_loop_is_common_name(mode)) return true;
    rl_lock(&self->lock);
    bool is_empty = rl_loop_mode_is_empty(self, rl_loop_find_mode(self, mode));
    rl_unlock(&self->lock);
    return is_empty;
}

SInt32 RLRunLoopTimerGetThreadNumber(RLRunLoopTimerRef timer)
{
    rl_expect(timer, RL_TYPE_TIMER, __func__, "timer");
    struct rl_item *item = (struct rl_item *)(void *)timer;
    /* Only the loop of another thread may go away meanwhile. */
    struct rl_loop *loop = atomic_load(&item->loop);
    if (!loop) return 0;
    if (loop == rl_own_loop) return rl_own_loop->thread_id;
    loop = rl_item_lock_with_loop(item);
    SInt32 number = loop ? loop->thread_id : 0;
    rl_item_unlock_with_loop(item, loop);
    return number;
}

Boolean RLRunLoopTimerIsForeign(RLRunLoopTimerRef timer)
{
    rl_expect(timer, RL_TYPE_TIMER, __func__, "timer");
    struct rl_item *item = (struct rl_item *)(void *)timer;
    const struct rl_loop *loop = atomic_load(&item->loop);
    return loop && loop != rl_own_loop && rl_item_foreign_thread(item) != 0;
}

SInt64 RLClockGetNanoseconds(void)
{
    return rl_clock_now_ns();
}

int RLRunLoopPortCreate(void)
{
    return rl_kernel_make_event_counter();
}

void RLRunLoopPortSignal(int port)
{
    rl_kernel_bump_if_open(port);
}

RLIndex RLWriteWithoutSignal(int descriptor, const void *bytes, RLIndex length)
{
    if (length < 0) return -EINVAL;
    int saved_errno = errno;
    ssize_t written = rl_write_without_signal(descriptor, bytes, (size_t)length);
    RLIndex result = written < 0 ? -errno : written;
    errno = saved_errno;
    return result;
}

int RLThreadCreate(void *ret_thread, const void *attributes, void *(*function)(void *info),
                   void *info)
{
    return rl_thread_create(ret_thread, attributes, function, info);
}

Boolean RLThreadTryJoin(const void *thread)
{
    return pthread_tryjoin_np(*(const pthread_t *)thread, NULL) == 0;
}

void RLThreadKeepUnblocked(int signal)
{
    rl_thread_keep_unblocked(signal);
}

SInt32 RLThreadGetNumber(void)
{
    return rl_kernel_thread_id();
}

UInt64 RLThreadGetSerialNumber(void)
{
    static atomic_ullong last;
    static _Thread_local UInt64 own;
    if (own == 0) own = atomic_fetch_add(&last, 1) + 1;
    return own;
}

Boolean RLRunLoopCanDrainMainQueue(void)
{
    const struct rl_loop *own = rl_own_loop;
    return own && rl_main_queue_is_served_by(own);
}

Boolean RLRunLoopDrainMainQueue(void)
{
    rl_expect_dispatch(__func__);
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return false;
    struct rl_loop *loop = rl_loop_checked(current, __func__);
    if (!rl_main_queue_is_served_by(loop) || !rl_main_queue_take()) return false;
    rl_main_queue_serve(loop);
    return true;
}
