/*
 * The common part of sources, observers and timers, as data: validity, and membership in modes.
 *
 * A membership is the presence of one item in one mode. Both sides link it: the loop's lock guards
 * the mode's side, the item's lock the item's side, and both are held when it is made or ended. It
 * holds one reference to the item. A thread ends all memberships of its loop before it releases the
 * loop: so the loop of a membership is alive. Each item embeds one membership, as most items are in
 * one mode; more are allocated.
 */

#ifndef RL_ITEM_H
#define RL_ITEM_H

#include "base/info_pins.h"
#include "base/lock.h"
#include "base/object.h"

#include <CRunLoop/RLRunLoop.h>

#include <bsd/sys/queue.h>
#include <bsd/sys/tree.h>

struct rl_item;
struct rl_loop;
struct rl_mode;

enum rl_item_kind { RL_ITEM_SOURCE, RL_ITEM_OBSERVER, RL_ITEM_TIMER, RL_ITEM_KINDS };

struct rl_membership {
    struct rl_item *item;
    /* Null in an embedded membership that is not in use. */
    struct rl_mode *mode;
    /* The item's next membership, and the pointer to this one. */
    struct rl_membership *next_of_item, **link_of_item;
};

struct rl_source_membership {
    struct rl_membership common;
    TAILQ_ENTRY(rl_source_membership) link;
    SPLAY_ENTRY(rl_source_membership) node;
    /* The next source with the same hash; only the first is in the tree. */
    struct rl_source_membership *same_hash;
    RLHashCode hash;
    LIST_ENTRY(rl_source_membership) signalled_link;
    /* On the mode's list of signalled sources. Changes with the item and the signal lock held. */
    bool is_signalled;
    /* The slot of the source's descriptor in the wait set. */
    uint32_t slot;
};

struct rl_observer_membership {
    struct rl_membership common;
    TAILQ_ENTRY(rl_observer_membership) link;
};

struct rl_timer_membership {
    struct rl_membership common;
    /* The loop's count of placements. It orders timers with the same deadline. */
    uint64_t placement;
    uint32_t place;
};

struct rl_item {
    /* Its lock is the item's. */
    struct rl_object object;
    /* The number of a source's or timer's callbacks so far, for monitors; wraps around. */
    atomic_uint callouts;
    /*
     * The pins of an observer's or timer's info. To pin, hold the item's lock or its loop's; to
     * give the info up, hold both.
     */
    struct rl_info_pins pins;
    atomic_bool is_valid;
    /*
     * A callback of the observer or timer is running. The item's lock guards this in an observer;
     * timer_data.h names the lock in a timer.
     */
    bool is_called;
    struct rl_membership *memberships;
    /*
     * The one loop whose modes an observer or timer is in; null in a source. It changes with two
     * locks held, the item's and that of the loop that the item enters or leaves. So a thread that
     * holds a loop's lock may trust this field if it names that loop.
     */
    _Atomic(struct rl_loop *) loop;
};

struct rl_client_functions {
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    RLStringRef (*copy_description)(const void *info);
};

/* The functions of a kind of item, for the code that all kinds share. */
struct rl_item_functions {
    /* The size of a membership, and the offset of the embedded membership in an item. */
    size_t membership_size;
    size_t embedded_offset;
    /*
     * Returns the membership of the item, or of one equal to it, or null. The function is null if
     * items of this kind are compared by identity. Called with the loop locked.
     */
    struct rl_membership *(*find_equal)(struct rl_mode *mode, const struct rl_item *item);
    /*
     * Add a membership to the mode's container for the kind, and remove it. Called with the loop
     * and the item locked.
     */
    void (*link)(struct rl_membership *member);
    void (*unlink)(struct rl_membership *member);
    /*
     * Notify the client that the item has entered or left a mode. Null for kinds without such
     * callbacks. Called without locks.
     */
    void (*entered)(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name);
    void (*left)(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name);
};

/* The functions of each kind. Each kind registers its own. */
extern const struct rl_item_functions *rl_item_functions[RL_ITEM_KINDS];

#define RL_REGISTER_ITEM_FUNCTIONS(kind, functions)                                                \
    RL_AT_LOAD static void register_item_functions(void)                                           \
    {                                                                                              \
        rl_item_functions[kind] = &(functions);                                                    \
    }

static inline enum rl_item_kind rl_item_kind_of(const struct rl_item *item)
{
    switch (item->object.mark ^ RL_OBJECT_MARK) {
    case RL_TYPE_SOURCE: return RL_ITEM_SOURCE;
    case RL_TYPE_OBSERVER: return RL_ITEM_OBSERVER;
    default: return RL_ITEM_TIMER;
    }
}

/*
 * Counts a call. Only the threads of the item's loops count: one thread, except for shared sources.
 */
static inline void rl_item_count_callout(struct rl_item *item)
{
    unsigned count = atomic_load_explicit(&item->callouts, memory_order_relaxed);
    atomic_store_explicit(&item->callouts, count + 1, memory_order_relaxed);
}

#endif
