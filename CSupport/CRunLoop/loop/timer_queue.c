/*
 * The heap and the list. Entries carry their keys, so that comparing touches no timer.
 *
 * The loop is about to call the timers that are due, and most of them are gone after that. To take
 * the first out of a heap of thousands, each time, an entry would have to move from the bottom to
 * the top and all the way down again. So all due timers leave together, from the bottom up: an
 * entry that fills a place only moves down from there, and if all are due, nothing moves.
 */

#include "base/system.h"

#include "loop/timer_queue.h"

#include "base/kernel.h"
#include "loop/timer.h"

#include <stdlib.h>

enum { CHILDREN = 4, LOOK_AHEAD = 8, LONG_LIST = 16 };

/* In the `place` of a membership: it is an index of the list of due timers, not of the heap. */
#define IN_LIST (UINT32_C(1) << 31)

static bool precedes(const struct rl_timer_queue_entry *a, const struct rl_timer_queue_entry *b)
{
    return rl_timer_queue_precedes(a, b);
}

static bool is_called(const struct rl_timer_queue_entry *entry)
{
    return entry->membership->common.item->is_called;
}

static size_t parent_of(size_t index)
{
    return (index - 1) / CHILDREN;
}

/*
 * Returns until when the loop may sleep for this timer alone. One that is being called needs no
 * wake-up.
 */
static int64_t latest_of(const struct rl_timer_queue_entry *entry)
{
    int64_t latest_ns;
    if (is_called(entry)) return RL_NEVER_NS;
    /* A sum out of range means never. */
    int64_t tolerance_ns = rl_timer_of(entry->membership->common.item)->tolerance_ns;
    bool is_never = __builtin_add_overflow(entry->deadline_ns, tolerance_ns, &latest_ns);
    return is_never ? RL_NEVER_NS : latest_ns;
}

static int64_t latest_from(const struct rl_timer_queue *queue, size_t index)
{
    int64_t least_ns = latest_of(&queue->entries[index]);
    size_t child = index * CHILDREN + 1;
    for (size_t end = child + CHILDREN; child < end && child < queue->heap_count; child++) {
        if (queue->latest_ns[child] < least_ns) least_ns = queue->latest_ns[child];
    }
    return least_ns;
}

static void refresh_path(const struct rl_timer_queue *queue, size_t index)
{
    for (; index > 0; index = parent_of(index)) {
        queue->latest_ns[index] = latest_from(queue, index);
    }
    queue->latest_ns[0] = latest_from(queue, 0);
}

/* Brings the latest moments up to date, from the lowest place that has changed up to the top. */
static inline void refresh_from(const struct rl_timer_queue *queue, size_t index)
{
    if (RL_UNLIKELY(queue->latest_ns)) refresh_path(queue, index);
}

static void put_entry(struct rl_timer_queue *queue, size_t index, struct rl_timer_queue_entry entry)
{
    queue->entries[index] = entry;
    entry.membership->place = (uint32_t)index;
}

static void sift_up(struct rl_timer_queue *queue, size_t lowest, struct rl_timer_queue_entry entry)
{
    size_t index = lowest;
    while (index > 0 && precedes(&entry, &queue->entries[parent_of(index)])) {
        put_entry(queue, index, queue->entries[parent_of(index)]);
        index = parent_of(index);
    }
    put_entry(queue, index, entry);
    refresh_from(queue, lowest);
}

static size_t first_child(const struct rl_timer_queue *queue, size_t index)
{
    size_t child = index * CHILDREN + 1;
    size_t end = child + CHILDREN < queue->heap_count ? child + CHILDREN : queue->heap_count;
    size_t best = child;
    for (size_t next = child + 1; next < end; next++) {
        if (precedes(&queue->entries[next], &queue->entries[best])) best = next;
    }
    return best;
}

static void sift_down(struct rl_timer_queue *queue, size_t index, struct rl_timer_queue_entry entry)
{
    while (index * CHILDREN + 1 < queue->heap_count) {
        size_t child = first_child(queue, index);
        if (!precedes(&queue->entries[child], &entry)) break;
        put_entry(queue, index, queue->entries[child]);
        index = child;
    }
    put_entry(queue, index, entry);
    refresh_from(queue, index);
}

