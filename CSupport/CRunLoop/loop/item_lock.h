/*
 * Locks an item together with its loop. The lock order requires that the loop is locked first, but
 * the caller only has the item.
 */

#ifndef RL_ITEM_LOCK_H
#define RL_ITEM_LOCK_H

#include "loop/item.h"

#include <sys/types.h>

/*
 * Locks the loop of an observer or timer, then the item. Returns the loop, retained if it is
 * another thread's. If the item is in no loop, locks only the item and returns null. The caller
 * must hold a reference to the item until rl_item_unlock_with_loop.
 */
struct rl_loop *rl_item_lock_with_loop(struct rl_item *item);
void rl_item_unlock_with_loop(struct rl_item *item, struct rl_loop *loop);

/*
 * Calls `visit` for each membership, with the loop and the item locked. Call this without a lock.
 */
void rl_item_for_each_membership(struct rl_item *item, void (*visit)(struct rl_membership *));

/*
 * Returns the id of a live thread whose loop contains the item. Returns 0 if there is none, or if
 * the calling thread's loop contains the item.
 */
pid_t rl_item_foreign_thread(struct rl_item *item);

struct rl_place {
    struct rl_loop *loop;
    RLStringRef mode;
};

/*
 * Stores the item's places, which are pairs of a loop and a mode name, and returns their number.
 * Free the places with rl_item_free_places.
 */
size_t rl_item_copy_places(struct rl_item *item, struct rl_place **ret_places);
void rl_item_free_places(struct rl_place *places, size_t count);

#endif
