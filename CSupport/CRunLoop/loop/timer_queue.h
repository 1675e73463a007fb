/*
 * The timers of a mode: a heap, and a list of due timers. Removing the first timer of the list
 * takes constant time. A timer that is being called keeps its place. Guarded by the loop's lock.
 */

#ifndef RL_TIMER_QUEUE_H
#define RL_TIMER_QUEUE_H

#include "loop/timer_heap.h"

struct rl_timer_queue {
    struct rl_timer_heap heap;
    /* The due timers have the indexes from `due_first` up to, but not including, `due_end`. */
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
 * Call this when a timer's tolerance or its mark (rl_timer_mark) has changed. Do not call this for
 * the queue of the common items.
 */
void rl_timer_queue_refresh(struct rl_timer_queue *queue,
                            const struct rl_timer_membership *membership);

/* Returns the first timer, even if it is being called, or null. */
static inline const struct rl_timer_entry *rl_timer_queue_first(const struct rl_timer_queue *queue)
{
    const struct rl_timer_entry *top = queue->heap.count > 0 ? &queue->heap.entries[0] : NULL;
    if (queue->due_first == queue->due_end) return top;
    const struct rl_timer_entry *due = &queue->due[queue->due_first];
    return top && rl_timer_precedes(top, due) ? top : due;
}

/* Returns the first timer that is not being called, or null. */
const struct rl_timer_entry *rl_timer_queue_next(const struct rl_timer_queue *queue);

/* Returns the moment at which a sleep must end. If `is_exact` is true, ignores the tolerances. */
int64_t rl_timer_queue_hard_deadline(const struct rl_timer_queue *queue, bool is_exact);

/*
 * Returns the number of due timers, including timers that are being called. The due timers move to
 * the list, except if there is only one, which stays at the top of the heap. The result is valid
 * until the queue changes.
 */
size_t rl_timer_queue_collect_due(struct rl_timer_queue *queue, int64_t now_ns);

void rl_timer_queue_visit(const struct rl_timer_queue *queue,
                          void (*visit)(struct rl_membership *));

/* Stores all timers, in order, in an array that is large enough. Returns their number. */
size_t rl_timer_queue_copy(const struct rl_timer_queue *queue, struct rl_membership **ret_members);

static inline struct rl_timer_membership *rl_timer_queue_due(const struct rl_timer_queue *queue,
                                                             size_t index)
{
    bool is_listed = queue->due_first != queue->due_end;
    return (is_listed ? queue->due : queue->heap.entries)[index].membership;
}

/* Iterates by an index from 0. Stores null if the place is empty. Returns false at the end. */
static inline bool rl_timer_queue_at(const struct rl_timer_queue *queue, uint32_t index,
                                     const struct rl_timer_membership **ret_membership)
{
    uint32_t place = index - queue->heap.count + queue->due_first;
    bool is_in_heap = index < queue->heap.count;
    if (!is_in_heap && place >= queue->due_end) return false;
    *ret_membership = (is_in_heap ? queue->heap.entries[index] : queue->due[place]).membership;
    return true;
}

void rl_timer_queue_verify(const struct rl_timer_queue *queue);

void rl_timer_queue_destroy(struct rl_timer_queue *queue);

#endif