static void settle_entry(struct rl_timer_queue *queue, size_t index,
                         struct rl_timer_queue_entry entry)
{
    if (index > 0 && precedes(&entry, &queue->entries[parent_of(index)])) {
        sift_up(queue, index, entry);
    } else {
        sift_down(queue, index, entry);
    }
}

/*
 * The second entry, which is the first child, begins a cache line. The memory begins one cache line
 * before it.
 */
enum { LINE = 64, LEFT_OUT = LINE / sizeof(struct rl_timer_queue_entry) - 1 };

static void free_heap(struct rl_timer_queue *queue)
{
    if (queue->entries) free(queue->entries - LEFT_OUT);
}

static void make_room_for_latest(struct rl_timer_queue *queue)
{
    queue->latest_ns = rl_reallocate(queue->latest_ns, queue->capacity * sizeof(int64_t));
}

static void grow_queue(struct rl_timer_queue *queue)
{
    size_t lines = queue->capacity ? (queue->capacity + LEFT_OUT) / (LEFT_OUT + 1) * 2 : 2;
    size_t capacity = lines * (LEFT_OUT + 1) - LEFT_OUT;
    if (capacity >= IN_LIST) rl_client_error("RLRunLoopAddTimer", "a mode has too many timers");
    struct rl_timer_queue_entry *memory = aligned_alloc(LINE, lines * LINE);
    if (!memory) rl_client_error("aligned_alloc", "no memory for %zu timers", capacity);
    memory += LEFT_OUT;
    if (queue->heap_count > 0) {
        memcpy(memory, queue->entries, queue->heap_count * sizeof queue->entries[0]);
    }
    free_heap(queue);
    queue->entries = memory;
    queue->capacity = (uint32_t)capacity;
    if (queue->latest_ns) make_room_for_latest(queue);
}

static void push_entry(struct rl_timer_queue *queue, struct rl_timer_queue_entry entry)
{
    if (queue->heap_count == queue->capacity) grow_queue(queue);
    sift_up(queue, queue->heap_count++, entry);
}

/* Takes the last entry out of its place, to be put into another. */
static struct rl_timer_queue_entry take_last_entry(struct rl_timer_queue *queue)
{
    size_t index = --queue->heap_count;
    if (index > 0) refresh_from(queue, parent_of(index));
    return queue->entries[index];
}

static void note_place_in_list(const struct rl_timer_queue *queue, uint32_t index)
{
    queue->due[index].membership->place = IN_LIST | index;
}

/* Moves the timers of the list to its beginning. */
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
 * Takes a timer out of the list, and keeps `due_first` at a place that has one. The first callbacks
 * may run the loop nested for long while all other timers go, so no more than half of a long list
 * is left empty.
 */
static void take_off_due_list(struct rl_timer_queue *queue, size_t index)
{
    queue->due[index].membership = NULL;
    if (index != queue->due_first) {
        uint32_t left = queue->count - queue->heap_count - 1;
        if (queue->due_end - queue->due_first > 2 * left + LONG_LIST) pack_due_list(queue);
        return;
    }
    do {
        queue->due_first++;
    } while (queue->due_first < queue->due_end && !queue->due[queue->due_first].membership);
}

static void take_out_entry(struct rl_timer_queue *queue,
                           const struct rl_timer_membership *membership)
{
    size_t index = membership->place;
    if (index & IN_LIST) {
        take_off_due_list(queue, index & ~IN_LIST);
        return;
    }
    struct rl_timer_queue_entry last = take_last_entry(queue);
    if (index < queue->heap_count) settle_entry(queue, index, last);
}

void rl_timer_queue_insert(struct rl_timer_queue *queue, struct rl_timer_membership *membership,
                           int64_t deadline_ns, uint64_t placement)
{
    membership->placement = placement;
    push_entry(queue, (struct rl_timer_queue_entry){deadline_ns, membership});
    queue->count++;
}

void rl_timer_queue_remove(struct rl_timer_queue *queue, struct rl_timer_membership *membership)
{
    take_out_entry(queue, membership);
    queue->count--;
}

