/*
 * Timers.
 */

#ifndef RL_TIMER_H
#define RL_TIMER_H

#include "loop/callout.h"
#include "loop/item.h"

#include <CRunLoop/RLRunLoopTimer.h>
#include <CRunLoop/RLRunLoopWrapping.h>

/* What few timers have. Set once. */
struct rl_timer_more {
    RLTimeInterval interval;
    RLIndex order;
    struct rl_client_functions functions;
};

/* What those have, behind that, whose info is room at their end. Set once. */
struct rl_timer_storage {
    const RLRunLoopStorageFunctions *functions;
    _Alignas(void *) char bytes[];
};

struct rl_timer {
    struct rl_item item;
    struct rl_membership home;
    /* What the client asked for and is told. Changes with the deadline, and is read without a lock. */
    _Atomic RLAbsoluteTime fire_date;
    /*
     * When it is due. Guarded by the lock of the loop that it is in, or by its own if it is in none,
     * and so is whether it is being called.
     */
    int64_t deadline_ns;
    /* Guarded by both. */
    int64_t tolerance_ns;
    RLRunLoopTimerCallBack callout;
    void *info;
    /* One, or none. */
    struct rl_timer_more more[];
};

RL_ITEM_HAS_HOME(struct rl_timer);

static inline struct rl_timer *rl_timer_of(const struct rl_item *item)
{
    return (struct rl_timer *)(uintptr_t)item;
}

/* What all timers have that have no more. */
extern const struct rl_timer_more rl_timer_plain;

static inline const struct rl_timer_more *rl_timer_more(const struct rl_timer *timer)
{
    return timer->home.has_more ? timer->more : &rl_timer_plain;
}

static inline struct rl_timer_storage *rl_timer_storage(struct rl_timer *timer)
{
    return (struct rl_timer_storage *)(void *)(timer->home.has_more ? timer->more + 1
                                                                    : timer->more);
}

/* What is left of a timer that has gone, for the next one that is made. */
struct rl_spare_timer {
    uint64_t mark;
    struct rl_spare_timer *next;
};

/*
 * A timer with storage has come into a loop, with both locked; whether there is a wrapper that is kept
 * from here on.
 */
static inline bool rl_timer_keep_wrapper(struct rl_timer *timer)
{
    struct rl_timer_storage *storage = rl_timer_storage(timer);
    Boolean (*keep)(void *) = storage->functions->keep;
    return keep && rl_callout_keep(keep, storage->bytes);
}

/* It has left the loop. No locks held, and the caller has a reference to the timer. */
void rl_timer_let_go_of_wrapper(struct rl_timer *timer);

/* Frees those of a loop. */
void rl_timer_free_spares(struct rl_loop *loop);

/* Calls the timers of a mode that are due (TMR-15). No locks held. */
void rl_timer_fire_due(struct rl_mode *mode);

#endif
