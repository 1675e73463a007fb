/*
 * The behavior of processors: stores that are committed late or out of order, and loads that return
 * old values.
 */

#include "explorer.h"

#include <string.h>

enum { MOST_CHANGES = 4096, MOST_VERSIONS = 8 };

/* All changes of memory, with the old values. */
static struct change {
    const volatile void *of;
    uint64_t before;
    size_t size;
    /* A bit for each thread that has made the change or read its value. */
    unsigned read_by;
} changes[MOST_CHANGES];
static int change_count;

static void keep(int thread, const volatile void *of, size_t size)
{
    if (change_count == MOST_CHANGES) explore_fail("too many changes");
    struct change *change = &changes[change_count++];
    *change = (struct change){.of = of, .size = size, .read_by = 1u << thread};
    memcpy(&change->before, (const void *)of, size);
}

void explore_keep(const volatile void *of, size_t size)
{
    keep(running, of, size);
    threads[running].seen = change_count;
}

static void drain_one(struct thread *thread, int index)
{
    struct late_store *store = &thread->stores[index];
    keep((int)(thread - threads), store->to, store->size);
    memcpy((void *)store->to, &store->value, store->size);
    memmove(store, store + 1, sizeof *store * (size_t)(--thread->store_count - index));
    for (int i = 0; i < thread_count; i++) threads[i].is_pausing = false;
}

void memory_drain(struct thread *thread)
{
    while (thread->store_count > 0) drain_one(thread, 0);
}

void explore_drain(void)
{
    memory_drain(&threads[running]);
}

void explore_store(volatile void *to, const void *from, size_t size, memory_order order)
{
    struct thread *self = &threads[running];
    if (self->store_count == MOST_STORES) drain_one(self, 0);
    struct late_store *store = &self->stores[self->store_count++];
    *store = (struct late_store){
        .to = to,
        .size = size,
        .is_release = order != memory_order_relaxed,
        .fences = self->fences,
    };
    memcpy(&store->value, from, size);
    if (order == memory_order_seq_cst) explore_drain();
}

/* Returns whether a store takes effect after another of its thread that was made before. */
static bool keeps_behind(const struct late_store *store, const struct late_store *earlier)
{
    return store->is_release || earlier->to == store->to || earlier->fences != store->fences;
}

/* Commits a store, and before it all earlier ones, or those that it cannot overtake. */
static void settle(struct thread *thread, int index, bool overtakes)
{
    int number = (int)(thread - threads);
    if (overtakes) preemptions++;
    explorer_note(number, overtakes ? "a store overtakes" : "a store takes effect", NULL, 0);
    for (int i = 0; i < index;) {
        if (overtakes && !keeps_behind(&thread->stores[index], &thread->stores[i])) {
            i++;
            continue;
        }
        drain_one(thread, i);
        index--;
    }
    drain_one(thread, index);
}

static bool may_overtake(const struct thread *thread, int index)
{
    if (preemptions == scenario->preemptions) return false;
    for (int i = 0; i < index; i++) {
        if (!keeps_behind(&thread->stores[index], &thread->stores[i])) return true;
    }
    return false;
}

/* Returns the index of the first store to a place that has not taken effect, or -1. */
static int find_store(const struct thread *thread, const volatile void *to)
{
    for (int i = 0; i < thread->store_count; i++) {
        if (thread->stores[i].to == to) return i;
    }
    return -1;
}

/* Whether a store has taken effect makes a difference only when another thread looks. */
void explore_access(const volatile void *of)
{
    while (is_exploring && !threads[running].is_pausing) {
        int options[2 * EXPLORE_MOST_THREADS], count = 0;
        for (int i = 0; i < thread_count; i++) {
            int index = i == running ? -1 : find_store(&threads[i], of);
            if (index < 0) continue;
            options[count++] = 2 * i;
            if (may_overtake(&threads[i], index)) options[count++] = 2 * i + 1;
        }
        int chosen = explore_choose(count + 1);
        if (chosen == 0) return;
        struct thread *thread = &threads[options[chosen - 1] / 2];
        settle(thread, find_store(thread, of), options[chosen - 1] % 2 == 1);
    }
}

static void raise(int *least, int to)
{
    if (*least < to) *least = to;
}

void explore_load(const volatile void *from, void *into, size_t size, memory_order order)
{
    struct thread *self = &threads[running];
    for (int i = self->store_count; i-- > 0;) {
        if (self->stores[i].to != from) continue;
        memcpy(into, &self->stores[i].value, size);
        return;
    }
    /* The changes that a load made earlier has not seen, the latest first. */
    int unseen[MOST_VERSIONS], count = 0, made_by = self->seen;
    for (int i = change_count; i-- > self->seen && count < MOST_VERSIONS;) {
        if (changes[i].of != from) continue;
        if (changes[i].read_by & 1u << running) {
            made_by = i + 1;
            break;
        }
        unseen[count++] = i;
    }
    bool is_latest = order == memory_order_seq_cst || preemptions == scenario->preemptions;
    int age = is_latest || !is_exploring ? 0 : explore_choose(count + 1);
    if (age > 0) {
        memcpy(into, &changes[unseen[age - 1]].before, size);
        preemptions++;
        explorer_note(running, "finds what was there before", NULL, 0);
    }
    if (age < count) {
        made_by = unseen[age] + 1;
        changes[unseen[age]].read_by |= 1u << running;
    }
    raise(&self->read, made_by);
    if (order != memory_order_relaxed) raise(&self->seen, made_by);
    if (order == memory_order_seq_cst) self->seen = change_count;
}

void explore_fence(memory_order order)
{
    struct thread *self = &threads[running];
    if (order != memory_order_acquire) self->fences++;
    if (order != memory_order_release) raise(&self->seen, self->read);
    if (order != memory_order_seq_cst) return;
    explore_drain();
    self->seen = change_count;
}

void memory_see_all(struct thread *thread)
{
    thread->seen = change_count;
}

void memory_forget(void)
{
    change_count = 0;
}
