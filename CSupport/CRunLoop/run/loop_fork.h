/*
 * What a fork does to the loops of the table, and what the child makes of them.
 */

#ifndef RL_LOOP_FORK_H
#define RL_LOOP_FORK_H

/* Locks the table and all loops in it for a fork; see fork.h. */
void rl_loop_fork_prepare(void);
void rl_loop_fork_go_on_in_parent(void);
void rl_loop_fork_settle_child(void);

#endif
