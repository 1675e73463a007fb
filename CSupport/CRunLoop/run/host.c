/*
 * Hosted loops. The host waits for the mode's epoll set. The kernel knows of descriptors, the timer
 * port and the main queue's; all else is told by writing to the wake-up port, a call:
 *
 * - Every wake-up calls, whatever the loop is doing, until its call is seen or taken back.
 * - Before a callback, which may run the host nested, the host is called: what the run around it has
 *   not come to yet is then looked at by a run inside.
 * - At the end of each run the call is taken back, unless there is work that the run has left.
 *
 * So the set is readable while anything is to be done. It may be readable once for nothing, when a
 * run inside a callback finds nothing, never twice.
 */

#include "run/host.h"

#include "base/kernel.h"
#include "loop/callout.h"
#include "loop/loop.h"
#include "loop/trace.h"
#include "run/main_queue.h"

#include <errno.h>

/* Sees to the main queue's port: work of the queue must not be told of inside work of the queue. */
static void watch_main_queue(struct rl_loop *loop) RL_REQUIRES(loop->lock)
{
    struct rl_mode *mode = loop->host_mode;
    bool is_served = mode->is_common && rl_main_queue_is_served_by(loop);
    if (mode->wait_set.has_main_queue == is_served) return;
    rl_wait_set_include_main_queue(&mode->wait_set, rl_main_queue_port(), is_served);
}

static bool has_work(const struct rl_mode *mode)
{
    return atomic_load(&mode->signalled_count) > 0 || rl_block_is_pending(mode);
}

void rl_host_rest(struct rl_loop *loop)
{
    struct rl_mode *mode = loop->host_mode;
    if (!loop->activation && !atomic_exchange(&loop->is_waiting, true)) rl_trace_sleep(loop);
    rl_lock(&loop->lock);
    watch_main_queue(loop);
    rl_wait_set_arm(&mode->wait_set, rl_timer_queue_hard_deadline(&mode->timers));
    mode->wait_set.is_asleep = true;
    rl_unlock(&loop->lock);
    rl_wake_take_back(&loop->wake);
    if (has_work(mode)) rl_wake_call_host(&loop->wake);
}

void rl_host_stir(struct rl_loop *loop)
{
    atomic_store(&loop->is_waiting, false);
    rl_trace_wake_up(loop, kRLRunLoopWakeReasonHost, NULL);
}

void rl_host_notice(struct rl_loop *loop)
{
    /* Another thread has no use for the word yet, and may have to get it from the loop's processor. */
    if (rl_loop_is_current(loop) && rl_wake_is_hosted(&loop->wake)) rl_wake_call_host(&loop->wake);
}

bool rl_host_is_called(const struct rl_loop *loop)
{
    return rl_kernel_is_readable(loop->host_mode->wait_set.poll_fd);
}

/* Opens what the host is to wait for. */
static int open_set(struct rl_loop *loop, RLRunLoopMode name)
{
    int fd = -EMFILE;
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_make_mode(loop, name);
    if (rl_wait_set_open(&mode->wait_set, loop)) {
        loop->host_mode = mode;
        rl_wait_set_give_back(&mode->wait_set);
        fd = mode->wait_set.poll_fd;
    }
    rl_unlock(&loop->lock);
    return fd;
}

static void check_mode(RLRunLoopMode mode, const char *function)
{
    rl_expect_string(mode, function, "mode");
    if (rl_loop_is_common_name(mode)) {
        rl_client_error(function, "a loop cannot wait in kRLRunLoopCommonModes: that is no mode");
    }
}

int RLRunLoopBeginHosting(RLRunLoopMode mode, RLRunLoopHostingOptions options,
                          const RLRunLoopHostingContext *context)
{
    check_mode(mode, __func__);
    if (context && context->version != 0) {
        rl_client_error(__func__, "context %p has the version %ld, there is only 0",
                        (const void *)context, (long)context->version);
    }
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return -ESRCH;
    struct rl_loop *loop = rl_loop_checked(current, __func__);
    if (loop->is_torn_down) return -ESRCH;
    if (loop->activation || loop->host_mode) return -EBUSY;
    int fd = open_set(loop, mode);
    if (fd < 0) return fd;
    loop->host = (struct rl_host){
        .context = context ? *context : (RLRunLoopHostingContext){0},
        .serves_main_queue = !(options & kRLRunLoopHostingLeavesMainQueue),
    };
    rl_wake_begin_hosting(&loop->wake);
    rl_host_rest(loop);
    return fd;
}

int RLRunLoopGetPollDescriptor(void)
{
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return -1;
    const struct rl_mode *mode = rl_loop_checked(current, __func__)->host_mode;
    return mode ? mode->wait_set.poll_fd : -1;
}

void rl_host_end(struct rl_loop *loop, bool is_thread_ending)
{
    struct rl_mode *mode = loop->host_mode;
    if (!mode) return;
    /* The client may ask for the descriptor, to take it out of the host's set. */
    RLRunLoopHostingContext context = loop->host.context;
    loop->host.context.ended = NULL;
    if (context.ended) {
        rl_callout_hosting_ended(context.ended, context.info, is_thread_ending);
    }
    if (loop->host_mode != mode) return;

    loop->host_mode = NULL;
    rl_wake_take_back(&loop->wake);
    rl_wake_end_hosting(&loop->wake);
    rl_lock(&loop->lock);
    mode->wait_set.is_asleep = false;
    rl_unlock(&loop->lock);
    if (!loop->activation) rl_host_stir(loop);
}

void rl_host_forget(struct rl_loop *loop)
{
    if (!loop->host_mode) return;
    loop->host_mode = NULL;
    rl_wake_end_hosting(&loop->wake);
    if (!loop->activation) atomic_store(&loop->is_waiting, false);
}

void RLRunLoopEndHosting(void)
{
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (current) rl_host_end(rl_loop_checked(current, __func__), false);
}
