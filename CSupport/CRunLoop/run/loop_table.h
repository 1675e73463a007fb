
#ifndef RL_LOOP_TABLE_H
#define RL_LOOP_TABLE_H

#include <stdbool.h>

struct rl_loop;

void rl_loop_table_lock(void);
void rl_loop_table_unlock(void);

void rl_loop_table_visit(void (*visit)(struct rl_loop *loop));

/* Returns whether any thread of this process, or of its parent before the fork, has got a loop. */
bool rl_loop_table_was_used(void);

/*
 * For the child of a fork: removes all loops but that of the only thread, which is the main thread
 * now. Returns that loop: its own loop or, if it had none, the main loop; null if the thread is
 * about to end. Table locked.
 */
struct rl_loop *rl_loop_table_keep_own(void);

#endif
