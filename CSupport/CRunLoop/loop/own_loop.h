/* The calling thread's loop, for the files below the table of loops. */

#ifndef RL_OWN_LOOP_H
#define RL_OWN_LOOP_H

struct rl_loop;

/* The calling thread's loop if it has one. Only the table of loops writes it. */
extern _Thread_local struct rl_loop *rl_own_loop;

#endif
