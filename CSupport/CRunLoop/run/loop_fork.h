/* wait.c registers these atfork handlers. */

#ifndef RL_LOOP_FORK_H
#define RL_LOOP_FORK_H

/* Locks the loop table and all its loops. */
void rl_loop_fork_prepare(void);
void rl_loop_fork_resume_in_parent(void);
void rl_loop_fork_settle_child(void);

#endif
