
#ifndef RL_THREAD_END_H
#define RL_THREAD_END_H

#include "base/at_load.h"

struct rl_loop;

/*
 * The steps at the end of a loop's thread, in order. The file that implements a step registers it.
 */
enum rl_thread_end_order {
    RL_END_HOSTING,
    RL_END_ADVANCES,
    /*
     * Ends the runs, and closes the loop for items and blocks. If a callback called pthread_exit,
     * the stack frames of the runs are gone.
     */
    RL_END_RUNS,
    RL_END_HINT,
    RL_END_TRACE,
    /*
     * Releases the items that are still on the held stack, and unmarks items whose callback called
     * pthread_exit.
     */
    RL_END_ROUNDS,
    RL_END_WATCHES,
    /*
     * Empties the loop in the order of LIFE-12. The `cancel` of a source may still run the loop
     * (LIFE-14). When the sources are gone, all other items and the blocks are removed before any
     * of them is released, so that no release can run them.
     */
    RL_END_ITEMS,
    RL_END_COUNTERPART,
    /* Comes after all callbacks, because any callback may run the loop. */
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
 * Ends the loop's runs and empties the loop: sources, observers, timers, blocks and the
 * counterpart. Calls their callbacks. The caller must hold a reference, so that a callback cannot
 * free the loop.
 */
void rl_thread_end(struct rl_loop *loop);

#endif