void rl_timer_queue_move(struct rl_timer_queue *queue, struct rl_timer_membership *membership,
                         int64_t deadline_ns, uint64_t placement)
{
    struct rl_timer_queue_entry entry = {deadline_ns, membership};
    membership->placement = placement;
    if (membership->place & IN_LIST) {
        take_off_due_list(queue, membership->place & ~IN_LIST);
        push_entry(queue, entry);
    } else {
        settle_entry(queue, membership->place, entry);
    }
}

/*
 * Returns the first timer of the heap, from `index` down, that is not being called. Descends only
 * below timers that are.
 */
static const struct rl_timer_queue_entry *next_below(const struct rl_timer_queue *queue,
                                                     size_t index)
{
    if (index >= queue->heap_count) return NULL;
    if (!is_called(&queue->entries[index])) return &queue->entries[index];
    const struct rl_timer_queue_entry *best = NULL;
    for (size_t child = index * CHILDREN + 1; child <= index * CHILDREN + CHILDREN; child++) {
        const struct rl_timer_queue_entry *entry = next_below(queue, child);
        if (entry && (!best || precedes(entry, best))) best = entry;
    }
    return best;
}

static bool is_waiting(const struct rl_timer_queue_entry *entry)
{
    return entry->membership && !is_called(entry);
}

const struct rl_timer_queue_entry *rl_timer_queue_next(const struct rl_timer_queue *queue)
{
    const struct rl_timer_queue_entry *next = next_below(queue, 0);
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        const struct rl_timer_queue_entry *due = &queue->due[i];
        if (is_waiting(due)) return next && precedes(next, due) ? next : due;
    }
    return next;
}

int64_t rl_timer_queue_hard_deadline(const struct rl_timer_queue *queue, bool is_exact)
{
    if (is_exact || !queue->latest_ns) {
        const struct rl_timer_queue_entry *next = rl_timer_queue_next(queue);
        return next ? next->deadline_ns : RL_NEVER_NS;
    }
    int64_t best_ns = queue->heap_count > 0 ? queue->latest_ns[0] : RL_NEVER_NS;
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        if (!queue->due[i].membership) continue;
        int64_t latest_ns = latest_of(&queue->due[i]);
        if (latest_ns < best_ns) best_ns = latest_ns;
    }
    return best_ns;
}

static void begin_latest(struct rl_timer_queue *queue)
{
    make_room_for_latest(queue);
    for (size_t i = queue->heap_count; i-- > 0;) queue->latest_ns[i] = latest_from(queue, i);
}

void rl_timer_queue_refresh(struct rl_timer_queue *queue,
                            const struct rl_timer_membership *membership)
{
    if (!queue->latest_ns) {
        if (rl_timer_of(membership->common.item)->tolerance_ns > 0) begin_latest(queue);
    } else if (!(membership->place & IN_LIST)) {
        refresh_from(queue, membership->place);
    }
}

static void add_found(struct rl_timer_queue *queue, size_t index, uint32_t *count, int64_t now_ns)
{
    if (index >= queue->heap_count || queue->entries[index].deadline_ns > now_ns) return;
    if (*count == queue->found_capacity) {
        queue->found_capacity = queue->found_capacity ? queue->found_capacity * 2 : 4;
        queue->found = rl_reallocate(queue->found, queue->found_capacity * sizeof queue->found[0]);
    }
    queue->found[(*count)++] = (uint32_t)index;
}

/* Finds where the heap's due timers are, in ascending order. Returns how many there are. */
static uint32_t find_due(struct rl_timer_queue *queue, int64_t now_ns)
{
    /* The search goes on below each index that was found. */
    uint32_t count = 0;
    add_found(queue, 0, &count, now_ns);
    for (uint32_t i = 0; i < count; i++) {
        size_t child = (size_t)queue->found[i] * CHILDREN + 1;
        for (size_t end = child + CHILDREN; child < end; child++) {
            add_found(queue, child, &count, now_ns);
        }
    }
    return count;
}

/* Copies what was found to the end of the list. */
static void list_found(struct rl_timer_queue *queue, uint32_t count)
{
    uint32_t needed = queue->due_end + count;
    if (needed > queue->due_capacity) {
        queue->due_capacity = needed > 2 * queue->due_capacity ? needed : 2 * queue->due_capacity;
        queue->due = rl_reallocate(queue->due, queue->due_capacity * sizeof queue->due[0]);
    }
    for (size_t i = 0; i < count; i++) {
        queue->due[queue->due_end++] = queue->entries[queue->found[i]];
    }
}

