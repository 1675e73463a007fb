/*
 * The heap. Entries carry their keys, so that comparing touches no timer.
 */

#define _GNU_SOURCE

#include "timer_queue.h"

#include "timer.h"

#include <stdlib.h>

enum { CHILDREN = 4 };

static bool precedes(const struct rl_timer_queue_entry *a, const struct rl_timer_queue_entry *b)
{
    if (a->deadline_ns != b->deadline_ns) return a->deadline_ns < b->deadline_ns;
    return a->placement < b->placement;
}

static const struct rl_timer *timer_at(const struct rl_timer_queue *queue, size_t index)
{
    return rl_timer_of(rl_membership_item(queue->entries[index].membership));
}

static void put(struct rl_timer_queue *queue, size_t index, struct rl_timer_queue_entry entry)
{
    queue->entries[index] = entry;
    entry.membership->place = (uint32_t)index;
}

static void sift_up(struct rl_timer_queue *queue, size_t index, struct rl_timer_queue_entry entry)
{
    while (index > 0) {
        size_t parent = (index - 1) / CHILDREN;
        if (!precedes(&entry, &queue->entries[parent])) break;
        put(queue, index, queue->entries[parent]);
        index = parent;
    }
    put(queue, index, entry);
}

static size_t first_child(const struct rl_timer_queue *queue, size_t index)
{
    size_t child = index * CHILDREN + 1;
    size_t end = child + CHILDREN < queue->count ? child + CHILDREN : queue->count;
    size_t best = child;
    for (size_t next = child + 1; next < end; next++) {
        if (precedes(&queue->entries[next], &queue->entries[best])) best = next;
    }
    return best;
}

static void sift_down(struct rl_timer_queue *queue, size_t index, struct rl_timer_queue_entry entry)
{
    while (index * CHILDREN + 1 < queue->count) {
        size_t child = first_child(queue, index);
        if (!precedes(&queue->entries[child], &entry)) break;
        put(queue, index, queue->entries[child]);
        index = child;
    }
    put(queue, index, entry);
}

static void settle(struct rl_timer_queue *queue, size_t index, struct rl_timer_queue_entry entry)
{
    if (index > 0 && precedes(&entry, &queue->entries[(index - 1) / CHILDREN])) {
        sift_up(queue, index, entry);
    } else {
        sift_down(queue, index, entry);
    }
}

void rl_timer_queue_insert(struct rl_timer_queue *queue, struct rl_membership *membership,
                           int64_t deadline_ns, uint64_t placement)
{
    if (queue->count == queue->capacity) {
        queue->capacity = queue->capacity ? queue->capacity * 2 : 4;
        size_t size = queue->capacity * sizeof queue->entries[0];
        queue->entries = rl_reallocate(queue->entries, size);
    }
    struct rl_timer_queue_entry entry = {deadline_ns, placement, membership};
    sift_up(queue, queue->count++, entry);
    if (timer_at(queue, membership->place)->tolerance_ns > 0) queue->tolerant++;
}

void rl_timer_queue_remove(struct rl_timer_queue *queue, struct rl_membership *membership)
{
    size_t index = membership->place;
    if (timer_at(queue, index)->tolerance_ns > 0) queue->tolerant--;
    membership->place = RL_NOT_QUEUED;
    struct rl_timer_queue_entry last = queue->entries[--queue->count];
    if (index < queue->count) settle(queue, index, last);
}

void rl_timer_queue_move(struct rl_timer_queue *queue, struct rl_membership *membership,
                         int64_t deadline_ns, uint64_t placement)
{
    struct rl_timer_queue_entry entry = {deadline_ns, placement, membership};
    settle(queue, membership->place, entry);
}

/* The first timer below `index` that is not being called. Descends only below those that are. */
static const struct rl_timer_queue_entry *next_below(const struct rl_timer_queue *queue,
                                                     size_t index)
{
    if (index >= queue->count) return NULL;
    if (!timer_at(queue, index)->item.is_called) return &queue->entries[index];
    const struct rl_timer_queue_entry *best = NULL;
    for (size_t child = index * CHILDREN + 1; child <= index * CHILDREN + CHILDREN; child++) {
        const struct rl_timer_queue_entry *entry = next_below(queue, child);
        if (entry && (!best || precedes(entry, best))) best = entry;
    }
    return best;
}

