/*
 * What debug builds say of loops that end.
 */

#ifndef RL_LOOP_HINTS_H
#define RL_LOOP_HINTS_H

struct rl_loop;

/*
 * Debug builds say, once, that a loop has items or blocks and never ran, at the end of a thread or
 * process, or when the main thread begins to end.
 */
void rl_loop_hint_at_end(struct rl_loop *loop, const char *what_ends);

#endif
