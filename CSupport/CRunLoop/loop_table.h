/*
 * From threads to loops.
 */

#ifndef RL_LOOP_TABLE_H
#define RL_LOOP_TABLE_H

#include <stdbool.h>

struct rl_loop;

/* The calling thread's loop if it has one. */
struct rl_loop *rl_loop_table_current(void);

#endif
