/*
 * What sources, observers and timers share: validity, and membership in modes.
 *
 * A membership is the presence of one item in one mode. It is linked from both sides and owned by
 * both: the mode's side is guarded by the loop's lock, the item's side by the item's lock, and it
 * comes and goes with both held. It holds one reference to the item. As long as there is one its
 * loop has the reference of a thread, whose end ends all memberships before. The first one is part
 * of the item, as most items are in one mode.
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

/* The functions of a tree, for one file; RB_GENERATE_STATIC needs a macro that Linux lacks. */
#define RL_TREE_FUNCTIONS(name, type, field, compare)                                              \
    RB_GENERATE_INTERNAL(name, type, field, compare, static __attribute__((unused)))

enum rl_item_kind { RL_ITEM_SOURCE, RL_ITEM_OBSERVER, RL_ITEM_TIMER, RL_ITEM_KINDS };

/* What the memberships of all kinds begin with; see rl_membership_item for whose it is. */
struct rl_membership {
    /* Null in the one that is part of an item, as long as it is not used. */
    struct rl_mode *mode;
    struct rl_membership *next_of_item;
    union {
        /*
         * Of sources and observers. Timers are in the mode's queue, and have no neighbors to look
         * at.
         */
        TAILQ_ENTRY(rl_membership) link;
        struct {
            /* The loop's count of placements, which breaks ties, and the mode's of additions. */
            uint64_t placement, addition;
        };
    };
    /* A timer's in the mode's queue; where the wait set keeps a source's descriptor. */
    uint32_t place;
    /* It lies right behind the item. Set once. */
    bool is_home;
    /* The source is on the mode's list. Guarded by the signal lock. */
    bool is_signalled;
    /*
     * In the home of a source: what few sources have lies at its end. Set once; here as there is
     * room.
     */
    bool has_more;
};

struct rl_source_membership {
    struct rl_membership common;
    SPLAY_ENTRY(rl_source_membership) node;
    /* The next source with the same hash; only the first is in the tree. */
    struct rl_source_membership *same_hash;
    RLHashCode hash;
    LIST_ENTRY(rl_source_membership) signalled_link;
};

static inline struct rl_source_membership *rl_source_membership_of(struct rl_membership *member)
{
    return (struct rl_source_membership *)member;
}

struct rl_item {
    /* With the item's lock. */
    struct rl_object object;
    /* Calls of a source's or timer's callback, for those who look at it; wraps around. */
    atomic_uint callouts;
    /* Those of an observer's or timer's info. Guarded by the lock. */
    struct rl_info_pins pins;
    atomic_bool is_valid;
    /* A callback runs. An observer's is guarded by the item's lock; for a timer's see there. */
    bool is_called;
    struct rl_membership *memberships;
    union {
        /*
         * Observers and timers: the one loop whose modes they are in. Changes with the item's lock
         * held, and that of the loop that it enters or leaves: who holds a loop's lock and finds it
         * here has it stay.
         */
        _Atomic(struct rl_loop *) loop;
        struct {
            /* Sources: an rl_signal_state. */
            atomic_uint signal_state;
            /* Sources: set once. */
            unsigned version;
        };
    };
};

/* The functions of an observer's or timer's context. */
struct rl_client_functions {
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    RLStringRef (*copy_description)(const void *info);
};

/* What lies before a membership that is not part of an item. */
struct rl_distant_membership {
    struct rl_item *item;
    struct rl_source_membership member;
};

/* A home lies right behind its item, whatever its kind. */
#define RL_ITEM_HAS_HOME(type)                                                                     \
    _Static_assert(offsetof(type, home) == sizeof(struct rl_item), "a home is behind its item")

static inline struct rl_membership *rl_item_home(struct rl_item *item)
{
    return (struct rl_membership *)(void *)(item + 1);
}

static inline struct rl_distant_membership *
rl_membership_distant(const struct rl_membership *member)
{
    uintptr_t address = (uintptr_t)member - offsetof(struct rl_distant_membership, member);
    return (struct rl_distant_membership *)address;
}

