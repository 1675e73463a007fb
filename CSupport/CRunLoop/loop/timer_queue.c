/*
 * A loop calls all due timers, and most of them are removed afterwards. Removing the first entry of
 * a large heap is expensive: an entry moves from the bottom to the top and sinks down again. So all
 * due timers leave the heap together, from the bottom up. An entry that fills a free place sinks
 * only from this place. If all timers are due, no entry moves.
 */

#include "loop/timer_queue.h"

#include "base/kernel.h"
#include "loop/timer_data.h"

#include <stdlib.h>

enum { LOOK_AHEAD = 8, LONG_LIST = 16 };

/* Set in a membership's `place` if the other bits are an index in the list of due timers. */
#define IN_LIST RL_TIMER_HEAP_LIMIT

static void note_place_in_list(const struct rl_timer_queue *queue, uint32_t index)
{
    queue->due[index].membership->place = IN_LIST | index;
}

static void pack_due_list(struct rl_timer_queue *queue)
{
    uint32_t end = 0;
    for (uint32_t i = queue->due_first; i < queue->due_end; i++) {
        if (!queue->due[i].membership) continue;
        queue->due[end] = queue->due[i];
        note_place_in_list(queue, end++);
    }
    queue->due_first = 0;
    queue->due_end = end;
}

/*
 * Removes an entry, and advances `due_first`. If a callback runs the loop nested, many later timers
 * may be removed, so a long list that is more than half empty is packed.
 */
static void take_off_due_list(struct rl_timer_queue *queue, size_t index)
{
    queue->due[index].membership = NULL;
    if (index != queue->due_first) {
        uint32_t left = queue->count - queue->heap.count - 1;
        if (queue->due_end - queue->due_first > 2 * left + LONG_LIST) pack_due_list(queue);
        return;
    }
    do {
        queue->due_first++;
    } while (queue->due_first < queue->due_end && !queue->due[queue->due_first].membership);
}

void rl_timer_queue_insert(struct rl_timer_queue *queue, struct rl_timer_membership *membership,
                           int64_t deadline_ns, uint64_t placement)
{
    membership->placement = placement;
    rl_timer_heap_push(&queue->heap, (struct rl_timer_entry){deadline_ns, membership});
    queue->count++;
}

void rl_timer_queue_remove(struct rl_timer_queue *queue, struct rl_timer_membership *membership)
{
    if (membership->place & IN_LIST) {
        take_off_due_list(queue, membership->place & ~IN_LIST);
    } else {
        rl_timer_heap_remove(&queue->heap, membership->place);
    }
    queue->count--;
}

void rl_timer_queue_move(struct rl_timer_queue *queue, struct rl_timer_membership *membership,
                         int64_t deadline_ns, uint64_t placement)
{
    struct rl_timer_entry entry = {deadline_ns, membership};
    membership->placement = placement;
    if (membership->place & IN_LIST) {
        take_off_due_list(queue, membership->place & ~IN_LIST);
        rl_timer_heap_push(&queue->heap, entry);
    } else {
        rl_timer_heap_replace(&queue->heap, membership->place, entry);
    }
}

const struct rl_timer_entry *rl_timer_queue_next(const struct rl_timer_queue *queue)
{
    const struct rl_timer_entry *next = rl_timer_heap_next(&queue->heap);
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        const struct rl_timer_entry *due = &queue->due[i];
        if (!due->membership || rl_timer_is_called(due)) continue;
        return next && rl_timer_precedes(next, due) ? next : due;
    }
    return next;
}

int64_t rl_timer_queue_hard_deadline(const struct rl_timer_queue *queue, bool is_exact)
{
    const struct rl_timer_heap *heap = &queue->heap;
    if (is_exact || !heap->latest_ns) {
        const struct rl_timer_entry *next = rl_timer_queue_next(queue);
        return next ? next->deadline_ns : RL_NEVER_NS;
    }
    int64_t best_ns = heap->count > 0 ? heap->latest_ns[0] : RL_NEVER_NS;
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        if (!queue->due[i].membership) continue;
        int64_t latest_ns = rl_timer_latest_ns(&queue->due[i]);
        if (latest_ns < best_ns) best_ns = latest_ns;
    }
    return best_ns;
}

