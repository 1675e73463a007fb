/*
 * What a fork does to each loop of the table, and what the child makes of them.
 */

#ifndef RL_LOOP_FORK_H
#define RL_LOOP_FORK_H

struct rl_loop;

/* Takes the signal locks of the modes, after the locks of all loops. */
void rl_loop_fork_lock_signals(struct rl_loop *loop);

/* Frees these and the loop's lock, in the parent. */
void rl_loop_fork_unlock(struct rl_loop *loop);

/* Leaves kernel objects, host and trace to the parent, and frees the locks, in the child. */
void rl_loop_fork_settle_child(struct rl_loop *loop);

/*
 * The main loop of a process whose main thread may have ended goes on in the child's only thread.
 */
void rl_loop_fork_revive(struct rl_loop *loop);

#endif
