#ifndef RL_TIMER_DATA_H
#define RL_TIMER_DATA_H

#include "loop/item.h"

#include <CRunLoop/RLRunLoopTimer.h>

struct rl_timer {
    struct rl_item item;
    struct rl_timer_membership embedded;
    /* The date that clients set and read. It changes with the deadline. Read without a lock. */
    _Atomic RLAbsoluteTime fire_date;
    /*
     * The loop's lock guards this and `is_called`, or the timer's lock if the timer is in no loop.
     */
    int64_t deadline_ns;
    /* To change this, hold the timer's lock and its loop's lock. */
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
