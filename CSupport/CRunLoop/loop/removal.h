/*
 * Taking items out of all modes at once: when they become invalid, and when a thread ends.
 */

#ifndef RL_REMOVAL_H
#define RL_REMOVAL_H

#include "loop/item.h"

/*
 * Makes an observer or timer, to which the caller has a reference, invalid, removes it from
 * everywhere and gives its info up. Does nothing if it is invalid already.
 */
void rl_item_invalidate(struct rl_item *item, void **info,
                        const struct rl_client_functions *functions);

/* Removes an item that has just become invalid from everywhere, calling `cancel` without locks. */
void rl_item_leave_all(struct rl_item *item);

/*
 * For a loop whose thread ends, which takes no items any more: removes the sources, calling
 * `cancel` for each mode (LIFE-11); removes all observers and timers, and then releases them,
 * observers first (LIFE-12).
 */
void rl_item_purge_sources(struct rl_loop *loop);
void rl_item_purge_observers_and_timers(struct rl_loop *loop);

#endif