/*
 * Takes the found timers out of the heap, the last first. Then no timer below a place is due, nor
 * the one that fills it; due timers above it go later.
 */
static void drop_found(struct rl_timer_queue *queue, uint32_t count)
{
    while (count-- > 0) {
        size_t index = queue->found[count];
        struct rl_timer_queue_entry last = take_last_entry(queue);
        if (index < queue->heap_count) sift_down(queue, index, last);
    }
}

static int compare_entries(const void *first, const void *second)
{
    return precedes(first, second) ? -1 : 1;
}

/*
 * Sorts the list, unless it is in order: most timers are added in the order in which they are due.
 */
static void sort_due(const struct rl_timer_queue *queue)
{
    for (size_t i = 1; i < queue->due_end; i++) {
        if (precedes(&queue->due[i], &queue->due[i - 1])) {
            qsort(queue->due, queue->due_end, sizeof queue->due[0], compare_entries);
            return;
        }
    }
}

size_t rl_timer_queue_collect_due(struct rl_timer_queue *queue, int64_t now_ns)
{
    pack_due_list(queue);
    uint32_t found = find_due(queue, now_ns);
    if (found <= 1 && queue->due_end == 0) return found;
    list_found(queue, found);
    drop_found(queue, found);
    sort_due(queue);
    size_t due = 0;
    for (size_t i = 0; i < queue->due_end; i++) {
        if (i + LOOK_AHEAD < queue->due_end) {
            __builtin_prefetch(&queue->due[i + LOOK_AHEAD].membership->place, 1);
        }
        note_place_in_list(queue, (uint32_t)i);
        /* All of the list are due, unless a test has set its clock back. */
        if (queue->due[i].deadline_ns <= now_ns) due++;
    }
    return due;
}

void rl_timer_queue_visit(const struct rl_timer_queue *queue, void (*visit)(struct rl_membership *))
{
    for (size_t i = 0; i < queue->heap_count; i++) visit(&queue->entries[i].membership->common);
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        if (queue->due[i].membership) visit(&queue->due[i].membership->common);
    }
}

size_t rl_timer_queue_copy(const struct rl_timer_queue *queue, struct rl_membership **ret_members)
{
    struct rl_timer_queue_entry *all = rl_allocate_list(queue->count, sizeof all[0]);
    size_t count = 0;
    for (size_t i = 0; i < queue->heap_count; i++) all[count++] = queue->entries[i];
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        if (queue->due[i].membership) all[count++] = queue->due[i];
    }
    qsort(all, count, sizeof all[0], compare_entries);
    for (size_t i = 0; i < count; i++) ret_members[i] = &all[i].membership->common;
    free(all);
    return count;
}

static void verify_heap(const struct rl_timer_queue *queue)
{
    for (size_t i = 0; i < queue->heap_count; i++) {
        RL_ASSERT(queue->entries[i].membership->place == i);
        RL_ASSERT(i == 0 || !precedes(&queue->entries[i], &queue->entries[parent_of(i)]));
        RL_ASSERT(!queue->latest_ns || queue->latest_ns[i] == latest_from(queue, i));
    }
}

static size_t verify_list(const struct rl_timer_queue *queue)
{
    size_t count = 0;
    const struct rl_timer_queue_entry *before = NULL;
    for (size_t i = queue->due_first; i < queue->due_end; i++) {
        const struct rl_timer_queue_entry *due = &queue->due[i];
        RL_ASSERT(due->membership || i > queue->due_first);
        if (!due->membership) continue;
        RL_ASSERT(due->membership->place == (IN_LIST | i));
        RL_ASSERT(!before || precedes(before, due));
        before = due;
        count++;
    }
    return count;
}

void rl_timer_queue_verify(const struct rl_timer_queue *queue)
{
    verify_heap(queue);
    RL_ASSERT(queue->heap_count + verify_list(queue) == queue->count);
}

void rl_timer_queue_destroy(struct rl_timer_queue *queue)
{
    free_heap(queue);
    free(queue->latest_ns);
    free(queue->due);
    free(queue->found);
    *queue = (struct rl_timer_queue){0};
}
