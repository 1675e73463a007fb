/*
 * The common part of sources, observers and timers: validity, and membership in modes.
 *
 * A membership records that one item is in one mode, and has a reference to the item. The loop's
 * lock guards the links of the mode's list, and the item's lock guards the links of the item's
 * list. To begin or end a membership, hold both locks. A thread ends all memberships of its loop
 * before it releases the loop, so the loop of a membership is alive. Most items are in one mode, so
 * each item embeds one membership; further memberships are allocated.
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
    /* The mode; null in an embedded membership that is not used. */
    struct rl_mode *mode;
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
     * True if the membership is on the mode's list of signalled sources. To change this, hold the
     * item's lock and the signal lock.
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
    /* A number from `rl_loop.placements`, which orders timers with the same deadline. */
    uint64_t placement;
    uint32_t place;
};

struct rl_item {
    /* The object header, which contains the item's lock. */
    struct rl_object object;
    /* Counts the callbacks of a source or timer, for monitors. Wraps around. */
    atomic_uint callouts;
    /* To pin, hold the lock of the item or of its loop; to give the info up, hold both. */
    struct rl_info_pins pins;
    atomic_bool is_valid;
    /* In an observer, the item's lock guards this. In a timer, see timer_data.h. */
    bool is_called;
    struct rl_membership *memberships;
    /*
     * The only loop of an observer or timer; null in a source. To change this, hold the item's lock
     * and the lock of the loop that the item enters or leaves. So a thread that holds the lock of
     * this loop may rely on the field.
     */
    _Atomic(struct rl_loop *) loop;
};

struct rl_client_functions {
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    RLStringRef (*copy_description)(const void *info);
};

/* The functions of each kind of item, for code that handles all kinds. */
struct rl_item_functions {
    size_t membership_size;
    size_t embedded_offset;
    /*
     * Returns the membership of the item or of an equal item, or null. Called with the loop locked.
     * The function pointer is null for kinds of items that are compared by identity.
     */
    struct rl_membership *(*find_equal)(struct rl_mode *mode, const struct rl_item *item);
    /* Called with the loop and the item locked. */
    void (*link)(struct rl_membership *member);
    void (*unlink)(struct rl_membership *member);
    /* Notify the client. Called without a lock. Null for kinds without such callbacks. */
    void (*entered)(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name);
    void (*left)(struct rl_item *item, struct rl_loop *loop, RLStringRef mode_name);
};

/* The file of each kind registers its functions. */
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
 * Not an atomic increment: only the thread of the item's loop counts. If a source is in several
 * loops, its count may be inexact.
 */
static inline void rl_item_count_callout(struct rl_item *item)
{
    unsigned count = atomic_load_explicit(&item->callouts, memory_order_relaxed);
    atomic_store_explicit(&item->callouts, count + 1, memory_order_relaxed);
}

#endif
