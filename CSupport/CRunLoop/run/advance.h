/*
 * Runs that advance a test clock or drain a loop. Such a run does not end when its mode is empty.
 * It ends when its loop would sleep.
 */

#ifndef RL_ADVANCE_H
#define RL_ADVANCE_H

#include "loop/activation.h"
#include "loop/loop.h"

/*
 * The target of such a run. It is allocated on the heap: if a callback calls pthread_exit, the end
 * of the thread can still end the advance.
 */
struct rl_advance {
    /*
     * The run ends when this clock reaches `target_ns`. Null for a run without a target, which only
     * drains the loop by the kernel's clock.
     */
    struct RLOpaqueTestClock *clock;
    int64_t target_ns;
    bool has_arrived;
    /* The loop uses the clock only during the advance. */
    bool is_guest;
    struct rl_loop *outer_advancer;
};

/* Requests the end of the run by stopping it. Returns true, as the stop ends the wait. */
static inline bool rl_advance_arrive(struct rl_advance *advance, struct rl_loop *loop)
{
    advance->has_arrived = true;
    rl_wake_stop(&loop->wake);
    return true;
}

/* Runs the calling thread's loop for an advance. Creates the mode if needed. */
RLRunLoopRunResult rl_run_advance(struct rl_loop *loop, RLRunLoopMode name,
                                  struct rl_advance *advance);

#endif
