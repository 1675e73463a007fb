#ifndef RL_REMOVAL_H
#define RL_REMOVAL_H

#include "loop/item.h"

/*
 * Removes an observer or timer from all modes and gives its info up. Does nothing if the item is
 * invalid. The caller must hold a reference.
 */
void rl_item_invalidate(struct rl_item *item, void **info,
                        const struct rl_client_functions *functions);

/* Removes an invalidated item from all modes, and calls `cancel`. Call this without a lock. */
void rl_item_leave_all(struct rl_item *item);

/*
 * Empty the loop of an ending thread, when the loop accepts no more items. rl_item_purge_sources
 * calls `cancel` for each mode (LIFE-11). rl_item_purge_observers_and_timers releases the observers
 * before the timers (LIFE-12).
 */
void rl_item_purge_sources(struct rl_loop *loop);
void rl_item_purge_observers_and_timers(struct rl_loop *loop);

#endif
