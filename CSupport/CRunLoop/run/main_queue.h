/*
 * The main dispatch queue as one more event of the main loop.
 */

#ifndef RL_MAIN_QUEUE_H
#define RL_MAIN_QUEUE_H

#include <stdbool.h>

struct rl_loop;
struct rl_mode;
struct rl_wait_set;

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
 * Puts the descriptor that is readable while the queue has work into a set, or takes it out.
 * Returns whether that is done: the process may have no descriptor left for it. An abandoned queue
 * is taken out. Loop locked.
 */
bool rl_main_queue_include(struct rl_wait_set *set, bool is_included);

/* Acknowledges that the queue has work. Returns whether it has. Costs a system call. */
bool rl_main_queue_take(void);

/*
 * Returns whether nothing is queued, as far as one can see without a system call. Work that is
 * queued later makes the descriptor readable. A loop that a host serves besides always asks: it
 * takes turns with its host by what the kernel tells of.
 */
bool rl_main_queue_seems_empty(const struct rl_loop *loop);

/*
 * Returns whether a pass is to ask the queue: it does not seem empty, or has not been asked for a
 * while. To be called once in a pass.
 */
bool rl_main_queue_is_due(const struct rl_loop *loop);

/* Runs the work that is queued at this moment, which ends a turn that it is owed. No locks held. */
void rl_main_queue_serve(struct rl_loop *loop);

/* In a forked child dispatch is dead, and its port the parent's. */
void rl_main_queue_abandon(void);

/*
 * Returns whether the main queue was abandoned, or libdispatch serves it by itself since the main
 * thread is at its end. A run that was under way then has to ask.
 */
bool rl_main_queue_is_abandoned(void);

#endif
