/*
 * The table of loops, as a fork sees it.
 */

#ifndef RL_LOOP_TABLE_H
#define RL_LOOP_TABLE_H

#include <stdbool.h>

struct rl_loop;

void rl_loop_table_lock(void);
void rl_loop_table_unlock(void);

/* Calls a function with each loop. Table locked. */
void rl_loop_table_visit(void (*visit)(struct rl_loop *loop));

/*
 * Returns whether any thread of the process, or of the one that it forked from, asked for a loop.
 */
bool rl_loop_table_was_used(void);

/*
 * In the child of a fork: takes all loops out but that of the only thread, which is the main one
 * now. Returns that loop: its own one or, if it had none, the main loop; null if the thread is at
 * its end. Table locked.
 */
struct rl_loop *rl_loop_table_keep_own(void);

#endif
