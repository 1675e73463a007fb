#ifndef RL_OBSERVER_H
#define RL_OBSERVER_H

#include "loop/item.h"

#include <CRunLoop/RLRunLoopObserver.h>

struct rl_observer {
    struct rl_item item;
    struct rl_observer_membership embedded;
    RLOptionFlags activities;
    RLIndex order;
    bool repeats;
    /* True if a nested run may call the observer again. */
    bool may_nest;
    RLRunLoopObserverCallBack callout;
    void *info;
    struct rl_client_functions functions;
};

static inline struct rl_observer *rl_observer_of(const struct rl_item *item)
{
    return (struct rl_observer *)(uintptr_t)item;
}

/* Calls the observers in order (OBS-4). Call this without a lock. */
void rl_observer_notify(struct rl_mode *mode, RLRunLoopActivity activity);

#endif
