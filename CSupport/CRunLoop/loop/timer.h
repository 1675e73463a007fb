/*
 * Timers.
 */

#ifndef RL_TIMER_H
#define RL_TIMER_H

#include "loop/item.h"

#include <CRunLoop/RLRunLoopTimer.h>

struct rl_timer {
    struct rl_item item;
    struct rl_timer_membership embedded;
    /*
     * What the client asked for and is told. Changes with the deadline, and is read without a lock.
     */
    _Atomic RLAbsoluteTime fire_date;
    /*
     * When the timer is due. The lock of its loop guards this and `is_called`, or the timer's own
     * lock if it is in no loop.
     */
    int64_t deadline_ns;
    /*
     * By how much it may be late. Guarded by its own lock and by that of the loop that it is in.
     */
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

/* Puts a timer where its deadline says, in every mode of the loop. With both locked. */
void rl_timer_move_in_modes(struct rl_timer *timer, struct rl_loop *loop);

/*
 * Marks a timer as being called, so that no sleep has to end for it, or as not being called any
 * more. With its loop locked.
 */
void rl_timer_mark(struct rl_timer *timer, bool is_called);

/* Calls the timers of a mode that are due (TMR-15). No locks held. */
void rl_timer_fire_due(struct rl_mode *mode);

#endif
