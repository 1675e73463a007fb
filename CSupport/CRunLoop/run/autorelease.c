/*
 * Autorelease pools. Each thread has a stack of objects to release. Marks divide the stack into
 * pools. Only its thread uses the stack.
 *
 * A destructor of thread-specific data empties the stack when the thread ends. If a later
 * destructor autoreleases objects, the next round of destructors empties the new stack.
 */

#include "loop/loop.h"
#include "loop/observer.h"
#include "loop/own_loop.h"

#include <CRunLoop/RLAutoreleasePool.h>

#include <pthread.h>
#include <stdlib.h>

#define FIRST_CAPACITY 64
/* If the stack has a larger capacity, it is freed when it is empty. */
#define KEPT_CAPACITY 4096
/* A thread reserves this many pool numbers at once. */
#define NUMBERS_AT_ONCE ((uint64_t)1 << 20)

#define ENTRY_ORDER (-2147483647L)
#define EXIT_ORDER 2147483647L

struct entry {
    /* The function that releases the object; null in a mark, which begins a pool. */
    void (*release)(void *object);
    union {
        void *object;
        uint64_t number;
    };
    /* In the mark of a loop's pool, the run that uses the pool. */
    const struct rl_activation *run;
    bool is_popped;
};

static _Thread_local struct {
    struct entry *entries;
    size_t count;
    size_t capacity;
    size_t pool_count;
    uint64_t next_number;
    uint64_t numbers_left;
    bool was_warned;
} stack;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;

static void end_top(void)
{
    struct entry top = stack.entries[--stack.count];
    if (top.release) {
        top.release(top.object);
    } else {
        stack.pool_count--;
    }
}

static void free_stack(void)
{
    free(stack.entries);
    stack.entries = NULL;
    stack.capacity = 0;
}

static void pool_thread_exits(void *value)
{
    (void)value;
    while (stack.count > 0) end_top();
    free_stack();
}

static void set_up_pools(void)
{
    if (pthread_key_create(&exit_key, pool_thread_exits) != 0) {
        rl_client_error("RLAutoreleasePoolPush",
                        "no pthread key is left: delete unused keys with pthread_key_delete");
    }
}

static struct entry *push_entry_on_stack(void)
{
    if (stack.count == stack.capacity) {
        if (!stack.entries) {
            pthread_once(&once, set_up_pools);
            /* A destructor of thread-specific data runs only if the value is not null. */
            if (pthread_setspecific(exit_key, &stack) != 0) {
                rl_client_error("RLAutoreleasePoolPush",
                                "no memory for the pools of a thread: raise the memory limit of "
                                "the process, or use less memory");
            }
        }
        stack.capacity = stack.capacity > 0 ? 2 * stack.capacity : FIRST_CAPACITY;
        stack.entries = rl_reallocate(stack.entries, stack.capacity * sizeof stack.entries[0]);
    }
    struct entry *entry = &stack.entries[stack.count++];
    *entry = (struct entry){0};
    return entry;
}

/* Numbers are never reused, so the pop of another thread's pool is detected. */
static uint64_t make_number(void)
{
    static atomic_uint_fast64_t blocks;
    if (stack.numbers_left == 0) {
        stack.next_number = 1 + NUMBERS_AT_ONCE * atomic_fetch_add(&blocks, 1);
        stack.numbers_left = NUMBERS_AT_ONCE;
    }
    stack.numbers_left--;
    return stack.next_number++;
}

static uint64_t push_pool(const struct rl_activation *run)
{
    struct entry *mark = push_entry_on_stack();
    stack.pool_count++;
    mark->number = make_number();
    mark->run = run;
    return mark->number;
}

static struct entry *mark_at(size_t index)
{
    struct entry *entry = &stack.entries[index];
    return entry->release ? NULL : entry;
}

/* Warns if pools above this pool were not popped. Aborts if one of these pools is being popped. */
static void check_above(size_t index, const char *function)
{
    size_t above = 0;
    for (size_t i = index + 1; i < stack.count; i++) {
        const struct entry *mark = mark_at(i);
        if (!mark) continue;
        if (mark->is_popped) {
            rl_client_error(function, "a pool was popped while an inner pool releases its objects: "
                                      "do not pop pools in destructors of autoreleased objects");
        }
        above++;
    }
    if (above == 0) return;
    rl_warn(function,
            "%zu inner pool(s) were not popped, and are popped now: pop pools in the reverse order "
            "of their pushes",
            above);
}

