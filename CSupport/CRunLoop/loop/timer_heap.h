/*
 * The heap of a mode's timers, by deadline, of four children per node. Timers that are due together
 * come in the order in which they were placed. Guarded by the loop's lock.
 *
 * Once a timer has a tolerance, each place also has the latest moment at which a loop must wake for
 * the timers from there down. A change of a place updates those above it.
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
    /* Null in the list of due timers where a timer was. */
    struct rl_timer_membership *membership;
};

struct rl_timer_heap {
    struct rl_timer_entry *entries;
    uint32_t count;
    uint32_t capacity;
    /* By place: the latest moment to wake. Null while no timer has had a tolerance. */
    int64_t *latest_ns;
    /* The places of the due timers that were found; memory that is kept. */
    uint32_t *found;
    uint32_t found_capacity;
};

/* Places are below this: the bit marks memberships that are not in the heap. */
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

/* Adds an entry. A membership knows its place in the heap. */
void rl_timer_heap_push(struct rl_timer_heap *heap, struct rl_timer_entry entry);

/* Removes the entry at a place. */
void rl_timer_heap_remove(struct rl_timer_heap *heap, size_t place);

/* Puts an entry where the order wants it, in place of the one at `place`. */
void rl_timer_heap_replace(struct rl_timer_heap *heap, size_t place, struct rl_timer_entry entry);

/* Returns the first timer that is not being called; null if there is none. */
const struct rl_timer_entry *rl_timer_heap_next(const struct rl_timer_heap *heap);

/* Keeps the latest moments from now on. */
void rl_timer_heap_begin_latest(struct rl_timer_heap *heap);

/* To be called when the latest moment of the timer at a place has changed, if they are kept. */
void rl_timer_heap_refresh(const struct rl_timer_heap *heap, size_t place);

/* Writes the places of the due timers, in ascending order, to `found`. Returns their number. */
uint32_t rl_timer_heap_find_due(struct rl_timer_heap *heap, int64_t now_ns);

/* Stops if the order, a place or a latest moment is wrong. */
void rl_timer_heap_verify(const struct rl_timer_heap *heap);

void rl_timer_heap_destroy(struct rl_timer_heap *heap);

#endif
