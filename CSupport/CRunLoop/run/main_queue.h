/*
 * The main dispatch queue as one more event of the main loop.
 */

#ifndef RL_MAIN_QUEUE_H
#define RL_MAIN_QUEUE_H

#include <stdbool.h>

struct rl_loop;
struct rl_mode;

/*
 * Returns whether the loop, asked from the calling thread, stands for the main queue in its common
 * modes: the main loop, on the main thread, outside a service of the queue (MODE-20, MAINQ-1), and
 * not on behalf of a host that serves it itself.
 */
bool rl_main_queue_is_served_by(const struct rl_loop *loop);

/*
 * Returns whether nothing can happen in the mode (MODE-18), the main queue included, for the
 * calling thread. Loop locked.
 */
bool rl_loop_mode_is_empty(struct rl_loop *loop, const struct rl_mode *mode);

/*
 * Returns the descriptor that is readable while the queue has work; a negative errno value if the
 * process has no descriptor left for it.
 */
int rl_main_queue_port(void);

/* Acknowledges that the queue has work. Returns whether it has. */
bool rl_main_queue_take(void);

/* Runs the work that is queued at this moment, which ends a turn that it is owed. No locks held. */
void rl_main_queue_serve(struct rl_loop *loop);

/* In a forked child dispatch is dead, and its port the parent's. */
void rl_main_queue_abandon(void);

/* Returns whether the main queue was abandoned. A run that was under way at the fork has to ask. */
bool rl_main_queue_is_abandoned(void);

#endif
