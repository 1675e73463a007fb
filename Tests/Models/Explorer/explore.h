/*
 * Included before the engine's own files, which are compiled as they are: an atomic operation first
 * lets the explorer choose which thread goes on. A store that is not sequentially consistent waits
 * in a buffer of its thread until the explorer has it take effect, or the thread makes a locked
 * instruction or a barrier, as on x86. Loads are not made early, and stores keep their order.
 */

#ifndef EXPLORE_H
#define EXPLORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Other threads may go on here. */
void explore_point(const char *what, const char *file, int line);

/* Has the stores of the running thread take effect. */
void explore_drain(void);

/*
 * What changes memory or calls the kernel: others may go on here, then the thread's stores take
 * effect.
 */
void explore_change(const char *what, const char *file, int line);

/* Has the stores of all threads take effect, one thread after the other. */
void explore_pass_barrier(void);

void explore_store(volatile void *to, const void *from, size_t size);

/* Replaces what was read by what the thread itself has stored and no other sees yet. */
void explore_forward(const volatile void *from, void *into, size_t size);

/*
 * In a loop that waits for another thread: going round it again changes nothing until another one
 * has gone on.
 */
void explore_pause(void);

/* Sleeps until the condition holds. */
void explore_wait(bool (*is_over)(void *info), void *info, const char *what);

/* Returns one of `count` numbers from 0; each is tried. */
int explore_choose(int count);

/* Prints the schedule and ends the program. */
_Noreturn void explore_fail(const char *what);

enum { EXPLORE_MOST_THREADS = 3 };

/* What a test explores; each file of scenarios has a table of these. */
struct explore_scenario {
    const char *name;
    int preemptions;
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

#define EXPLORE_CHANGE(what, operation)                                                            \
    __extension__({                                                                                \
        explore_change(what, __FILE_NAME__, __LINE__);                                             \
        operation;                                                                                 \
    })

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub
#undef atomic_fetch_or
#undef atomic_fetch_and

#define atomic_load(from)                                                                          \
    __extension__({                                                                                \
        EXPLORE_POINT("load " #from);                                                              \
        __auto_type explore_value = __c11_atomic_load((from), __ATOMIC_SEQ_CST);                   \
        explore_forward((from), &explore_value, sizeof explore_value);                             \
        explore_value;                                                                             \
    })
#define atomic_load_explicit(from, order) atomic_load(from)
#define atomic_store(to, value)                                                                    \
    EXPLORE_CHANGE("store " #to, __c11_atomic_store((to), (value), __ATOMIC_SEQ_CST))
#define atomic_store_explicit(to, value, order)                                                    \
    __extension__({                                                                                \
        EXPLORE_POINT("store late " #to);                                                          \
        __typeof__(__c11_atomic_load((to), __ATOMIC_SEQ_CST)) explore_value = (value);             \
        explore_store((to), &explore_value, sizeof explore_value);                                 \
        if ((order) == memory_order_seq_cst) explore_drain();                                      \
    })
#define atomic_exchange(to, value)                                                                 \
    EXPLORE_CHANGE("exchange " #to, __c11_atomic_exchange((to), (value), __ATOMIC_SEQ_CST))
#define atomic_compare_exchange_strong(to, expected, value)                                        \
    __extension__({                                                                                \
        EXPLORE_POINT("compare and exchange " #to);                                                \
        explore_drain();                                                                           \
        __c11_atomic_compare_exchange_strong((to), (expected), (value), __ATOMIC_SEQ_CST,          \
                                             __ATOMIC_SEQ_CST);                                    \
    })
#define atomic_compare_exchange_weak atomic_compare_exchange_strong
#define atomic_fetch_add(to, value)                                                                \
    EXPLORE_CHANGE("add to " #to, __c11_atomic_fetch_add((to), (value), __ATOMIC_SEQ_CST))
#define atomic_fetch_add_explicit(to, value, order) atomic_fetch_add(to, value)
#define atomic_fetch_sub(to, value)                                                                \
    EXPLORE_CHANGE("subtract from " #to, __c11_atomic_fetch_sub((to), (value), __ATOMIC_SEQ_CST))
#define atomic_fetch_or(to, value)                                                                 \
    EXPLORE_CHANGE("set in " #to, __c11_atomic_fetch_or((to), (value), __ATOMIC_SEQ_CST))
#define atomic_fetch_and(to, value)                                                                \
    EXPLORE_CHANGE("clear in " #to, __c11_atomic_fetch_and((to), (value), __ATOMIC_SEQ_CST))
#define __builtin_ia32_pause explore_pause

#endif
