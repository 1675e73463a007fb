/* Removes items from all modes at once: when they become invalid, and when a thread ends. */

#ifndef RL_REMOVAL_H
#define RL_REMOVAL_H

#include "loop/item.h"

/*
 * Invalidates an observer or timer, removes it from all modes and gives its info up. Does nothing
 * if it is invalid. The caller has a reference.
 */
void rl_item_invalidate(struct rl_item *item, void **info,
                        const struct rl_client_functions *functions);

/* Removes an item that has just become invalid from all modes, and calls `cancel` without locks. */
void rl_item_leave_all(struct rl_item *item);

/*
 * For a loop whose thread ends, and which refuses items already. The first removes the sources, and
 * calls `cancel` for each mode (LIFE-11); the second removes all observers and timers, and then
 * releases them, observers first (LIFE-12).
 */
void rl_item_purge_sources(struct rl_loop *loop);
void rl_item_purge_observers_and_timers(struct rl_loop *loop);

#endif
