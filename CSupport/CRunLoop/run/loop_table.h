/*
 * From threads to loops.
 */

#ifndef RL_LOOP_TABLE_H
#define RL_LOOP_TABLE_H

#include <stdbool.h>

struct rl_loop;

/* The calling thread's loop if it has one. */
struct rl_loop *rl_loop_table_current(void);

/* Locks the table and all loops in it for a fork; see fork.h. */
void rl_loop_table_prepare_fork(void);
void rl_loop_table_unlock_after_fork(void);
void rl_loop_table_settle_child(void);

#endif
