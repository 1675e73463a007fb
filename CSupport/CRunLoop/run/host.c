/*
 * Hosted loops. The host waits for an epoll set that contains the mode's epoll set, so the kernel
 * reports descriptors, timers and the main queue to the host. For all other work the loop calls the
 * host by writing to its wake-up port:
 *
 * - A wake-up calls the host, unless an earlier call is pending.
 * - The loop calls the host before a callback, because the callback may run the host's loop. A
 *   nested run then finds the work that the outer run has not served yet.
 * - Before a run ends, the loop takes its call back. It calls the host again if work is left, or if
 *   a wake-up came during the run, because a wake-up causes another pass.
 *
 * So the host's set is readable while there is work. After a nested run, or after the pass of a
 * wake-up, the set may be readable once or twice without work.
 */

#include "run/host.h"

#include "base/kernel.h"
#include "loop/block.h"
#include "loop/callout.h"
#include "loop/loop.h"
#include "loop/report.h"
#include "run/main_queue.h"
#include "run/thread_end.h"

#include <errno.h>

/*
 * Adds or removes the main queue's port, which is not in the set while the thread performs work of
 * the queue. Returns false if the kernel has no room for the port.
 */
static bool watch_main_queue(struct rl_loop *loop) RL_REQUIRES(loop->lock)
{
    struct rl_mode *mode = loop->host_mode;
    bool is_served =
        mode->is_common && loop->host.serves_main_queue && rl_main_queue_is_served_by(loop);
    return rl_main_queue_include(&mode->wait_set, is_served);
}

/* Arms the timer port for the next deadline, or for a retry if the kernel had no room. */
static void arm_timer_port(struct rl_loop *loop) RL_REQUIRES(loop->lock)
{
    struct rl_mode *mode = loop->host_mode;
    struct rl_wait_set *set = &mode->wait_set;
    if (!rl_wait_set_open(set)) return;
    int64_t deadline_ns = rl_mode_port_deadline(mode);
    bool has_main_queue = watch_main_queue(loop);
    if (!rl_wait_set_retry(set) || !has_main_queue) {
        int64_t retry_ns = rl_kernel_monotonic_ns() + RL_WAIT_RETRY_NS;
        if (retry_ns < deadline_ns) deadline_ns = retry_ns;
    }
    rl_wait_set_arm(set, deadline_ns);
}

/* In an empty mode, a run makes no pass and consumes no wake-up, so a wake-up does not count. */
static bool is_woken(struct rl_loop *loop, bool was_woken) RL_REQUIRES(loop->lock)
{
    return (was_woken || rl_wake_is_pending(&loop->wake)) &&
           !rl_loop_mode_is_empty(loop, loop->host_mode);
}

static bool has_work(const struct rl_mode *mode)
{
    return atomic_load(&mode->signalled_count) > 0 || rl_block_is_pending(mode) ||
           rl_wait_set_has_batch(&mode->wait_set);
}

void rl_host_end_run(struct rl_loop *loop, bool was_woken)
{
    struct rl_mode *mode = loop->host_mode;
    if (!loop->activation && !atomic_exchange(&loop->is_waiting, true)) rl_trace_sleep(loop);
    rl_lock(&loop->lock);
    arm_timer_port(loop);
    rl_wait_set_fall_asleep(&mode->wait_set);
    bool has_more = is_woken(loop, was_woken);
    rl_unlock(&loop->lock);
    if (has_more || has_work(mode)) rl_wake_call_host(&loop->wake);
}

void rl_host_skip_run(struct rl_loop *loop)
{
    rl_wake_take_back(&loop->wake);
    /* Another pass is needed: a client may have just added an item and woken the loop. */
    rl_host_end_run(loop, true);
}

void rl_host_begin_run(struct rl_loop *loop)
{
    atomic_store(&loop->is_waiting, false);
    rl_trace_wake_up(loop, kRLRunLoopWakeReasonHost, RL_NO_SLOT);
}

bool rl_host_is_called(struct rl_loop *loop)
{
    const struct rl_wait_set *set = &loop->host_mode->wait_set;
    int fd = rl_wait_set_descriptors(set).host;
    if (!rl_kernel_is_readable(fd)) return false;
    /* In a mode without descriptors, no pass polls the kernel, so a late call is still pending. */
    if (rl_wait_set_has_sources(set) || !rl_wake_take_late_call(&loop->wake)) return true;
    return rl_kernel_is_readable(fd);
}

/* Returns the descriptor of a new epoll set or a negative errno value. */
static int open_set(struct rl_loop *loop, RLRunLoopMode name)
{
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_make_mode(loop, name);
    int fd = rl_wait_set_begin_hosting(&mode->wait_set);
    if (fd >= 0) loop->host_mode = mode;
    rl_unlock(&loop->lock);
    return fd;
}

static void check_mode(RLRunLoopMode mode, const char *function)
{
    rl_expect_string(mode, function, "mode");
    if (rl_loop_is_common_name(mode)) {
        rl_client_error(function, "argument `mode` is kRLRunLoopCommonModes, in which no loop can "
                                  "run: pass a single mode");
    }
}

int RLRunLoopBeginHosting(RLRunLoopMode mode, RLRunLoopHostingOptions options,
                          const RLRunLoopHostingContext *context)
{
    check_mode(mode, __func__);
    if (context && context->version != 0) {
        rl_client_error(__func__, "`context->version` (%ld) must be 0", (long)context->version);
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
    /* A wake-up before the hosting also counts: if the mode has observers, begins with a pass. */
    rl_host_end_run(loop, rl_mode_is_observed(loop->host_mode, ~(RLOptionFlags)0));
    return fd;
}

int RLRunLoopGetPollDescriptor(void)
{
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return -1;
    const struct rl_mode *mode = rl_loop_checked(current, __func__)->host_mode;
    return mode ? rl_wait_set_descriptors(&mode->wait_set).host : -1;
}

void rl_host_end(struct rl_loop *loop, bool is_thread_ending)
{
    struct rl_mode *mode = loop->host_mode;
    if (!mode) return;
    /* Until `ended` returns, the client may remove the descriptor from its own set. */
    RLRunLoopHostingContext context = loop->host.context;
    loop->host.context.ended = NULL;
    if (context.ended) {
        RL_CALLOUT(context.ended, context.info, is_thread_ending);
    }
    if (loop->host_mode != mode) return;

    rl_lock(&loop->lock);
    loop->host_mode = NULL;
    rl_unlock(&loop->lock);
    rl_wake_take_back(&loop->wake);
    rl_wake_end_hosting(&loop->wake);
    rl_lock(&loop->lock);
    rl_wait_set_end_hosting(&mode->wait_set);
    rl_unlock(&loop->lock);
    if (!loop->activation) rl_host_begin_run(loop);
}

static void end_with_thread(struct rl_loop *loop)
{
    rl_host_end(loop, true);
}

RL_REGISTER_THREAD_END(RL_END_HOSTING, end_with_thread)

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
