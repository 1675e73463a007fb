/*
 * Forking while other threads use the engine.
 */

#ifndef RL_FORK_H
#define RL_FORK_H

#include "base/at_load.h"

/* The steps of a table of the engine around a fork. */
struct rl_fork_table {
    /* Tables are locked in ascending order, and unlocked in the reverse one. */
    int order;
    /* Locks the table and what is in it. */
    void (*prepare)(void);
    /* Unlocks it. */
    void (*resume_in_parent)(void);
    /* In the child: takes over what the child keeps, leaves all else to the parent, and unlocks. */
    void (*settle_child)(void);
};

/* Registers a table, which stays where it is. Only when the program is loaded. */
void rl_fork_register(const struct rl_fork_table *table);

/*
 * Registers a table with a number for the order of locks, which leaves gaps for others. It stands
 * beside the table.
 */
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
 * To be called before anything is made that a fork must handle. All parts share one registration:
 * the C library prepares in the reverse order of registrations, and the part that a program uses
 * first must not decide the order of locks.
 */
void rl_fork_set_up(void);

/*
 * Returns the number of forks between the set-up and this process. An object made at another number
 * is the parent's: if the kernel or libdispatch share it between the two processes, the child must
 * not change it.
 */
unsigned rl_fork_number(void);

#endif
