#ifndef RL_THREAD_END_H
#define RL_THREAD_END_H

#include "base/at_load.h"

struct rl_loop;

/* The steps of the end of a thread, in order. The file that implements a step registers it. */
enum rl_thread_end_order {
    RL_END_HOSTING,
    RL_END_ADVANCES,
    /* Closes the loop. Forgets runs whose stack frames a callback's pthread_exit has removed. */
    RL_END_RUNS,
    RL_END_HINT,
    RL_END_TRACE,
    /* Releases the held stack, and unmarks items whose callback called pthread_exit. */
    RL_END_ROUNDS,
    RL_END_WATCHES,
    /*
     * Empties the loop (LIFE-12). The `cancel` of a source may still run the loop (LIFE-14). All
     * other items and blocks are removed before any of them is released, so that no release can run
     * the others.
     */
    RL_END_ITEMS,
    RL_END_COUNTERPART,
    /* Follows all callbacks, because any callback may run the loop. */
    RL_END_WAIT_SETS,
    RL_END_STEPS
};

extern void (*rl_thread_end_steps[RL_END_STEPS])(struct rl_loop *loop);

#define RL_REGISTER_THREAD_END(place, step)                                                        \
    RL_AT_LOAD static void register_thread_end_##place(void)                                       \
    {                                                                                              \
        rl_thread_end_steps[place] = (step);                                                       \
    }

/* Calls client code. The caller must hold a reference, so that a callback cannot free the loop. */
void rl_thread_end(struct rl_loop *loop);

#endif
