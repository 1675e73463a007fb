/* libdispatch exports functions for run loops that serve the main queue. */

#include "run/main_queue.h"

#include "base/dispatch.h"
#include "base/kernel.h"
#include "base/uncanceled.h"
#include "loop/block.h"
#include "loop/loop.h"
#include "loop/own_loop.h"
#include "loop/pass_callout.h"
#include "run/main_queue_tail.h"
#include "wait/wait_set.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <errno.h>
#include <stddef.h>

/* True also in a build without libdispatch. */
static atomic_bool is_abandoned = !RL_HAS_DISPATCH;

static atomic_bool is_port_made;

/*
 * Only the main thread uses these. `tail` points to the queue's tail pointer, which is null while
 * the queue is empty; `tail` is null if the search failed. `passes_unchecked` counts the passes
 * since the last read of the port, at `checked_ns`.
 */
static void *_Atomic *tail;
static unsigned passes_unchecked;
static int64_t checked_ns;

/*
 * After a service of the queue, the number of passes that must still read the port. A service may
 * perform all work and leave the port readable. CF then serves the empty queue once more, in one of
 * the next two passes.
 */
static unsigned passes_to_check;

/*
 * If the main thread calls pthread_exit, libdispatch serves the queue on its own threads. It closes
 * the port in the first round of destructors, before the engine's destructors run.
 */
static bool was_taken_over(void)
{
    return atomic_load_explicit(&is_port_made, memory_order_relaxed) &&
           _dispatch_get_main_queue_handle_4CF() < 0;
}

bool rl_main_queue_is_abandoned(void)
{
    return atomic_load_explicit(&is_abandoned, memory_order_relaxed) || was_taken_over();
}

bool rl_main_queue_is_served_by(const struct rl_loop *loop)
{
    return loop->is_main && !loop->is_torn_down && rl_loop_is_current(loop) &&
           loop->main_queue_depth == 0 &&
           (!loop->host.is_serving || loop->host.serves_main_queue) &&
           !atomic_load_explicit(&is_abandoned, memory_order_relaxed);
}

bool rl_loop_mode_is_empty(struct rl_loop *loop, const struct rl_mode *mode)
{
    if (!mode) return true;
    if (mode->is_common && rl_main_queue_is_served_by(loop) && !was_taken_over()) return false;
    return mode->member_counts[RL_ITEM_SOURCE] == 0 && mode->timers.count == 0 &&
           !rl_block_is_pending_locked(mode);
}

/*
 * Returns the port, or a negative errno value. The port is not cached, because libdispatch may
 * close it, and its number may then refer to another file. libdispatch aborts if it cannot create
 * the port, so this function first checks that a descriptor can be created.
 */
static int find_port(void)
{
    if (rl_main_queue_is_abandoned()) return -ESRCH;
    bool is_made = atomic_load_explicit(&is_port_made, memory_order_relaxed);
    if (!is_made) {
        int tried_fd = rl_kernel_make_event_counter();
        if (tried_fd < 0) return tried_fd;
        rl_kernel_close(&tried_fd);
    }
    if (!is_made) tail = rl_main_queue_find_tail();
    int port = _dispatch_get_main_queue_handle_4CF();
    atomic_store_explicit(&is_port_made, true, memory_order_relaxed);
    return port < 0 ? -ESRCH : port;
}

bool rl_main_queue_include(struct rl_wait_set *set, bool is_included)
{
    if (!is_included && !rl_wait_set_has_main_queue(set)) return true;
    int port = find_port();
    return rl_wait_set_include_main_queue(set, port, is_included && port != -ESRCH);
}

bool rl_main_queue_seems_empty(const struct rl_loop *loop)
{
    return !loop->host_mode && tail && !atomic_load_explicit(tail, memory_order_acquire);
}

/* If the detected tail is wrong, the regular read of the port bounds the delay. */
bool rl_main_queue_is_due(const struct rl_loop *loop)
{
    enum { MOST_PASSES_UNCHECKED = 64, MOST_NS_UNCHECKED = 1000000 };
    if (!rl_main_queue_seems_empty(loop)) return true;
    if (passes_to_check > 0) {
        passes_to_check--;
        return true;
    }
    /* Runs, callbacks and sleeps update this time. Other passes are short. */
    int64_t now_ns =
        (int64_t)atomic_load_explicit(&loop->statistics.phase_began_ns, memory_order_relaxed);
    bool is_recent = now_ns - checked_ns < MOST_NS_UNCHECKED;
    if (++passes_unchecked < MOST_PASSES_UNCHECKED && is_recent) return false;
    passes_unchecked = 0;
    checked_ns = now_ns;
    return true;
}

bool rl_main_queue_take(void)
{
    int port = find_port();
    return port >= 0 && rl_kernel_take_count(port, false);
}

void rl_main_queue_serve(struct rl_loop *loop)
{
    loop->is_main_queue_next = false;
    loop->main_queue_depth++;
    /* libdispatch aborts if a thread is cancelled while it serves the queue. */
    int before = rl_cancellation_disable();
    rl_callout_main_queue(loop, _dispatch_main_queue_callback_4CF);
    rl_cancellation_restore(before);
    loop->main_queue_depth--;
    passes_to_check = 2;
}

void rl_main_queue_abandon(void)
{
    atomic_store(&is_abandoned, true);
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
