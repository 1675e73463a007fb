/*
 * What the end of a thread does with its loop, in order.
 */

#include "run/thread_end.h"

#include "loop/loop.h"
#include "loop/loop_hints.h"
#include "run/advance.h"
#include "run/host.h"
#include "run/tracer.h"
#include "run/wrapping.h"

#include <stddef.h>

static void end_hosting(struct rl_loop *loop)
{
    rl_host_end(loop, true);
}

static void give_hint(struct rl_loop *loop)
{
    rl_loop_hint_at_end(loop, "thread");
}

void (*const rl_thread_end_steps[])(struct rl_loop *loop) = {
    end_hosting,
    rl_advance_end_all,
    rl_thread_end_close,
    give_hint,
    rl_trace_loop_ended,
    rl_thread_end_release_held,
    rl_loop_tell_end,
    rl_thread_end_empty,
    rl_loop_release_counterpart,
    /* After all callbacks, as any of them may have run the loop. */
    rl_loop_close_wait_sets,
    NULL,
};
