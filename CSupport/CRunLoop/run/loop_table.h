
#ifndef RL_LOOP_TABLE_H
#define RL_LOOP_TABLE_H

#include <stdbool.h>

struct rl_loop;

void rl_loop_table_lock(void);
void rl_loop_table_unlock(void);

void rl_loop_table_visit(void (*visit)(struct rl_loop *loop));

/* Returns whether this process, or its parent before the fork, has used a loop. */
bool rl_loop_table_was_used(void);

/*
 * Called in a forked child. Removes all loops except the loop of the child's only thread, and
 * returns that loop. If the thread had no loop, it gets the main loop. Returns null if the thread
 * is about to end. Call this with the table locked.
 */
struct rl_loop *rl_loop_table_keep_own(void);

#endif
