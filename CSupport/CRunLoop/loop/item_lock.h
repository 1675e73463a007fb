/*
 * Locks an item together with its loop, starting from the item: the order of locks puts the loop
 * first.
 */

#ifndef RL_ITEM_LOCK_H
#define RL_ITEM_LOCK_H

#include "loop/item.h"

#include <sys/types.h>

/*
 * Locks the loop of an observer or timer, and then the item. Returns the loop, retained if it is
 * another thread's, or null, with only the item locked, if the item is in no loop. The caller keeps
 * a reference to the item until it unlocks the item.
 */
struct rl_loop *rl_item_lock_with_loop(struct rl_item *item);
void rl_item_unlock_with_loop(struct rl_item *item, struct rl_loop *loop);

/* With the loop and the item locked. */
void rl_item_for_each_membership(struct rl_item *item, void (*visit)(struct rl_membership *));

/*
 * Returns the id of a live thread whose loop has the item; 0 if there is none, and if the item is
 * in the calling thread's loop.
 */
pid_t rl_item_foreign_thread(struct rl_item *item);

struct rl_place {
    struct rl_loop *loop;
    RLStringRef mode;
};

/*
 * Returns the number of the item's places, and the places. The caller frees them by
 * rl_item_free_places.
 */
size_t rl_item_copy_places(struct rl_item *item, struct rl_place **ret_places);
void rl_item_free_places(struct rl_place *places, size_t count);

#endif
