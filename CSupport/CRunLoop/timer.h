/*
 * Timers.
 */

#ifndef RL_TIMER_H
#define RL_TIMER_H

#include "item.h"

#include <CRunLoop/RLRunLoopTimer.h>

struct rl_timer {
    struct rl_item item;
    /* What the client asked for and is told. Guarded by the item's lock. */
    RLAbsoluteTime fire_date;
    /* When it is due. Guarded by the lock of the loop that it is in and by its own. */
    int64_t deadline_ns;
    int64_t tolerance_ns;
    RLTimeInterval interval;
    RLIndex order;
    RLRunLoopTimerCallBack callout;
    struct rl_client_info client;
    struct rl_timer_membership home;
};

static inline struct rl_timer *rl_timer_of(const struct rl_item *item)
{
    return (struct rl_timer *)(uintptr_t)item;
}

/* Calls the timers of a mode that are due (TMR-15). No locks held. */
void rl_timer_fire_due(struct rl_mode *mode);

#endif