void rl_timer_queue_refresh(struct rl_timer_queue *queue,
                            const struct rl_timer_membership *membership)
{
    if (!queue->heap.latest_ns) {
        bool has_tolerance = rl_timer_of(membership->common.item)->tolerance_ns > 0;
        if (has_tolerance) rl_timer_heap_begin_latest(&queue->heap);
    } else if (!(membership->place & IN_LIST)) {
        rl_timer_heap_refresh(&queue->heap, membership->place);
    }
}

static void list_found(struct rl_timer_queue *queue, uint32_t count)
{
    uint32_t needed = queue->due_end + count;
    if (needed > queue->due_capacity) {
        queue->due_capacity = needed > 2 * queue->due_capacity ? needed : 2 * queue->due_capacity;
        queue->due = rl_reallocate(queue->due, queue->due_capacity * sizeof queue->due[0]);
    }
    for (size_t i = 0; i < count; i++) {
        queue->due[queue->due_end++] = queue->heap.entries[queue->heap.found[i]];
    }
}

static int compare_entries(const void *first, const void *second)
{
    return rl_timer_precedes(first, second) ? -1 : 1;
}

/* Most timers are added in the order of their deadlines, so the list is often sorted. */
static void sort_due(const struct rl_timer_queue *queue)
{
    for (size_t i = 1; i < queue->due_end; i++) {
        if (rl_timer_precedes(&queue->due[i], &queue->due[i - 1])) {
            qsort(queue->due, queue->due_end, sizeof queue->due[0], compare_entries);
            return;
        }
    }
}

size_t rl_timer_queue_collect_due(struct rl_timer_queue *queue, int64_t now_ns)
{
    pack_due_list(queue);
    uint32_t found = rl_timer_heap_find_due(&queue->heap, now_ns);
    if (found <= 1 && queue->due_end == 0) return found;
    list_found(queue, found);
    while (found-- > 0) rl_timer_heap_remove(&queue->heap, queue->heap.found[found]);
    sort_due(queue);
    size_t due = 0;
    for (size_t i = 0; i < queue->due_end; i++) {
        if (i + LOOK_AHEAD < queue->due_end) {
            __builtin_prefetch(&queue->due[i + LOOK_AHEAD].membership->place, 1);
        }
        note_place_in_list(queue, (uint32_t)i);
        /* All listed timers are due, unless a test has set its clock back. */
        if (queue->due[i].deadline_ns <= now_ns) due++;
    }
    return due;
}

void rl_timer_queue_visit(const struct rl_timer_queue *queue, void (*visit)(struct rl_membership *))
{
    const struct rl_timer_heap *heap = &queue->heap;
    for (size_t i = 0; i < heap->count; i++) visit(&heap->entries[i].membership->common);
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        if (queue->due[i].membership) visit(&queue->due[i].membership->common);
    }
}

size_t rl_timer_queue_copy(const struct rl_timer_queue *queue, struct rl_membership **ret_members)
{
    struct rl_timer_entry *all = rl_allocate_list(queue->count, sizeof all[0]);
    size_t count = 0;
    for (size_t i = 0; i < queue->heap.count; i++) all[count++] = queue->heap.entries[i];
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        if (queue->due[i].membership) all[count++] = queue->due[i];
    }
    qsort(all, count, sizeof all[0], compare_entries);
    for (size_t i = 0; i < count; i++) ret_members[i] = &all[i].membership->common;
    free(all);
    return count;
}

static size_t verify_list(const struct rl_timer_queue *queue)
{
    size_t count = 0;
    const struct rl_timer_entry *before = NULL;
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        const struct rl_timer_entry *due = &queue->due[i];
        RL_ASSERT(due->membership || i > queue->due_first);
        if (!due->membership) continue;
        RL_ASSERT(due->membership->place == (IN_LIST | i));
        RL_ASSERT(!before || rl_timer_precedes(before, due));
        before = due;
        count++;
    }
    return count;
}

void rl_timer_queue_verify(const struct rl_timer_queue *queue)
{
    rl_timer_heap_verify(&queue->heap);
    RL_ASSERT(queue->heap.count + verify_list(queue) == queue->count);
}

void rl_timer_queue_destroy(struct rl_timer_queue *queue)
{
    rl_timer_heap_destroy(&queue->heap);
    free(queue->due);
    *queue = (struct rl_timer_queue){0};
}
