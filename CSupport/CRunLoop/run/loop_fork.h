/*
 * The steps of a fork for the loops of the table, in the parent and in the child. wait.c registers
 * them.
 */

#ifndef RL_LOOP_FORK_H
#define RL_LOOP_FORK_H

/* Locks the table and all loops in it for a fork; see fork.h. */
void rl_loop_fork_prepare(void);
void rl_loop_fork_resume_in_parent(void);
void rl_loop_fork_settle_child(void);

#endif
