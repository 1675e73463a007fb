/*
 * In debug builds, a hint reports a cycle of threads that wait for each other. A thread waits for
 * another thread or for a dispatch queue, and a queue waits for the thread that performs its work.
 * A wait that begins can complete a cycle, so this file searches for a cycle at each beginning. A
 * helper thread checks a found cycle again after half a second, because one of the waits may have
 * been about to end.
 */

#include "base/check.h"
#include "base/fork.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "base/lock.h"
#include "base/object.h"
#include "base/thread.h"

#include <CRunLoop/RLRunLoopWrapping.h>

#include <bsd/sys/queue.h>
#include <stdlib.h>

#if RL_HAS_HINTS

#define PATIENCE_NS INT64_C(500000000)

struct rl_mutual_wait {
    TAILQ_ENTRY(rl_mutual_wait) link;
    const char *call;
    RLMutualWaitParties parties;
    SInt32 own_thread;
    uintptr_t own_queue;
    /* True if the main queue cannot make progress during the wait. */
    bool is_of_main_thread;
    uint64_t serial;
    /*
     * The number of the last wait when the other side began the awaited work. Waits up to this
     * number do not block the work.
     */
    uint64_t served_within;
    /* The number of the last search that visited this wait. */
    uint64_t search;
};

static struct {
    struct rl_lock lock;
    TAILQ_HEAD(, rl_mutual_wait) waits;
    uint64_t last_serial;
    uint64_t last_search;
    SInt32 forking_thread;
} table = {.waits = TAILQ_HEAD_INITIALIZER(table.waits)};

static void prepare_fork(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&table.lock);
    table.forking_thread = rl_kernel_thread_id();
}

static void unlock_after_fork(void) RL_UNCHECKED_LOCKING
{
    rl_unlock(&table.lock);
}

/* Removes the waits of threads that do not exist in the child. Their memory leaks. */
static void settle_child(void) RL_UNCHECKED_LOCKING
{
    struct rl_mutual_wait *wait, *next;
    for (wait = TAILQ_FIRST(&table.waits); wait; wait = next) {
        next = TAILQ_NEXT(wait, link);
        bool is_own = wait->own_thread == table.forking_thread;
        if (is_own) wait->own_thread = rl_kernel_thread_id();
        if (!is_own) TAILQ_REMOVE(&table.waits, wait, link);
    }
    rl_unlock(&table.lock);
}

RL_REGISTER_FORK_TABLE(90, prepare_fork, unlock_after_fork, settle_child)

static bool keeps_queue_waiting(const struct rl_mutual_wait *wait, uintptr_t queue)
{
    if (queue == 0) return false;
    if (queue != RLDispatchGetMainQueueNumber()) return wait->own_queue == queue;
    if (wait->parties.servesMainQueue) return false;
    return wait->is_of_main_thread || wait->own_queue == queue;
}

/* Returns true if `wait` cannot end before `other` ends. */
static bool is_behind(const struct rl_mutual_wait *wait, const struct rl_mutual_wait *other)
{
    if (other->serial <= wait->served_within) return false;
    if (wait->parties.thread) return other->own_thread == wait->parties.thread;
    return keeps_queue_waiting(other, wait->parties.queue);
}

/*
 * Follows the waits, and returns the wait that ends in a cycle with `first`, or null. Call this
 * with the table locked.
 */
static struct rl_mutual_wait *find_end(struct rl_mutual_wait *wait,
                                       const struct rl_mutual_wait *first)
{
    if (wait->search == table.last_search) return NULL;
    wait->search = table.last_search;
    if (is_behind(wait, first)) return wait;
    struct rl_mutual_wait *other;
    TAILQ_FOREACH(other, &table.waits, link) {
        struct rl_mutual_wait *end = is_behind(wait, other) ? find_end(other, first) : NULL;
        if (end) return end;
    }
    return NULL;
}

static struct rl_mutual_wait *find_cycle(struct rl_mutual_wait *first)
{
    table.last_search++;
    return find_end(first, first);
}

static void *recheck(void *context)
{
    uint64_t serial = *(uint64_t *)context;
    free(context);
    rl_kernel_sleep(rl_kernel_monotonic_ns() + PATIENCE_NS);
    struct rl_mutual_wait *wait, found = {0}, found_end = {0};
    rl_lock(&table.lock);
    TAILQ_FOREACH(wait, &table.waits, link) {
        if (wait->serial == serial) break;
    }
    struct rl_mutual_wait *end = wait ? find_cycle(wait) : NULL;
    if (end) found = *wait;
    if (end) found_end = *end;
    rl_unlock(&table.lock);
    RL_HINT(end, found.call,
            "deadlock: thread %d waits for thread %d, which waits for thread %d in %s: on one "
            "thread, run the loop instead of blocking",
            found.own_thread, found_end.own_thread, found.own_thread, found_end.call);
    return NULL;
}

RLMutualWaitRef RLMutualWaitBegin(const char *call, RLMutualWaitParties parties)
{
    rl_fork_set_up();
    struct rl_mutual_wait *wait = rl_allocate(sizeof *wait);
    *wait = (struct rl_mutual_wait){
        .call = call,
        .parties = parties,
        .own_thread = rl_kernel_thread_id(),
        .own_queue = RLDispatchGetSerialQueueNumber(),
        .is_of_main_thread = rl_kernel_is_main_thread(),
    };
    rl_lock(&table.lock);
    uint64_t serial = wait->serial = ++table.last_serial;
    TAILQ_INSERT_TAIL(&table.waits, wait, link);
    bool is_cycle = find_cycle(wait);
    rl_unlock(&table.lock);
    uint64_t *again = is_cycle ? rl_allocate(sizeof *again) : NULL;
    if (again) *again = serial;
    if (again && rl_thread_start(recheck, again) != 0) free(again);
    return wait;
}

void RLMutualWaitServe(RLMutualWaitRef wait)
{
    if (!wait) return;
    rl_lock(&table.lock);
    wait->served_within = table.last_serial;
    rl_unlock(&table.lock);
}

void RLMutualWaitEnd(RLMutualWaitRef wait)
{
    if (!wait) return;
    rl_lock(&table.lock);
    TAILQ_REMOVE(&table.waits, wait, link);
    rl_unlock(&table.lock);
    free(wait);
}

#else

RLMutualWaitRef RLMutualWaitBegin(const char *call, RLMutualWaitParties parties)
{
    (void)call;
    (void)parties;
    return NULL;
}

void RLMutualWaitServe(RLMutualWaitRef wait)
{
    (void)wait;
}

void RLMutualWaitEnd(RLMutualWaitRef wait)
{
    (void)wait;
}

#endif
