
#ifndef RL_TIMER_DATA_H
#define RL_TIMER_DATA_H

#include "loop/item.h"

#include <CRunLoop/RLRunLoopTimer.h>

struct rl_timer {
    struct rl_item item;
    struct rl_timer_membership embedded;
    /*
     * The date that the client sets and reads. Changes with the deadline; read without a lock.
     */
    _Atomic RLAbsoluteTime fire_date;
    /*
     * The moment when the timer is due. Its loop's lock guards this and `is_called`, or the timer's
     * own lock if it is in no loop.
     */
    int64_t deadline_ns;
    /* The allowed delay. Guarded by the timer's own lock and by its loop's. */
    int64_t tolerance_ns;
    RLRunLoopTimerCallBack callout;
    void *info;
    /* Set once. */
    struct rl_client_functions functions;
    RLTimeInterval interval;
    RLIndex order;
};

static inline struct rl_timer *rl_timer_of(const struct rl_item *item)
{
    return (struct rl_timer *)(uintptr_t)item;
}

#endif
