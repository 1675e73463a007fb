/*
 * Hosted loops. The host waits for the mode's epoll set, which is readable exactly when an event
 * for this loop is in it: a descriptor, the timer port, or the wake-up port.
 */

#include "host.h"

#include "kernel.h"
#include "loop.h"
#include "trace.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>

/*
 * What has been seen of the wake-up and timer ports must not stay in the set, or it would be
 * readable for nothing. With descriptors in it, runs look there by themselves.
 */
static void drain_ports(struct rl_wait_set *set)
{
    struct rl_event event;
    if (set->descriptors > 0) return;
    while ((event = rl_wait_set_take(set, 0)).kind != RL_EVENT_NONE) {
        if (event.kind == RL_EVENT_TIMER) set->armed_ns = 0;
    }
}

void rl_host_suspend(struct rl_loop *loop)
{
    struct rl_wait_set *set = &loop->host_mode->wait_set;
    rl_wake_get_up(&loop->wake);
    rl_lock(&loop->lock);
    set->is_asleep = false;
    drain_ports(set);
    rl_unlock(&loop->lock);
    atomic_store(&loop->is_waiting, false);
    rl_trace_wake_up(loop, kRLRunLoopWakeReasonHost, NULL);
}

void rl_host_resume(struct rl_loop *loop)
{
    struct rl_mode *mode = loop->host_mode;
    atomic_store(&loop->is_waiting, true);
    rl_trace_sleep(loop);
    rl_wake_listen(&loop->wake);
    rl_lock(&loop->lock);
    rl_wait_set_arm(&mode->wait_set, rl_timer_queue_hard_deadline(&mode->timers));
    mode->wait_set.is_asleep = true;
    rl_unlock(&loop->lock);
    /* Somebody was faster: the host is to come back at once. */
    if (!rl_wake_fall_asleep(&loop->wake)) rl_kernel_bump(atomic_load(&loop->wake.fd));
}

/* Opens what the host is to wait for. */
static int open_set(struct rl_loop *loop, RLRunLoopMode name)
{
    int fd = -EMFILE;
    rl_lock(&loop->lock);
    struct rl_mode *mode = rl_loop_make_mode(loop, name);
    if (rl_wait_set_open(&mode->wait_set, loop)) {
        rl_wait_set_include_main_queue(&mode->wait_set, -1, false);
        loop->host_mode = mode;
        fd = mode->wait_set.poll_fd;
    }
    rl_unlock(&loop->lock);
    return fd;
}

int RLRunLoopBeginHosting(RLRunLoopMode mode)
{
    rl_expect_string(mode, __func__, "mode");
    if (rl_loop_is_common_name(mode)) {
        rl_client_error(__func__, "a loop cannot wait in kRLRunLoopCommonModes: that is no mode");
    }
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return -ESRCH;
    struct rl_loop *loop = rl_loop_checked(current, __func__);
    if (loop->activation || loop->host_mode) return -EBUSY;
    int fd = open_set(loop, mode);
    if (fd >= 0) rl_host_resume(loop);
    return fd;
}

void RLRunLoopEndHosting(void)
{
    RLRunLoopRef current = RLRunLoopGetCurrent();
    if (!current) return;
    struct rl_loop *loop = rl_loop_checked(current, __func__);
    if (!loop->host_mode) return;
    if (!loop->activation) {
        rl_host_suspend(loop);
        rl_wake_ignore(&loop->wake);
    }
    loop->host_mode = NULL;
}