static void pop_at(size_t index, const char *function)
{
    if (stack.entries[index].is_popped) {
        rl_client_error(function, "a pool was popped again while it releases its objects: do not "
                                  "pop pools in destructors of autoreleased objects");
    }
    check_above(index, function);
    stack.entries[index].is_popped = true;
    while (stack.count > index) end_top();
    if (stack.count == 0 && stack.capacity > KEPT_CAPACITY) free_stack();
}

void *RLAutoreleasePoolPush(void)
{
    return (void *)(uintptr_t)push_pool(NULL);
}

void RLAutoreleasePoolPop(void *pool)
{
    for (size_t i = stack.count; i-- > 0;) {
        const struct entry *mark = mark_at(i);
        if (mark && mark->number == (uintptr_t)pool) {
            pop_at(i, __func__);
            return;
        }
    }
    rl_client_error(__func__,
                    "argument `pool` (%p) is not a pool of this thread: pop each pool once, on the "
                    "thread that pushed it",
                    pool);
}

static void add_to_pool(void *object, void (*release)(void *object), const char *function)
{
    if (RL_UNLIKELY(stack.pool_count == 0) && !stack.was_warned) {
        stack.was_warned = true;
        rl_warn(function,
                "thread %d has no autorelease pool, so %p and later objects are kept until the "
                "thread ends: push a pool first",
                (int)rl_kernel_thread_id(), object);
    }
    struct entry *entry = push_entry_on_stack();
    entry->release = release;
    entry->object = object;
}

static void release_autoreleased(void *object)
{
    RLRelease(object);
}

RLTypeRef RLAutorelease(RLTypeRef object)
{
    if (rl_type_of(object) == RL_TYPE_NONE) {
        rl_client_error(__func__,
                        "argument `object` (%p) is not an RL object: pass an object of this "
                        "library that has not been released",
                        object);
    }
    add_to_pool((void *)(uintptr_t)object, release_autoreleased, __func__);
    return object;
}

void RLAutoreleasePoolAdd(void *object, void (*release)(void *object))
{
    if (!release) rl_client_error(__func__, "argument `release` must not be null");
    add_to_pool(object, release, __func__);
}

RLIndex RLAutoreleasePoolGetCount(void)
{
    return (RLIndex)(stack.count - stack.pool_count);
}

/* --- The pools of passes --- */

/* A run has no pool if the observers were added after its Entry activity. */
static void pop_of_run(const struct rl_activation *run)
{
    for (size_t i = stack.count; i-- > 0;) {
        const struct entry *mark = mark_at(i);
        if (!mark || mark->run != run) continue;
        pop_at(i, "RLRunLoopInstallAutoreleasePool");
        return;
    }
}

static void run_begins(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    (void)activity;
    (void)info;
    push_pool(rl_own_loop->activation);
}

static void pass_ends(RLRunLoopObserverRef observer, RLRunLoopActivity activity, void *info)
{
    (void)observer;
    (void)info;
    const struct rl_activation *run = rl_own_loop->activation;
    pop_of_run(run);
    if (activity != kRLRunLoopExit) push_pool(run);
}

static void install_observer(RLRunLoopRef loop, RLOptionFlags activities, RLIndex order,
                             RLRunLoopObserverCallBack callout)
{
    RLRunLoopObserverRef observer =
        RLRunLoopObserverCreate(kRLAllocatorDefault, activities, true, order, callout, NULL);
    RLRunLoopAddObserver(loop, observer, kRLRunLoopCommonModes);
    RLRelease(observer);
}

static bool is_installed(struct rl_loop *loop)
{
    bool is_found = false;
    rl_lock(&loop->lock);
    struct rl_observer_membership *member;
    TAILQ_FOREACH(member, &loop->common_items.observers, link) {
        if (rl_observer_of(member->common.item)->callout == run_begins) is_found = true;
    }
    rl_unlock(&loop->lock);
    return is_found;
}

void RLRunLoopInstallAutoreleasePool(RLRunLoopRef loop)
{
    if (is_installed(rl_loop_checked(loop, __func__))) return;
    install_observer(loop, kRLRunLoopEntry, ENTRY_ORDER, run_begins);
    install_observer(loop, kRLRunLoopBeforeWaiting | kRLRunLoopExit, EXIT_ORDER, pass_ends);
}
