/*
 * What libdispatch exports for run loops, see dispatch.h, put together.
 */

#include "run/main_queue.h"

#include "base/dispatch.h"
#include "base/kernel.h"
#include "loop/block.h"
#include "loop/loop.h"
#include "loop/pass_callout.h"

/* From the beginning, if there is no libdispatch to serve. */
static atomic_bool is_abandoned = !RL_HAS_DISPATCH;

bool rl_main_queue_is_abandoned(void)
{
    return atomic_load_explicit(&is_abandoned, memory_order_relaxed);
}

bool rl_main_queue_is_served_by(const struct rl_loop *loop)
{
    return loop->is_main && !loop->is_torn_down && rl_loop_is_current(loop) &&
           loop->main_queue_depth == 0 &&
           (!loop->host.is_serving || loop->host.serves_main_queue) &&
           !rl_main_queue_is_abandoned();
}

bool rl_loop_mode_is_empty(struct rl_loop *loop, const struct rl_mode *mode)
{
    if (!mode) return true;
    if (mode->is_common && rl_main_queue_is_served_by(loop)) return false;
    return mode->member_counts[RL_ITEM_SOURCE] == 0 && mode->timers.count == 0 &&
           !rl_block_is_pending_locked(mode);
}

/*
 * libdispatch stops the process if it cannot make its port, so a descriptor of our own is tried
 * first.
 */
static int try_to_make_port(void)
{
    int tried_fd = rl_kernel_make_event_counter();
    if (tried_fd < 0) return tried_fd;
    rl_kernel_close(&tried_fd);
    return _dispatch_get_main_queue_handle_4CF();
}

int rl_main_queue_port(void)
{
    static atomic_int known_port = -1;
    int port = atomic_load_explicit(&known_port, memory_order_relaxed);
    if (port >= 0) return port;
    port = try_to_make_port();
    atomic_store_explicit(&known_port, port, memory_order_relaxed);
    return port;
}

bool rl_main_queue_take(void)
{
    if (rl_main_queue_is_abandoned()) return false;
    int port = rl_main_queue_port();
    return port >= 0 && rl_kernel_take_count(port, false);
}

void rl_main_queue_serve(struct rl_loop *loop)
{
    loop->turns.is_main_queue_owed = false;
    loop->main_queue_depth++;
    rl_callout_main_queue(loop, _dispatch_main_queue_callback_4CF);
    loop->main_queue_depth--;
}

void rl_main_queue_abandon(void)
{
    atomic_store(&is_abandoned, true);
}
