/*
 * The timers of a mode in the order of their deadlines: a heap, and beside it the list of timers
 * that were found due, which removes its first entry in constant time. Guarded by the loop's lock.
 *
 * A timer that is being called keeps its place; searches for due timers skip it.
 */

#ifndef RL_TIMER_QUEUE_H
#define RL_TIMER_QUEUE_H

#include "loop/timer_heap.h"

struct rl_timer_queue {
    struct rl_timer_heap heap;
    /* The list of due timers, from `due_first` to `due_end`; empty if the two are equal. */
    struct rl_timer_entry *due;
    uint32_t due_first;
    uint32_t due_end;
    uint32_t due_capacity;
    uint32_t count;
};

void rl_timer_queue_insert(struct rl_timer_queue *queue, struct rl_timer_membership *membership,
                           int64_t deadline_ns, uint64_t placement);
void rl_timer_queue_remove(struct rl_timer_queue *queue, struct rl_timer_membership *membership);
void rl_timer_queue_move(struct rl_timer_queue *queue, struct rl_timer_membership *membership,
                         int64_t deadline_ns, uint64_t placement);

/*
 * Call this when a timer's tolerance, or its mark as being called, has changed. The queue of the
 * common items does not need this.
 */
void rl_timer_queue_refresh(struct rl_timer_queue *queue,
                            const struct rl_timer_membership *membership);

/* Returns the first timer, being called or not; null if there is none. */
static inline const struct rl_timer_entry *rl_timer_queue_first(const struct rl_timer_queue *queue)
{
    const struct rl_timer_entry *top = queue->heap.count > 0 ? &queue->heap.entries[0] : NULL;
    if (queue->due_first == queue->due_end) return top;
    const struct rl_timer_entry *due = &queue->due[queue->due_first];
    return top && rl_timer_precedes(top, due) ? top : due;
}

/* Returns the first timer that is not being called; null if there is none. */
const struct rl_timer_entry *rl_timer_queue_next(const struct rl_timer_queue *queue);

/*
 * Returns the latest moment at which a sleeping loop must wake so that no timer exceeds its
 * tolerance or, if `is_exact`, its deadline.
 */
int64_t rl_timer_queue_hard_deadline(const struct rl_timer_queue *queue, bool is_exact);

/*
 * Finds the due timers, being called or not, in order, and returns their number. Valid until the
 * queue changes. The timers become the list, but a single one stays at the top of the heap.
 */
size_t rl_timer_queue_collect_due(struct rl_timer_queue *queue, int64_t now_ns);

void rl_timer_queue_visit(const struct rl_timer_queue *queue,
                          void (*visit)(struct rl_membership *));

/* Writes all timers, in order, to an array of sufficient size. Returns their number. */
size_t rl_timer_queue_copy(const struct rl_timer_queue *queue, struct rl_membership **ret_members);

static inline struct rl_timer_membership *rl_timer_queue_due(const struct rl_timer_queue *queue,
                                                             size_t index)
{
    bool is_listed = queue->due_first != queue->due_end;
    return (is_listed ? queue->due : queue->heap.entries)[index].membership;
}

/*
 * Returns the timer at an index, in no order; null for an empty place of the list. Returns false
 * after the last index.
 */
static inline bool rl_timer_queue_at(const struct rl_timer_queue *queue, uint32_t index,
                                     const struct rl_timer_membership **ret_membership)
{
    uint32_t place = index - queue->heap.count + queue->due_first;
    bool is_in_heap = index < queue->heap.count;
    if (!is_in_heap && place >= queue->due_end) return false;
    *ret_membership = (is_in_heap ? queue->heap.entries[index] : queue->due[place]).membership;
    return true;
}

/* Stops the process if an order or a back-pointer is wrong. */
void rl_timer_queue_verify(const struct rl_timer_queue *queue);

void rl_timer_queue_destroy(struct rl_timer_queue *queue);

#endif
