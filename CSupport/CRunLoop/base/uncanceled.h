/*
 * No function of the engine is a cancellation point. A thread that pthread_cancel(3) cancels ends
 * at the next cancellation point in the client's code. So it never holds a lock or a descriptor of
 * the engine then, and leaves no change incomplete.
 *
 * Every call of the C library that is a cancellation point, or calls one, is made through this
 * macro. The stage `faults` reaches each such call, and fails where the macro is missing. Frequent
 * calls are made by syscall(2) instead, which is no cancellation point: see kernel_poll.c.
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

/* Returns the result of the call, and leaves `errno` as the call does. */
#define RL_UNCANCELED(call)                                                                        \
    ({                                                                                             \
        int rl_state_before = rl_cancellation_disable();                                           \
        __typeof__(call) rl_result = (call);                                                       \
        rl_cancellation_restore(rl_state_before);                                                  \
        rl_result;                                                                                 \
    })

#endif
