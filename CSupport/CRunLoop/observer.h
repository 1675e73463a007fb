/*
 * Observers.
 */

#ifndef RL_OBSERVER_H
#define RL_OBSERVER_H

#include "item.h"

#include <CRunLoop/RLRunLoopObserver.h>

struct rl_observer {
    struct rl_item item;
    RLOptionFlags activities;
    RLIndex order;
    bool repeats;
    RLRunLoopObserverCallBack callout;
    struct rl_client_info client;
    struct rl_membership home;
};

static inline struct rl_observer *rl_observer_of(const struct rl_item *item)
{
    return (struct rl_observer *)(uintptr_t)item;
}

/* Tells the observers of a mode, in order, what the loop is about to do (OBS-4). No locks held. */
void rl_observer_notify(struct rl_mode *mode, RLRunLoopActivity activity);

#endif
