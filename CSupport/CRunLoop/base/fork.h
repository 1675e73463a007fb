
#ifndef RL_FORK_H
#define RL_FORK_H

#include "base/at_load.h"

/*
 * A table of objects, and the atfork handlers that lock and unlock the table (pthread_atfork(3)).
 */
struct rl_fork_table {
    /* The prepare handlers run in ascending order, the others in descending order. */
    int order;
    void (*prepare)(void);
    void (*resume_in_parent)(void);
    /*
     * Keeps the objects that belong to the child's thread, abandons all others, and unlocks the
     * table.
     */
    void (*settle_child)(void);
};

/*
 * Call this only from a function that runs when the program is loaded. The table must never be
 * freed.
 */
void rl_fork_register(const struct rl_fork_table *table);

/* Registers a table. `number` is the table's place in the lock order; the numbers may have gaps. */
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
 * Installs the engine's atfork handlers; idempotent. Call this before making an object that a fork
 * must handle. All tables share one pthread_atfork registration. With separate registrations, the
 * order in which a program first uses the tables would decide the lock order.
 */
void rl_fork_set_up(void);

/*
 * Returns the number of forks after rl_fork_set_up that led to this process. An object records the
 * number when it is made. If the number differs later, the object belongs to the parent: the child
 * must not change a kernel or libdispatch object that it shares with the parent.
 */
unsigned rl_fork_number(void);

#endif
