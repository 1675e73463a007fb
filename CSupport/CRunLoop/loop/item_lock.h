/* Locks an item together with its loop. The lock order requires that the loop is locked first. */

#ifndef RL_ITEM_LOCK_H
#define RL_ITEM_LOCK_H

#include "loop/item.h"

#include <sys/types.h>

/*
 * For an observer or timer. Returns the loop, which is retained if it is the loop of another
 * thread. Returns null if the item is in no loop; then only the item is locked. Keep a reference to
 * the item until the unlock.
 */
struct rl_loop *rl_item_lock_with_loop(struct rl_item *item);
void rl_item_unlock_with_loop(struct rl_item *item, struct rl_loop *loop);

/* Calls `visit` with the loop and the item locked. Call this without a lock. */
void rl_item_for_each_membership(struct rl_item *item, void (*visit)(struct rl_membership *));

/*
 * Returns a live thread whose loop has the item. Returns 0 if there is none, or if the calling
 * thread's loop has the item.
 */
pid_t rl_item_foreign_thread(struct rl_item *item);

struct rl_place {
    struct rl_loop *loop;
    RLStringRef mode;
};

/* Returns the number of places. The caller frees the places with rl_item_free_places. */
size_t rl_item_copy_places(struct rl_item *item, struct rl_place **ret_places);
void rl_item_free_places(struct rl_place *places, size_t count);

#endif
