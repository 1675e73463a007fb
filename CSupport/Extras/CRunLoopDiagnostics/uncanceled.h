/*
 * No function of this module is a cancellation point: a thread that ended here would keep locks and
 * the signal of backtraces. Reading /proc has many cancellation points.
 */

#ifndef RL_DIAGNOSTICS_UNCANCELED_H
#define RL_DIAGNOSTICS_UNCANCELED_H

#include <pthread.h>

static inline int rl_cancellation_disable(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void rl_cancellation_restore(const int *before)
{
    int disabled;
    pthread_setcancelstate(*before, &disabled);
}

/* Declares that the thread is not canceled until the end of the block. */
#define RL_UNCANCELED_HERE                                                                         \
    __attribute__((cleanup(rl_cancellation_restore), unused)) int rl_state_before =                \
        rl_cancellation_disable()

#endif
