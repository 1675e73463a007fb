/*
 * A heap of timers, ordered by deadline and then by addition, with four children per node. Guarded
 * by the loop's lock. Once a timer has a tolerance, each place also stores the latest moment at
 * which a loop must wake for the subtree; a change of a place updates its ancestors.
 */

#ifndef RL_TIMER_HEAP_H
#define RL_TIMER_HEAP_H

#include "loop/item.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Four entries fit into a cache line, so the children of a node share one line. */
struct rl_timer_entry {
    int64_t deadline_ns;
    /* Null for a timer that has left the list of due timers. */
    struct rl_timer_membership *membership;
};

struct rl_timer_heap {
    struct rl_timer_entry *entries;
    uint32_t count;
    uint32_t capacity;
    /* For each place, the latest moment to wake the loop. Null until a timer has a tolerance. */
    int64_t *latest_ns;
    /* The indexes of the due timers that the last search found. */
    uint32_t *found;
    uint32_t found_capacity;
};

/* A `place` with this value or more means that the membership is not in the heap. */
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

/* Returns the deadline plus the tolerance; RL_NEVER_NS while the timer is being called. */
int64_t rl_timer_latest_ns(const struct rl_timer_entry *entry);

/* Adds the entry, and stores its place in the membership. */
void rl_timer_heap_push(struct rl_timer_heap *heap, struct rl_timer_entry entry);

void rl_timer_heap_remove(struct rl_timer_heap *heap, size_t place);

/* Replaces the entry at `place`, and restores the heap order. */
void rl_timer_heap_replace(struct rl_timer_heap *heap, size_t place, struct rl_timer_entry entry);

/* Returns the first timer that is not being called, or null. */
const struct rl_timer_entry *rl_timer_heap_next(const struct rl_timer_heap *heap);

void rl_timer_heap_begin_latest(struct rl_timer_heap *heap);

/* Call this when the tolerance or the mark (rl_timer_mark) of the timer at `place` has changed. */
void rl_timer_heap_refresh(const struct rl_timer_heap *heap, size_t place);

/* Stores the indexes of all due timers in `found`, in ascending order. Returns their number. */
uint32_t rl_timer_heap_find_due(struct rl_timer_heap *heap, int64_t now_ns);

void rl_timer_heap_verify(const struct rl_timer_heap *heap);

void rl_timer_heap_destroy(struct rl_timer_heap *heap);

#endif
