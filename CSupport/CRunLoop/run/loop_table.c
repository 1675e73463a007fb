/*
 * The table has all loops by thread. A thread takes the table's lock only when it first gets its
 * own loop or the main loop; afterwards it reads a variable.
 *
 * A destructor of thread-specific data empties the thread's loop. Other destructors may still use
 * the loop, so this destructor registers itself again in each round of destructors until the last
 * but one (LIFE-9). Afterwards the thread has no loop and cannot get a new one (LIFE-16).
 */

#include "run/loop_table.h"

#include "base/clock.h"
#include "base/fork.h"
#include "base/hint.h"
#include "base/kernel.h"
#include "loop/loop.h"
#include "loop/own_loop.h"
#include "loop/report.h"
#include "run/thread_end.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int compare_threads(struct rl_loop *first, struct rl_loop *second)
{
    return first->thread_id < second->thread_id ? -1 : first->thread_id > second->thread_id;
}

RB_HEAD(rl_loop_tree, rl_loop);
/* RB_GENERATE_STATIC needs a macro that Linux does not define. */
RB_GENERATE_INTERNAL(rl_loop_tree, rl_loop, table_node, compare_threads,
                     static __attribute__((unused)))

static struct {
    struct rl_lock lock;
    struct rl_loop_tree tree;
    size_t count;
    /* The main loop outlives the main thread, as any thread may get the main loop. Set once. */
    _Atomic(struct rl_loop *) main;
    /* The id of the main thread, which is the process id. Changes in a forked child. */
    pid_t main_thread;
} table = {.tree = RB_INITIALIZER(&table.tree)};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;

static _Thread_local struct {
    unsigned exit_rounds;
    bool is_over;
} thread;

static void set_own_loop(struct rl_loop *loop)
{
    rl_own_loop = loop;
    rl_clock_of_thread = loop ? &loop->clock : &rl_clock_for_all;
}

/* Finds the main loop even if its thread has ended. Call this with the table locked. */
static struct rl_loop *find_loop(pid_t thread_id)
{
    struct rl_loop *main = thread_id == table.main_thread ? atomic_load(&table.main) : NULL;
    if (main) return main;
    struct rl_loop key = {.thread_id = thread_id};
    return RB_FIND(rl_loop_tree, &table.tree, &key);
}

static void remove_loop(struct rl_loop *loop)
{
    rl_lock(&table.lock);
    RB_REMOVE(rl_loop_tree, &table.tree, loop);
    table.count--;
    rl_unlock(&table.lock);
}

/* The loop is empty and has left the table. The main loop outlives its thread, so it is kept. */
static void release_loop(struct rl_loop *loop)
{
    if (loop == atomic_load(&table.main)) return;
    loop->is_held_by_thread = false;
    RLRelease(loop);
}

static void loop_thread_exits(void *value)
{
    struct rl_loop *loop = value;
    bool is_early = ++thread.exit_rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1;
    if (is_early && pthread_setspecific(exit_key, loop) == 0) return;
    rl_thread_end(loop);
    remove_loop(loop);
    set_own_loop(NULL);
    thread.is_over = true;
    release_loop(loop);
}

/* --- Around a fork ---------------------------------------------------------------------------- */

void rl_loop_table_lock(void) RL_UNCHECKED_LOCKING
{
    rl_lock(&table.lock);
}

void rl_loop_table_unlock(void) RL_UNCHECKED_LOCKING
{
    rl_unlock(&table.lock);
}

void rl_loop_table_visit(void (*visit)(struct rl_loop *loop))
{
    struct rl_loop *loop;
    RB_FOREACH(loop, rl_loop_tree, &table.tree) visit(loop);
}

bool rl_loop_table_was_used(void)
{
    return table.main_thread != 0;
}

/*
 * The child's only thread is its main thread. If the thread had no loop, it gets the main loop.
 * Returns null if the thread is ending.
 */
static struct rl_loop *own_loop_in_child(void)
{
    if (thread.is_over) return NULL;
    return rl_own_loop ? rl_own_loop : table.main;
}

struct rl_loop *rl_loop_table_keep_own(void)
{
    if (table.main_thread) table.main_thread = getpid();
    struct rl_loop *own = own_loop_in_child();
    RB_INIT(&table.tree);
    table.count = 0;
    if (own) {
        own->thread_id = rl_kernel_thread_id();
        RB_INSERT(rl_loop_tree, &table.tree, own);
        table.count = 1;
    }
    return own;
}

/* --- Ends ------------------------------------------------------------------------------------- */

/* Gives the hint at exit(3) and at a return from `main`, which do not tear down the main loop. */
static void hint_at_exit(void)
{
    if (table.main && table.main_thread == getpid()) rl_loop_hint_at_end(table.main, "the process");
}

