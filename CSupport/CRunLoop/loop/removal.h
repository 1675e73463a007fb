/*
 * Removes an item from all modes when it becomes invalid, and all items of a loop when its thread
 * ends.
 */

#ifndef RL_REMOVAL_H
#define RL_REMOVAL_H

#include "loop/item.h"

/*
 * Invalidates an observer or timer, removes it from all modes and gives its info up. Does nothing
 * if the item is invalid already. The caller must hold a reference.
 */
void rl_item_invalidate(struct rl_item *item, void **info,
                        const struct rl_client_functions *functions);

/*
 * Removes an item that was just invalidated from all modes, and calls `cancel`. Call this without a
 * lock.
 */
void rl_item_leave_all(struct rl_item *item);

/*
 * Empty a loop whose thread ends, when the loop accepts no more items. The first function removes
 * the sources and calls `cancel` for each mode (LIFE-11). The second removes all observers and
 * timers, then releases them, observers first (LIFE-12).
 */
void rl_item_purge_sources(struct rl_loop *loop);
void rl_item_purge_observers_and_timers(struct rl_loop *loop);

#endif
