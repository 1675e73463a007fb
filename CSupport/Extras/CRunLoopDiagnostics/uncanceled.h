/*
 * No function of this module may be a cancellation point: if a thread were canceled here, locks and
 * the backtrace signal would stay held. But the calls that read /proc are cancellation points.
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

/* Disables cancellation of the thread until the end of the block. */
#define RL_UNCANCELED_HERE                                                                         \
    __attribute__((cleanup(rl_cancellation_restore), unused)) int rl_state_before =                \
        rl_cancellation_disable()

#endif
