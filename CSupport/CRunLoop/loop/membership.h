#ifndef RL_MEMBERSHIP_H
#define RL_MEMBERSHIP_H

#include "loop/item.h"

/*
 * A list of calls of client code, which are deferred until no lock is held: notifications, and
 * releases of objects (the last release of an object calls client code).
 */
struct rl_deferred_calls {
    struct rl_deferred_call {
        /* The item and the mode name are retained. */
        struct rl_item *item;
        void (*notify)(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name);
        RLStringRef mode_name;
        /* True if the item is a source that has left its last mode of the loop. */
        bool gives_up_loop;
    } *list;
    size_t count;
    size_t capacity;
    struct rl_deferred_call inline_list[4];
};

static inline void rl_deferred_calls_init(struct rl_deferred_calls *calls)
{
    calls->list = calls->inline_list;
    calls->count = 0;
    calls->capacity = sizeof calls->inline_list / sizeof calls->inline_list[0];
}

/* Makes the calls in order and frees the list. Call this without a lock. */
void rl_deferred_calls_make(struct rl_deferred_calls *calls, struct rl_loop *loop);

/* True if the item may enter modes of the loop. Call this with the loop and the item locked. */
bool rl_membership_is_allowed(const struct rl_item *item, const struct rl_loop *loop);

/* Does nothing if the item is a member. Call this with the loop and the item locked. */
void rl_membership_begin(struct rl_mode *mode, struct rl_item *item,
                         struct rl_deferred_calls *calls);

/* The calls take over the reference to the item. Call this with the loop and the item locked. */
void rl_membership_end(struct rl_membership *membership, struct rl_deferred_calls *calls);

#endif
