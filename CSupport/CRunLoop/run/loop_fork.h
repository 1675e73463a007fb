/*
 * The atfork handlers for the loops of the loop table. wait.c registers them with rl_fork_register.
 */

#ifndef RL_LOOP_FORK_H
#define RL_LOOP_FORK_H

/* Runs before the fork: locks the loop table and all its loops. See fork.h for the other two. */
void rl_loop_fork_prepare(void);
void rl_loop_fork_resume_in_parent(void);
void rl_loop_fork_settle_child(void);

#endif
