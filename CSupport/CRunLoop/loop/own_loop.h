/* The calling thread's loop, for files below run/, which must not include the loop table. */

#ifndef RL_OWN_LOOP_H
#define RL_OWN_LOOP_H

struct rl_loop;

/* Null if the thread has no loop. Only loop_table.c writes this. */
extern _Thread_local struct rl_loop *rl_own_loop;

#endif
