/*
 * Forking while other threads use the engine.
 */

#ifndef RL_FORK_H
#define RL_FORK_H

/* What a table of the engine does around a fork. */
struct rl_fork_table {
    /* Locks the table and what is in it. */
    void (*prepare)(void);
    /* Unlocks it. */
    void (*go_on_in_parent)(void);
    /* In the child: takes over what the child keeps, leaves all else to the parent, and unlocks. */
    void (*settle_child)(void);
};

/*
 * All tables, in the order in which their locks are taken; set in engine/fork_tables.c. Only fork.c
 * looks at them.
 */
enum { RL_FORK_TABLES = 9 };
extern const struct rl_fork_table rl_fork_tables[RL_FORK_TABLES];

/*
 * To be called before anything is made that a fork must handle. All parts share one registration:
 * the C library prepares in the reverse order of registrations, and the part that a program uses
 * first must not decide the order of locks.
 */
void rl_fork_set_up(void);

/*
 * Returns how many forks lie between the set-up and this process. An object made at another number
 * is the parent's: if the kernel or libdispatch share it between the two processes, the child must
 * not change it.
 */
unsigned rl_fork_number(void);

#endif
