
#ifndef RL_THREAD_END_H
#define RL_THREAD_END_H

#include "base/at_load.h"

struct rl_loop;

/* The steps at the end of a loop's thread, in order. A file with a step registers it. */
enum rl_thread_end_order {
    RL_END_HOSTING,
    RL_END_ADVANCES,
    /*
     * From here on the loop takes no items or blocks. Ends its runs: the thread's frames are gone,
     * even if it left a callback by pthread_exit.
     */
    RL_END_RUNS,
    RL_END_HINT,
    RL_END_TRACE,
    /*
     * Releases the items that rounds of callbacks still hold, and unmarks items whose callback
     * was left by pthread_exit.
     */
    RL_END_ROUNDS,
    RL_END_WATCHES,
    /*
     * Empties the loop in the order of LIFE-12. A source's `cancel` may still run the loop
     * (LIFE-14). When the sources are gone, all other items and the blocks leave together before
     * any is released, so that no release can run one of them.
     */
    RL_END_ITEMS,
    RL_END_COUNTERPART,
    /* After all callbacks, as any of them may have run the loop. */
    RL_END_WAIT_SETS,
    RL_END_STEPS
};

extern void (*rl_thread_end_steps[RL_END_STEPS])(struct rl_loop *loop);

#define RL_REGISTER_THREAD_END(place, step)                                                        \
    RL_AT_LOAD static void register_thread_end_##place(void)                                       \
    {                                                                                              \
        rl_thread_end_steps[place] = (step);                                                       \
    }

/*
 * Ends the loop's runs and empties it: sources, observers, timers, blocks and the counterpart, with
 * the callbacks of each. The caller has a reference, so that these callbacks cannot free the loop.
 */
void rl_thread_end(struct rl_loop *loop);

#endif
