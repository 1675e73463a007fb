/*
 * Runs that advance a test clock, or drain a loop. Such a run continues in an empty mode, and ends
 * where its loop would sleep.
 */

#ifndef RL_ADVANCE_H
#define RL_ADVANCE_H

#include "loop/activation.h"
#include "loop/loop.h"

/*
 * The target of such a run. It is on the heap, as runs are: if a callback leaves by pthread_exit,
 * the end of its thread still finds the advance and ends it.
 */
struct rl_advance {
    /*
     * The run ends when this clock reaches `target_ns`. Null is the kernel's clock, for a run
     * without a target.
     */
    struct RLOpaqueTestClock *clock;
    int64_t target_ns;
    bool has_arrived;
    /* The loop uses the clock only while the advance lasts. */
    bool is_guest;
    struct rl_loop *outer_advancer;
};

/* Ends the run of an advance. Returns true: a stop is pending. */
static inline bool rl_advance_arrive(struct rl_advance *advance, struct rl_loop *loop)
{
    advance->has_arrived = true;
    rl_wake_stop(&loop->wake);
    return true;
}

/* Runs the calling thread's loop for an advance. Makes the mode if the loop does not have it. */
RLRunLoopRunResult rl_run_advance(struct rl_loop *loop, RLRunLoopMode name,
                                  struct rl_advance *advance);

#endif
