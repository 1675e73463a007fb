/*
 * The part that sources, observers and timers have in common: validity, and membership in modes.
 *
 * A membership records that one item is in one mode. The mode and the item each link the
 * membership. The loop's lock guards the mode's links, the item's lock guards the item's links; to
 * begin or end a membership, hold both locks. A membership has a reference to the item. A thread
 * ends all memberships of its loop before it releases the loop, so the loop of a membership is
 * alive. Each item embeds one membership, as most items are in one mode; further memberships are
 * allocated.
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
    /* Null in an embedded membership that is unused. */
    struct rl_mode *mode;
    /* The item's next membership, and the address of the pointer to this membership. */
    struct rl_membership *next_of_item, **link_of_item;
};

struct rl_source_membership {
    struct rl_membership common;
    TAILQ_ENTRY(rl_source_membership) link;
    SPLAY_ENTRY(rl_source_membership) node;
    /* The next source with the same hash. Only the first source with a hash is in the tree. */
    struct rl_source_membership *same_hash;
    RLHashCode hash;
    LIST_ENTRY(rl_source_membership) signalled_link;
    /*
     * The source is on the mode's list of signalled sources. To change this, hold the item's lock
     * and the signal lock.
     */
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
    /*
     * The value of `rl_loop.placements` when the timer was added. Orders timers with the same
     * deadline.
     */
    uint64_t placement;
    uint32_t place;
};

struct rl_item {
    /* Contains the item's lock. */
    struct rl_object object;
    /* The number of callbacks of a source or timer so far, for monitors. It wraps around. */
    atomic_uint callouts;
    /*
     * The pins of an observer's or timer's info. To pin the info, hold the lock of the item or of
     * its loop. To give the info up, hold both locks.
     */
    struct rl_info_pins pins;
    atomic_bool is_valid;
    /*
     * A callback of the observer or timer is running. In an observer, the item's lock guards this
     * field; for timers see timer_data.h.
     */
    bool is_called;
    struct rl_membership *memberships;
    /*
     * The only loop whose modes contain the observer or timer; null in a source. To change this,
     * hold the item's lock and the lock of the loop that the item enters or leaves. So if this
     * field names a loop, a thread that holds the lock of this loop may rely on the field.
     */
    _Atomic(struct rl_loop *) loop;
};

struct rl_client_functions {
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    RLStringRef (*copy_description)(const void *info);
};

/* The functions of one kind of item, for code that handles all kinds. */
struct rl_item_functions {
    /* The size of a membership, and the offset of the embedded membership in the item. */
    size_t membership_size;
    size_t embedded_offset;
    /*
     * Returns the membership of the item or of an equal item, or null. The function pointer is null
     * for kinds that are compared by identity. Called with the loop locked.
     */
    struct rl_membership *(*find_equal)(struct rl_mode *mode, const struct rl_item *item);
    /*
     * Add a membership to the mode's container of this kind, and remove it. Called with the loop
     * and the item locked.
     */
    void (*link)(struct rl_membership *member);
    void (*unlink)(struct rl_membership *member);
    /*
     * Notify the client that the item has entered or left a mode. Null for kinds without such
     * callbacks. Called without a lock.
     */
    void (*entered)(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name);
    void (*left)(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name);
};

/* The functions of each kind. The file of each kind registers them. */
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
 * Counts a callback. Needs no atomic increment: only the thread of the item's loop counts, except
 * for a source in several loops, whose count may then be inexact.
 */
static inline void rl_item_count_callout(struct rl_item *item)
{
    unsigned count = atomic_load_explicit(&item->callouts, memory_order_relaxed);
    atomic_store_explicit(&item->callouts, count + 1, memory_order_relaxed);
}

#endif