/* Whose it is. */
static inline struct rl_item *rl_membership_item(const struct rl_membership *member)
{
    if (member->is_home) return (struct rl_item *)(uintptr_t)member - 1;
    return rl_membership_distant(member)->item;
}

/* For an item that has just been made. */
static inline void rl_item_init(struct rl_item *item)
{
    atomic_init(&item->is_valid, true);
    rl_item_home(item)->is_home = true;
}

/* The mark of what is known to be an item needs no check. */
static inline enum rl_item_kind rl_item_kind_of(const struct rl_item *item)
{
    switch (item->object.mark ^ RL_OBJECT_MARK) {
    case RL_TYPE_SOURCE: return RL_ITEM_SOURCE;
    case RL_TYPE_OBSERVER: return RL_ITEM_OBSERVER;
    default: return RL_ITEM_TIMER;
    }
}

/* Counts a call. Only threads that run loops with the item do: one, but for shared sources. */
static inline void rl_item_count_callout(struct rl_item *item)
{
    unsigned count = atomic_load_explicit(&item->callouts, memory_order_relaxed);
    atomic_store_explicit(&item->callouts, count + 1, memory_order_relaxed);
}

/* The item's membership in the mode, or null. For a source: only this very object's. */
static inline struct rl_membership *rl_item_membership_in(const struct rl_item *item,
                                                          const struct rl_mode *mode)
{
    struct rl_membership *member = item->memberships;
    while (member && member->mode != mode) member = member->next_of_item;
    return member;
}

/*
 * Adds, removes and looks up, in a mode or in the common modes, calling `schedule` and `cancel`
 * without locks.
 */
void rl_item_add(struct rl_loop *loop, struct rl_item *item, RLRunLoopMode mode_name);
void rl_item_remove(struct rl_loop *loop, struct rl_item *item, RLRunLoopMode mode_name);
bool rl_item_is_contained(struct rl_loop *loop, struct rl_item *item, RLRunLoopMode mode_name);

/* Calls a function for each membership, with the loop and the item locked. */
void rl_item_for_each_membership(struct rl_item *item, void (*visit)(struct rl_membership *));

/* A mode of a loop that an item is in. */
struct rl_place {
    struct rl_loop *loop;
    RLStringRef mode;
};

/* Where an item is; the caller owns loops, names and the array, which rl_item_free_places frees. */
size_t rl_item_copy_places(struct rl_item *item, struct rl_place **ret_places);
void rl_item_free_places(struct rl_place *places, size_t count);

/*
 * Locks the loop that an observer or timer is in, and then the item. Returns the loop, retained if
 * it is another thread's, or null with only the item locked if it is in none. The caller keeps a
 * reference to the item until it is unlocked.
 */
struct rl_loop *rl_item_lock_with_loop(struct rl_item *item);
void rl_item_unlock_with_loop(struct rl_item *item, struct rl_loop *loop);

/* Adds all common items of the loop to a mode that has just become common. */
void rl_item_add_common_items(struct rl_loop *loop, struct rl_mode *mode);

/*
 * Makes an observer or timer, to which the caller has a reference, invalid, removes it from
 * everywhere and gives its info up; false if it was invalid already.
 */
bool rl_item_invalidate(struct rl_item *item, void **info,
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

/*
 * Around a callback with the info of an observer or timer, if its context can retain. To pin the
 * info, with the item locked and valid, keeps invalidation from releasing it. What is pinned is
 * then retained, which ends the pin, without locks; what that returns is passed to the callback and
 * released after it.
 */
void *rl_item_pin_info(struct rl_item *item, void *info,
                       const struct rl_client_functions *functions);
void *rl_item_retain_pinned_info(struct rl_item *item, void *pinned,
                                 const struct rl_client_functions *functions);
void rl_item_release_retained_info(void *retained, const struct rl_client_functions *functions);

/* Gives up the info of an item that is being destroyed. */
void rl_item_give_up_info(struct rl_item *item, void **info,
                          const struct rl_client_functions *functions);

#endif
