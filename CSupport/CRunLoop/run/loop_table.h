/*
 * The table of loops, as a fork sees it.
 */

#ifndef RL_LOOP_TABLE_H
#define RL_LOOP_TABLE_H

/* Locks the table and all loops in it for a fork; see fork.h. */
void rl_loop_table_prepare_fork(void);
void rl_loop_table_unlock_after_fork(void);
void rl_loop_table_settle_child(void);

#endif
