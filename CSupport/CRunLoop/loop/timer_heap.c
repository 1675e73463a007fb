/* The entries contain their keys, so a comparison does not read the timers. */

#include "base/system.h"

#include "loop/timer_heap.h"

#include "base/kernel.h"
#include "loop/timer_data.h"

#include <stdlib.h>

enum { CHILDREN = 4 };

static size_t parent_of(size_t place)
{
    return (place - 1) / CHILDREN;
}

int64_t rl_timer_latest_ns(const struct rl_timer_entry *entry)
{
    int64_t latest_ns;
    if (rl_timer_is_called(entry)) return RL_NEVER_NS;
    /* If the sum overflows, the loop need not wake up for the timer. */
    int64_t tolerance_ns = rl_timer_of(entry->membership->common.item)->tolerance_ns;
    bool is_never = __builtin_add_overflow(entry->deadline_ns, tolerance_ns, &latest_ns);
    return is_never ? RL_NEVER_NS : latest_ns;
}

static int64_t latest_from(const struct rl_timer_heap *heap, size_t place)
{
    int64_t least_ns = rl_timer_latest_ns(&heap->entries[place]);
    size_t child = place * CHILDREN + 1;
    for (size_t end = child + CHILDREN; child < end && child < heap->count; child++) {
        if (heap->latest_ns[child] < least_ns) least_ns = heap->latest_ns[child];
    }
    return least_ns;
}

static void refresh_path(const struct rl_timer_heap *heap, size_t place)
{
    for (; place > 0; place = parent_of(place)) heap->latest_ns[place] = latest_from(heap, place);
    heap->latest_ns[0] = latest_from(heap, 0);
}

static inline void refresh_from(const struct rl_timer_heap *heap, size_t place)
{
    if (RL_UNLIKELY(heap->latest_ns)) refresh_path(heap, place);
}

void rl_timer_heap_refresh(const struct rl_timer_heap *heap, size_t place)
{
    refresh_from(heap, place);
}

static void put_entry(struct rl_timer_heap *heap, size_t place, struct rl_timer_entry entry)
{
    heap->entries[place] = entry;
    entry.membership->place = (uint32_t)place;
}

static void sift_up(struct rl_timer_heap *heap, size_t lowest, struct rl_timer_entry entry)
{
    size_t place = lowest;
    while (place > 0 && rl_timer_precedes(&entry, &heap->entries[parent_of(place)])) {
        put_entry(heap, place, heap->entries[parent_of(place)]);
        place = parent_of(place);
    }
    put_entry(heap, place, entry);
    refresh_from(heap, lowest);
}

static size_t first_child(const struct rl_timer_heap *heap, size_t place)
{
    size_t child = place * CHILDREN + 1;
    size_t end = child + CHILDREN < heap->count ? child + CHILDREN : heap->count;
    size_t best = child;
    for (size_t next = child + 1; next < end; next++) {
        if (rl_timer_precedes(&heap->entries[next], &heap->entries[best])) best = next;
    }
    return best;
}

static void sift_down(struct rl_timer_heap *heap, size_t place, struct rl_timer_entry entry)
{
    while (place * CHILDREN + 1 < heap->count) {
        size_t child = first_child(heap, place);
        if (!rl_timer_precedes(&heap->entries[child], &entry)) break;
        put_entry(heap, place, heap->entries[child]);
        place = child;
    }
    put_entry(heap, place, entry);
    refresh_from(heap, place);
}

void rl_timer_heap_replace(struct rl_timer_heap *heap, size_t place, struct rl_timer_entry entry)
{
    if (place > 0 && rl_timer_precedes(&entry, &heap->entries[parent_of(place)])) {
        sift_up(heap, place, entry);
    } else {
        sift_down(heap, place, entry);
    }
}

/* The allocation begins with unused entries, so that the root's first child starts a cache line. */
enum { LINE = 64, LEFT_OUT = LINE / sizeof(struct rl_timer_entry) - 1 };

static void free_entries(struct rl_timer_heap *heap)
{
    if (heap->entries) free(heap->entries - LEFT_OUT);
}

static void reserve_latest(struct rl_timer_heap *heap)
{
    heap->latest_ns = rl_reallocate(heap->latest_ns, heap->capacity * sizeof(int64_t));
}