const struct rl_timer_queue_entry *rl_timer_queue_next(const struct rl_timer_queue *queue)
{
    return next_below(queue, 0);
}

/* Lowers `best` to the least deadline plus tolerance of the subtree; prunes what is due later. */
static int64_t least_hard_deadline(const struct rl_timer_queue *queue, size_t index, int64_t best)
{
    if (index >= queue->count || queue->entries[index].deadline_ns >= best) return best;
    const struct rl_timer *timer = timer_at(queue, index);
    if (!timer->item.is_called) {
        int64_t soft_ns = queue->entries[index].deadline_ns;
        int64_t hard_ns = soft_ns + timer->tolerance_ns;
        if (hard_ns >= soft_ns && hard_ns < best) best = hard_ns;
    }
    for (size_t child = index * CHILDREN + 1; child <= index * CHILDREN + CHILDREN; child++) {
        best = least_hard_deadline(queue, child, best);
    }
    return best;
}

int64_t rl_timer_queue_hard_deadline(const struct rl_timer_queue *queue)
{
    if (queue->tolerant > 0) return least_hard_deadline(queue, 0, INT64_MAX);
    const struct rl_timer_queue_entry *next = rl_timer_queue_next(queue);
    return next ? next->deadline_ns : INT64_MAX;
}

static void add_due(struct rl_timer_queue *queue, size_t index, size_t *count, int64_t now_ns)
{
    if (index >= queue->count || queue->entries[index].deadline_ns > now_ns) return;
    if (*count == queue->due_capacity) {
        queue->due_capacity = queue->due_capacity ? queue->due_capacity * 2 : 4;
        queue->due = rl_reallocate(queue->due, queue->due_capacity * sizeof queue->due[0]);
    }
    queue->due[(*count)++] = index;
}

static int compare_due(const void *first, const void *second, void *context)
{
    const struct rl_timer_queue *queue = context;
    const struct rl_timer_queue_entry *a = &queue->entries[*(const size_t *)first];
    const struct rl_timer_queue_entry *b = &queue->entries[*(const size_t *)second];
    return precedes(a, b) ? -1 : 1;
}

/* Timers that came in the order in which they are due lie in that order, and most do. */
static void sort_due(struct rl_timer_queue *queue, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (precedes(&queue->entries[queue->due[i]], &queue->entries[queue->due[i - 1]])) {
            qsort_r(queue->due, count, sizeof queue->due[0], compare_due, queue);
            return;
        }
    }
}

size_t rl_timer_queue_collect_due(struct rl_timer_queue *queue, int64_t now_ns)
{
    /* The list is its own queue of what is still to be looked below. */
    size_t count = 0;
    add_due(queue, 0, &count, now_ns);
    for (size_t i = 0; i < count; i++) {
        size_t child = queue->due[i] * CHILDREN + 1;
        for (size_t end = child + CHILDREN; child < end; child++) {
            add_due(queue, child, &count, now_ns);
        }
    }
    sort_due(queue, count);
    return count;
}

void rl_timer_queue_verify(const struct rl_timer_queue *queue)
{
    size_t tolerant = 0;
    for (size_t i = 0; i < queue->count; i++) {
        RL_ASSERT(queue->entries[i].membership->place == i);
        RL_ASSERT(i == 0 || !precedes(&queue->entries[i], &queue->entries[(i - 1) / CHILDREN]));
        if (timer_at(queue, i)->tolerance_ns > 0) tolerant++;
    }
    RL_ASSERT(tolerant == queue->tolerant);
}

void rl_timer_queue_destroy(struct rl_timer_queue *queue)
{
    free(queue->entries);
    free(queue->due);
    *queue = (struct rl_timer_queue){0};
}
