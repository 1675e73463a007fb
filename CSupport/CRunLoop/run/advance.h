/*
 * Runs in which tests let time pass, or wait until nothing is left to do. Such a run goes on also
 * with nothing in its mode, and ends where its loop would sleep.
 */

#ifndef RL_ADVANCE_H
#define RL_ADVANCE_H

#include "loop/activation.h"
#include "loop/loop.h"

/*
 * What such a run is for. Not on the stack, as runs are not: what a thread that ends has left by
 * pthread_exit is ended for it.
 */
struct rl_advance {
    /* By this clock the run goes on until the moment; null is the kernel's, and there is none. */
    struct RLOpaqueTestClock *clock;
    int64_t target_ns;
    bool has_arrived;
    /* The loop goes by the clock only as long as this lasts. */
    bool is_guest;
    struct rl_loop *outer_advancer;
};

/* Ends the run of an advance. Returns true, as the stop is to be served. */
static inline bool rl_advance_arrive(struct rl_advance *advance, struct rl_loop *loop)
{
    advance->has_arrived = true;
    rl_wake_stop(&loop->wake);
    return true;
}

/* Runs a loop of the calling thread for an advance. The mode is made if there is none. */
RLRunLoopRunResult rl_run_advance(struct rl_loop *loop, RLRunLoopMode name,
                                  struct rl_advance *advance);

/* Ends the advances of a loop whose thread ends. */
void rl_advance_end_all(struct rl_loop *loop);

#endif
