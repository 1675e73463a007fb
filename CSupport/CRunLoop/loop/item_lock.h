/*
 * Getting from an item to the loops that it is in, against the order of locks: a loop is locked
 * before its items.
 */

#ifndef RL_ITEM_LOCK_H
#define RL_ITEM_LOCK_H

#include "loop/item.h"

#include <sys/types.h>

/*
 * Locks the loop that an observer or timer is in, and then the item. Returns the loop, retained if
 * it is another thread's, or null, with only the item locked, if the item is in no loop. The caller
 * keeps a reference to the item until it is unlocked.
 */
struct rl_loop *rl_item_lock_with_loop(struct rl_item *item);
void rl_item_unlock_with_loop(struct rl_item *item, struct rl_loop *loop);

/* Calls a function for each membership, with the loop and the item locked. */
void rl_item_for_each_membership(struct rl_item *item, void (*visit)(struct rl_membership *));

/*
 * Returns the number of a thread that lives and has an item in its loop; 0 if there is none, and if
 * the item is in the calling thread's loop.
 */
pid_t rl_item_foreign_thread(struct rl_item *item);

/* A mode of a loop that an item is in. */
struct rl_place {
    struct rl_loop *loop;
    RLStringRef mode;
};

/*
 * Returns the number of modes that an item is in, and these. The caller owns loops, names and the
 * array, all of which rl_item_free_places gives up.
 */
size_t rl_item_copy_places(struct rl_item *item, struct rl_place **ret_places);
void rl_item_free_places(struct rl_place *places, size_t count);

#endif
