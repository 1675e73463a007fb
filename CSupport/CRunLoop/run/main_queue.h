
#ifndef RL_MAIN_QUEUE_H
#define RL_MAIN_QUEUE_H

#include <stdbool.h>

struct rl_loop;
struct rl_mode;
struct rl_wait_set;

/*
 * Returns whether a run of the loop on the calling thread, in a common mode, serves the main queue:
 * for the main loop, on the main thread, outside work of the queue (MODE-20, MAINQ-1), and unless a
 * host serves the queue itself.
 */
bool rl_main_queue_is_served_by(const struct rl_loop *loop);

/*
 * Returns whether the mode is empty (MODE-18) for the calling thread; a served main queue counts as
 * an item. Loop locked.
 */
bool rl_loop_mode_is_empty(struct rl_loop *loop, const struct rl_mode *mode);

/*
 * Adds the queue's port, which is readable while the queue has work, to a set, or removes it.
 * Returns false if the process has no descriptor left for it. Removes the port of an abandoned
 * queue. Loop locked.
 */
bool rl_main_queue_include(struct rl_wait_set *set, bool is_included);

/* Reads the port, which is a system call. Returns whether the queue had announced work. */
bool rl_main_queue_take(void);

/*
 * Returns whether the queue's tail shows no work, without a system call. Work that is queued later
 * makes the port readable. A hosted loop always reads the port: the loop and its host alternate in
 * the kernel's order.
 */
bool rl_main_queue_seems_empty(const struct rl_loop *loop);

/*
 * Returns whether a pass must check the port: the queue does not seem empty, or no pass has checked
 * it for a while. Call this once in a pass.
 */
bool rl_main_queue_is_due(const struct rl_loop *loop);

/* Performs the queued work. No locks held. */
void rl_main_queue_serve(struct rl_loop *loop);

/* For the child of a fork: libdispatch does not work there, and its port is the parent's. */
void rl_main_queue_abandon(void);

/*
 * Returns whether the main queue was abandoned, or libdispatch serves it itself at the end of the
 * main thread. A run that began earlier must check this.
 */
bool rl_main_queue_is_abandoned(void);

#endif