static void grow_heap(struct rl_timer_heap *heap)
{
    size_t lines = heap->capacity ? (heap->capacity + LEFT_OUT) / (LEFT_OUT + 1) * 2 : 2;
    size_t capacity = lines * (LEFT_OUT + 1) - LEFT_OUT;
    if (capacity >= RL_TIMER_HEAP_LIMIT) {
        rl_client_error(
            "RLRunLoopAddTimer",
            "a mode cannot hold 2^31 timers: invalidate timers that the program no longer needs");
    }
    struct rl_timer_entry *memory = aligned_alloc(LINE, lines * LINE);
    if (!memory) {
        rl_client_error(
            "aligned_alloc",
            "no memory for %zu elements: raise the memory limit of the process, or use less memory",
            capacity);
    }
    memory += LEFT_OUT;
    if (heap->count > 0) memcpy(memory, heap->entries, heap->count * sizeof heap->entries[0]);
    free_entries(heap);
    heap->entries = memory;
    heap->capacity = (uint32_t)capacity;
    if (heap->latest_ns) reserve_latest(heap);
}

void rl_timer_heap_push(struct rl_timer_heap *heap, struct rl_timer_entry entry)
{
    if (heap->count == heap->capacity) grow_heap(heap);
    sift_up(heap, heap->count++, entry);
}

void rl_timer_heap_remove(struct rl_timer_heap *heap, size_t place)
{
    size_t last = --heap->count;
    if (last > 0) refresh_from(heap, parent_of(last));
    if (place < last) rl_timer_heap_replace(heap, place, heap->entries[last]);
}

void rl_timer_heap_begin_latest(struct rl_timer_heap *heap)
{
    reserve_latest(heap);
    for (size_t i = heap->count; i-- > 0;) heap->latest_ns[i] = latest_from(heap, i);
}

/*
 * Returns the first timer that is not being called. Visits the children of a timer only if it is
 * being called.
 */
static const struct rl_timer_entry *next_below(const struct rl_timer_heap *heap, size_t place)
{
    if (place >= heap->count) return NULL;
    if (!rl_timer_is_called(&heap->entries[place])) return &heap->entries[place];
    const struct rl_timer_entry *best = NULL;
    for (size_t child = place * CHILDREN + 1; child <= place * CHILDREN + CHILDREN; child++) {
        const struct rl_timer_entry *entry = next_below(heap, child);
        if (entry && (!best || rl_timer_precedes(entry, best))) best = entry;
    }
    return best;
}

const struct rl_timer_entry *rl_timer_heap_next(const struct rl_timer_heap *heap)
{
    return next_below(heap, 0);
}

static void add_found(struct rl_timer_heap *heap, size_t place, uint32_t *count, int64_t now_ns)
{
    if (place >= heap->count || heap->entries[place].deadline_ns > now_ns) return;
    if (*count == heap->found_capacity) {
        heap->found_capacity = heap->found_capacity ? heap->found_capacity * 2 : 4;
        heap->found = rl_reallocate(heap->found, heap->found_capacity * sizeof heap->found[0]);
    }
    heap->found[(*count)++] = (uint32_t)place;
}

uint32_t rl_timer_heap_find_due(struct rl_timer_heap *heap, int64_t now_ns)
{
    /* A timer can be due only if its parent is due. */
    uint32_t count = 0;
    add_found(heap, 0, &count, now_ns);
    for (uint32_t i = 0; i < count; i++) {
        size_t child = (size_t)heap->found[i] * CHILDREN + 1;
        for (size_t end = child + CHILDREN; child < end; child++) {
            add_found(heap, child, &count, now_ns);
        }
    }
    return count;
}

void rl_timer_heap_verify(const struct rl_timer_heap *heap)
{
    for (size_t i = 0; i < heap->count; i++) {
        RL_ASSERT(heap->entries[i].membership->place == i);
        RL_ASSERT(i == 0 || !rl_timer_precedes(&heap->entries[i], &heap->entries[parent_of(i)]));
        RL_ASSERT(!heap->latest_ns || heap->latest_ns[i] == latest_from(heap, i));
    }
}

void rl_timer_heap_destroy(struct rl_timer_heap *heap)
{
    free_entries(heap);
    free(heap->latest_ns);
    free(heap->found);
}
