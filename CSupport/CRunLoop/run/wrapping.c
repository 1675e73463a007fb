#include "base/clock.h"
#include "base/kernel.h"
#include "base/write_signals.h"
#include "loop/item_lock.h"
#include "loop/loop.h"
#include "loop/own_loop.h"
#include "run/main_queue.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>

RLRunLoopRef RLRunLoopGetRunningOrMain(void)
{
    struct rl_loop *own = rl_own_loop;
    return own && (own->activation || own->host_mode) ? rl_loop_ref(own) : RLRunLoopGetMain();
}

Boolean RLRunLoopIsCurrent(RLRunLoopRef loop)
{
    /* A fast path, because wrappers call this function often. */
    if (loop && rl_own_loop == (const void *)loop) return true;
    struct rl_loop *self = rl_loop_checked(loop, __func__);
    /* If only other threads have used the main loop, the main thread's rl_own_loop is null. */
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
    /* The thread's own loop cannot end during this call, but another thread's loop can. */
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
