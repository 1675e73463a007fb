/*
 * Included before the engine's own files, which are compiled as they are: before an atomic
 * operation, the explorer chooses the thread that continues.
 *
 * A store that is not sequentially consistent waits in a buffer of its thread until the explorer
 * commits it, or the thread makes a sequentially consistent change. A relaxed store may overtake
 * others that no release fence keeps before it. A load that is not sequentially consistent may
 * return an old value, back to the last one that the thread must have seen, because it has
 * acquired, read or written it. Loads are made before later stores.
 */

#ifndef EXPLORE_H
#define EXPLORE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Other threads may continue here. */
void explore_point(const char *what, const char *file, int line);

/* Commits the stores of the running thread. */
void explore_drain(void);

/*
 * A change of memory or a system call: other threads may continue here, then the thread's stores
 * are committed.
 */
void explore_change(const char *what, const char *file, int line);

/* Call this before memory is read or changed: stores to it may be committed first. */
void explore_access(const volatile void *of);

/* Saves the old value that the running thread is about to change, for stale loads. */
void explore_keep(const volatile void *of, size_t size);

void explore_store(volatile void *to, const void *from, size_t size, memory_order order);

/* Replaces a loaded value by the thread's own store, or by an old value. */
void explore_load(const volatile void *from, void *into, size_t size, memory_order order);

void explore_fence(memory_order order);

/*
 * In a loop that waits for another thread: going round it again changes nothing until another one
 * has gone on. The first makes one more attempt, the second none.
 */
void explore_pause(void);
void explore_yield(void);

/* Sleeps until the condition holds. */
void explore_wait(bool (*is_over)(void *info), void *info, const char *what);

/* Returns one of `count` numbers from 0; each is tried. */
int explore_choose(int count);

/* The number of the thread that runs, from 0. */
int explore_thread(void);

/* Values of threads: destructors are called when the function of a thread has returned. */
int explore_key_create(pthread_key_t *key, void (*destroy)(void *value));
int explore_set_value(pthread_key_t key, const void *value);
void explore_once(pthread_once_t *once, void (*begin)(void));

/* Prints the schedule and ends the program. */
_Noreturn void explore_fail(const char *what);

enum { EXPLORE_MOST_THREADS = 3 };

/* An explored scenario; each file has a table of these. */
struct explore_scenario {
    const char *name;
    int preemptions;
    /* Called as the first thread, before any begins. */
    void (*begin)(void);
    void (*threads[EXPLORE_MOST_THREADS])(void);
    /* Called when all threads have ended. */
    void (*end)(void);
};

extern const struct explore_scenario explore_scenarios[];
extern const size_t explore_scenario_count;

#define EXPLORE_POINT(what) explore_point(what, __FILE_NAME__, __LINE__)
#define explore_check(condition)                                                                   \
    do {                                                                                           \
        if (!(condition)) explore_fail("does not hold: " #condition);                              \
    } while (0)

#define EXPLORE_CHANGE(what, to, operation)                                                        \
    __extension__({                                                                                \
        explore_change(what " " #to, __FILE_NAME__, __LINE__);                                     \
        explore_access(to);                                                                        \
        explore_keep((to), sizeof *(to));                                                          \
        operation;                                                                                 \
    })

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_or
#undef atomic_fetch_and
#undef atomic_thread_fence

#define atomic_load_explicit(from, order)                                                          \
    __extension__({                                                                                \
        EXPLORE_POINT("load " #from);                                                              \
        explore_access(from);                                                                      \
        __auto_type explore_value = __c11_atomic_load((from), __ATOMIC_SEQ_CST);                   \
        explore_load((from), &explore_value, sizeof explore_value, (order));                       \
        explore_value;                                                                             \
    })
#define atomic_load(from) atomic_load_explicit(from, memory_order_seq_cst)
#define atomic_store_explicit(to, value, order)                                                    \
    __extension__({                                                                                \
        EXPLORE_POINT("store late " #to);                                                          \
        __typeof__(__c11_atomic_load((to), __ATOMIC_SEQ_CST)) explore_value = (value);             \
        explore_store((to), &explore_value, sizeof explore_value, (order));                        \
    })
#define atomic_store(to, value)                                                                    \
    EXPLORE_CHANGE("store", to, __c11_atomic_store((to), (value), __ATOMIC_SEQ_CST))
#define atomic_exchange(to, value)                                                                 \
    EXPLORE_CHANGE("exchange", to, __c11_atomic_exchange((to), (value), __ATOMIC_SEQ_CST))
#define atomic_exchange_explicit(to, value, order) atomic_exchange(to, value)
#define atomic_compare_exchange_strong(to, expected, value)                                        \
    __extension__({                                                                                \
        EXPLORE_POINT("compare and exchange " #to);                                                \
        explore_drain();                                                                           \
        explore_access(to);                                                                        \
        explore_keep((to), sizeof *(to));                                                          \
        __c11_atomic_compare_exchange_strong((to), (expected), (value), __ATOMIC_SEQ_CST,          \
                                             __ATOMIC_SEQ_CST);                                    \
    })
#define atomic_compare_exchange_weak atomic_compare_exchange_strong
#define atomic_fetch_add(to, value)                                                                \
    EXPLORE_CHANGE("add to", to, __c11_atomic_fetch_add((to), (value), __ATOMIC_SEQ_CST))
#define atomic_fetch_add_explicit(to, value, order) atomic_fetch_add(to, value)
#define atomic_fetch_sub(to, value)                                                                \
    EXPLORE_CHANGE("subtract from", to, __c11_atomic_fetch_sub((to), (value), __ATOMIC_SEQ_CST))
#define atomic_fetch_or(to, value)                                                                 \
    EXPLORE_CHANGE("set in", to, __c11_atomic_fetch_or((to), (value), __ATOMIC_SEQ_CST))
#define atomic_fetch_and(to, value)                                                                \
    EXPLORE_CHANGE("clear in", to, __c11_atomic_fetch_and((to), (value), __ATOMIC_SEQ_CST))
#define atomic_thread_fence explore_fence
#define __builtin_ia32_pause explore_pause
#define sched_yield explore_yield
#define pthread_key_create explore_key_create
#define pthread_setspecific explore_set_value
#define pthread_once explore_once
/* All threads of a scenario are one: the explorer exchanges what is in the section. */
#define _Thread_local __attribute__((section("explore_locals")))

/* Other files than lock.c have locks that are taken in one step. */
#ifndef EXPLORES_lock
#include "base/lock.h"
void explore_lock(struct rl_lock *lock, const char *file, int line) RL_ACQUIRES(*lock);
void explore_unlock(struct rl_lock *lock) RL_RELEASES(*lock);
#define rl_lock(lock) explore_lock((lock), __FILE_NAME__, __LINE__)
#define rl_unlock(lock) explore_unlock(lock)
#endif

#endif
