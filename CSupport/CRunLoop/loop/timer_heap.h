/*
 * A heap of a mode's timers by deadline, with four children per node. Timers with the same deadline
 * come in the order of their placement. Guarded by the loop's lock.
 *
 * Once a timer has a tolerance, each place also has the latest moment at which a loop must wake for
 * the timers of its subtree. A change of a place updates its ancestors.
 */

#ifndef RL_TIMER_HEAP_H
#define RL_TIMER_HEAP_H

#include "loop/item.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Four fit into a cache line, so that a node's children share one. */
struct rl_timer_entry {
    int64_t deadline_ns;
    /* Null for a timer that has left the list of due timers. */
    struct rl_timer_membership *membership;
};

struct rl_timer_heap {
    struct rl_timer_entry *entries;
    uint32_t count;
    uint32_t capacity;
    /* By place: the latest moment to wake. Null until a timer has a tolerance. */
    int64_t *latest_ns;
    /* The places of the due timers that the last search found; memory that is kept. */
    uint32_t *found;
    uint32_t found_capacity;
};

/* Places are smaller: the bit marks memberships that are not in the heap. */
#define RL_TIMER_HEAP_LIMIT (UINT32_C(1) << 31)

static inline bool rl_timer_precedes(const struct rl_timer_entry *a, const struct rl_timer_entry *b)
{
    if (a->deadline_ns != b->deadline_ns) return a->deadline_ns < b->deadline_ns;
    return a->membership->placement < b->membership->placement;
}

static inline bool rl_timer_is_called(const struct rl_timer_entry *entry)
{
    return entry->membership->common.item->is_called;
}

/*
 * Returns the latest moment at which a loop must wake for this timer alone. One that is being
 * called needs no wake-up.
 */
int64_t rl_timer_latest_ns(const struct rl_timer_entry *entry);

/* Adds an entry. Its membership stores the place. */
void rl_timer_heap_push(struct rl_timer_heap *heap, struct rl_timer_entry entry);

void rl_timer_heap_remove(struct rl_timer_heap *heap, size_t place);

/* Replaces the entry at `place` and restores the order. */
void rl_timer_heap_replace(struct rl_timer_heap *heap, size_t place, struct rl_timer_entry entry);

/* Returns the first timer that is not being called; null if there is none. */
const struct rl_timer_entry *rl_timer_heap_next(const struct rl_timer_heap *heap);

/* Maintains the latest moments from now on. */
void rl_timer_heap_begin_latest(struct rl_timer_heap *heap);

/* Call this when the latest moment of the timer at a place has changed, if they are maintained. */
void rl_timer_heap_refresh(const struct rl_timer_heap *heap, size_t place);

/* Writes the places of the due timers, in ascending order, to `found`. Returns their number. */
uint32_t rl_timer_heap_find_due(struct rl_timer_heap *heap, int64_t now_ns);

/* Stops the process if the order, a place or a latest moment is wrong. */
void rl_timer_heap_verify(const struct rl_timer_heap *heap);

void rl_timer_heap_destroy(struct rl_timer_heap *heap);

#endif
