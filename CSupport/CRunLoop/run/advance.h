/* A run that advances a test clock, or drains a loop. It ends when its loop would sleep. */

#ifndef RL_ADVANCE_H
#define RL_ADVANCE_H

#include "loop/activation.h"
#include "loop/loop.h"

/* On the heap: if a callback calls pthread_exit, the end of the thread can end the advance. */
struct rl_advance {
    /* Null if the run only drains the loop, by the kernel's clock. */
    struct RLOpaqueTestClock *clock;
    int64_t target_ns;
    bool has_arrived;
    /* True if the loop uses the clock only during the advance. */
    bool is_guest;
    struct rl_loop *outer_advancer;
};

/* Ends the run by a stop. Returns true, because the stop ends the wait. */
static inline bool rl_advance_arrive(struct rl_advance *advance, struct rl_loop *loop)
{
    advance->has_arrived = true;
    rl_wake_stop(&loop->wake);
    return true;
}

/* Creates the mode if needed. */
RLRunLoopRunResult rl_run_advance(struct rl_loop *loop, RLRunLoopMode name,
                                  struct rl_advance *advance);

#endif
