/* The calling thread's loop, for files that may not use the table of loops. */

#ifndef RL_OWN_LOOP_H
#define RL_OWN_LOOP_H

struct rl_loop;

/* Null if the thread has no loop. Only the table of loops writes it. */
extern _Thread_local struct rl_loop *rl_own_loop;

#endif