/* A destructor for the first round, because dispatch_main() never reaches a later round. */
static void hint_at_end_of_main_thread(void *loop)
{
    rl_loop_hint_at_end(loop, "the main thread");
}

static void watch_main_thread(struct rl_loop *loop)
{
    if (rl_kernel_thread_id() != loop->thread_id) return;
    pthread_key_t key;
    if (pthread_key_create(&key, hint_at_end_of_main_thread) == 0) pthread_setspecific(key, loop);
}

static void set_up_loop_table(void)
{
    table.main_thread = getpid();
    if (RL_HAS_HINTS) atexit(hint_at_exit);
    if (pthread_key_create(&exit_key, loop_thread_exits) != 0) {
        rl_client_error("RLRunLoopGetCurrent",
                        "no pthread key is left: delete unused keys with pthread_key_delete");
    }
    rl_fork_set_up();
}

/* Creates the loop without the table's lock, so another thread may add a loop first. */
static struct rl_loop *find_or_make_loop(pid_t thread_id)
{
    bool is_main = thread_id == table.main_thread;
    struct rl_loop *found = is_main ? atomic_load(&table.main) : NULL;
    if (found) return found;
    rl_lock(&table.lock);
    found = find_loop(thread_id);
    rl_unlock(&table.lock);
    if (found) return found;

    struct rl_loop *made = rl_loop_create(thread_id, is_main);
    made->is_held_by_thread = true;
    rl_lock(&table.lock);
    found = find_loop(thread_id);
    if (!found) {
        RB_INSERT(rl_loop_tree, &table.tree, made);
        table.count++;
        if (is_main) atomic_store(&table.main, made);
    }
    rl_unlock(&table.lock);
    if (!found) {
        rl_trace_loop_made(made);
        if (RL_HAS_HINTS && is_main) watch_main_thread(made);
        return made;
    }
    made->is_held_by_thread = false;
    RLRelease(made);
    return found;
}

/*
 * If an earlier thread with the same id first requested its loop in its last round of destructors,
 * its loop is still in the table. Ends this loop.
 */
static void end_namesake(pid_t thread_id)
{
    if (thread_id == table.main_thread) return;
    rl_lock(&table.lock);
    struct rl_loop *left = find_loop(thread_id);
    rl_unlock(&table.lock);
    if (!left) return;
    /* Removes the old loop first, because the client code may use this thread's own loop. */
    remove_loop(left);
    rl_thread_end(left);
    release_loop(left);
}

RLRunLoopRef RLRunLoopGetCurrent(void)
{
    if (RL_LIKELY(rl_own_loop != NULL)) return rl_loop_ref(rl_own_loop);
    if (thread.is_over) return NULL;
    pthread_once(&once, set_up_loop_table);
    find_or_make_loop(table.main_thread);
    pid_t thread_id = rl_kernel_thread_id();
    end_namesake(thread_id);
    set_own_loop(find_or_make_loop(thread_id));
    if (pthread_setspecific(exit_key, rl_own_loop) != 0) {
        rl_client_error(__func__,
                        "no memory for the run loop of thread %d: raise the memory limit of the "
                        "process, or use less memory",
                        (int)thread_id);
    }
    return rl_loop_ref(rl_own_loop);
}

RLRunLoopRef RLRunLoopGetMain(void)
{
    struct rl_loop *loop = atomic_load(&table.main);
    if (RL_LIKELY(loop != NULL)) return rl_loop_ref(loop);
    pthread_once(&once, set_up_loop_table);
    return rl_loop_ref(find_or_make_loop(table.main_thread));
}

RLArrayRef RLRunLoopCopyAllLoops(void)
{
    pthread_once(&once, set_up_loop_table);
    const void **loops = NULL;
    size_t capacity = 0, count = 0;
    rl_lock(&table.lock);
    /* Each allocation needs the lock released, so the count is checked again afterwards. */
    while (capacity < table.count) {
        capacity = table.count + 16;
        rl_unlock(&table.lock);
        free(loops);
        loops = rl_allocate(capacity * sizeof loops[0]);
        rl_lock(&table.lock);
    }
    struct rl_loop *loop;
    RB_FOREACH(loop, rl_loop_tree, &table.tree) {
        if (rl_object_try_retain(&loop->object)) loops[count++] = loop;
    }
    rl_unlock(&table.lock);
    RLArrayRef array =
        RLArrayCreate(kRLAllocatorDefault, loops, (RLIndex)count, &kRLTypeArrayCallBacks);
    for (size_t i = 0; i < count; i++) RLRelease(loops[i]);
    free(loops);
    return array;
}
