#ifndef RL_MAIN_QUEUE_H
#define RL_MAIN_QUEUE_H

#include <stdbool.h>

struct rl_loop;
struct rl_mode;
struct rl_wait_set;

/*
 * Returns true if a run in a common mode serves the main queue (MODE-20, MAINQ-1). This requires
 * that the calling thread is the main thread, that the loop is the main loop, that no work item of
 * the queue is running, and that no host serves the queue.
 */
bool rl_main_queue_is_served_by(const struct rl_loop *loop);

/* A main queue that the loop serves counts as an item (MODE-18). Call this with the loop locked. */
bool rl_loop_mode_is_empty(struct rl_loop *loop, const struct rl_mode *mode);

/*
 * Adds the queue's port, or removes it if `is_included` is false or the queue is abandoned. Returns
 * false if the process has no descriptor left. Call this with the loop locked.
 */
bool rl_main_queue_include(struct rl_wait_set *set, bool is_included);

/* Resets the port by a system call. Returns whether the queue had work. */
bool rl_main_queue_take(void);

/*
 * Returns true if the queue's tail pointer is null. Makes no system call; later work makes the port
 * readable. Always returns false for a hosted loop, which reads the port in each pass, so that loop
 * and host alternate in the kernel's order.
 */
bool rl_main_queue_seems_empty(const struct rl_loop *loop);

/*
 * Returns true if a pass must read the port, because the queue does not seem empty or the port has
 * not been read for a while. Call this once per pass.
 */
bool rl_main_queue_is_due(const struct rl_loop *loop);

/* Call this without a lock. */
void rl_main_queue_serve(struct rl_loop *loop);

/* For a forked child, in which libdispatch does not work and whose port the parent shares. */
void rl_main_queue_abandon(void);

/*
 * Returns true in a forked child, and after the main thread has ended, when libdispatch serves the
 * queue. A run that began earlier must check this.
 */
bool rl_main_queue_is_abandoned(void);

#endif
