/*
 * No function of the engine is a cancellation point. A thread that is cancelled by
 * pthread_cancel(3) ends at its next cancellation point in the client's code. There, the thread
 * holds no lock or descriptor of the engine, and no change of the engine's data is incomplete.
 *
 * RL_UNCANCELED wraps every C library call that is a cancellation point or calls one. The CI stage
 * `faults` executes each of these calls, and fails if the macro is missing. Frequent calls use
 * syscall(2) instead, which is no cancellation point: see kernel_poll.c.
 */

#ifndef RL_UNCANCELED_H
#define RL_UNCANCELED_H

#include <pthread.h>

static inline int rl_cancellation_disable(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void rl_cancellation_restore(int before)
{
    int disabled;
    pthread_setcancelstate(before, &disabled);
}

/* Evaluates to the result of the call, and keeps the call's `errno`. */
#define RL_UNCANCELED(call)                                                                        \
    ({                                                                                             \
        int rl_state_before = rl_cancellation_disable();                                           \
        __typeof__(call) rl_result = (call);                                                       \
        rl_cancellation_restore(rl_state_before);                                                  \
        rl_result;                                                                                 \
    })

#endif
