#ifndef RL_FORK_H
#define RL_FORK_H

#include "base/at_load.h"

/* A table of objects with its atfork handlers (pthread_atfork(3)). */
struct rl_fork_table {
    /*
     * The table's place in the lock order. The prepare handlers run in ascending order, the other
     * handlers in descending order.
     */
    int order;
    void (*prepare)(void);
    void (*resume_in_parent)(void);
    /* Unlocks the table, and abandons all objects that do not belong to the child's thread. */
    void (*settle_child)(void);
};

/* Call this only at load time (at_load.h). The table must never be freed. */
void rl_fork_register(const struct rl_fork_table *table);

/* `number` is the table's place in the lock order; the numbers may have gaps. */
#define RL_REGISTER_FORK_TABLE(number, prepare_table, resume, settle)                              \
    RL_AT_LOAD static void register_fork_table(void)                                               \
    {                                                                                              \
        static const struct rl_fork_table table = {                                                \
            .order = (number),                                                                     \
            .prepare = (prepare_table),                                                            \
            .resume_in_parent = (resume),                                                          \
            .settle_child = (settle),                                                              \
        };                                                                                         \
        rl_fork_register(&table);                                                                  \
    }

/*
 * Installs the atfork handlers; idempotent. Call this before making an object that a fork must
 * handle. All tables share one pthread_atfork registration, as the order of separate registrations
 * would depend on the order of first use.
 */
void rl_fork_set_up(void);

/*
 * Returns how many forks led to this process since rl_fork_set_up. An object stores the number when
 * it is made. If the stored number differs, a parent process made the object: the child must not
 * change a kernel or libdispatch object that it shares with the parent.
 */
unsigned rl_fork_number(void);

#endif
