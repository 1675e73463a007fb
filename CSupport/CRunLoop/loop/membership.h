/*
 * Entering and leaving modes, for all kinds of items, with the locks held; and the calls that this
 * defers until the locks are free.
 */

#ifndef RL_MEMBERSHIP_H
#define RL_MEMBERSHIP_H

#include "loop/item.h"

/*
 * Calls that are deferred until no lock is held: notifications of clients whose items have entered
 * or left modes, and releases, as the last release of an object runs code of the client.
 */
struct rl_deferred_calls {
    struct rl_deferred_call {
        /* Owned, as is the name. */
        struct rl_item *item;
        void (*notify)(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name);
        RLStringRef mode_name;
        /* The item is a source that has left its last mode of the loop. */
        bool gives_up_loop;
    } *list;
    size_t count;
    size_t capacity;
    /* Most changes need one or none. */
    struct rl_deferred_call inline_list[4];
};

/* Does not clear the inline entries, which saves time. */
static inline void rl_deferred_calls_init(struct rl_deferred_calls *calls)
{
    calls->list = calls->inline_list;
    calls->count = 0;
    calls->capacity = sizeof calls->inline_list / sizeof calls->inline_list[0];
}

/* Makes the calls of one loop, in order, and frees the list. Without locks. */
void rl_deferred_calls_make(struct rl_deferred_calls *calls, struct rl_loop *loop);

/* Returns whether the item may enter modes of the loop, with both locked. */
bool rl_membership_is_allowed(const struct rl_item *item, const struct rl_loop *loop);

/* Adds the item to a mode, unless it is a member. With the loop and the item locked. */
void rl_membership_begin(struct rl_mode *mode, struct rl_item *item,
                         struct rl_deferred_calls *calls);

/*
 * Ends a membership, with the loop and the item locked. Its reference to the item goes to the list.
 */
void rl_membership_end(struct rl_membership *membership, struct rl_deferred_calls *calls);

#endif
