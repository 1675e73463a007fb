
#ifndef RL_FORK_H
#define RL_FORK_H

#include "base/at_load.h"

/* A table of the engine, and its steps around a fork. */
struct rl_fork_table {
    /* Tables are locked in ascending order, and unlocked in descending order. */
    int order;
    void (*prepare)(void);
    void (*resume_in_parent)(void);
    /* In the child: keeps the child's objects, leaves all others to the parent, and unlocks. */
    void (*settle_child)(void);
};

/* Call this only while the program is loaded. The table must live forever. */
void rl_fork_register(const struct rl_fork_table *table);

/* Registers a table with its place in the order of locks. The numbers have gaps. */
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
 * Call this before making an object that a fork must handle. All parts share one registration: the
 * C library calls handlers in the reverse order of registrations, and the first part that a program
 * uses must not decide the order of locks.
 */
void rl_fork_set_up(void);

/*
 * Returns the number of forks between the set-up and this process. An object that was made at
 * another number is the parent's: if the kernel or libdispatch share it between the processes, the
 * child must not change it.
 */
unsigned rl_fork_number(void);

#endif
